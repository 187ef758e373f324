#!/usr/bin/env python3
"""House rules that a compiler does not see.

usage: check_hygiene.py ROOT        checks src/, cli/, tests/, bench/ and the CMake files of a source tree
       check_hygiene.py --self-test  plants violations and sees that each is found

Exit code 0: clean; 1: violations, one a line as file:line: sentence.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from source_text import CODE_SUFFIXES, files_under, line_of, read, without_comments_and_literals  # noqa: E402: as above

FOLDERS = ("src", "cli", "tests", "bench")

# Searched in code, without comments and literals. A NOLINT with a reason on the line, or NOLINTNEXTLINE above it, allows the match.
IN_CODE = [
    (re.compile(r"\busing\s+namespace\b"), "no `using namespace`; name what you use"),
    (re.compile(r"(?<!operator )\bnew\b(?=\s*[\w:(\[])"), "no raw `new`; use std::make_unique or a container"),
    (re.compile(r"(?<!operator )(?<!= )(?<!=)\bdelete\b(?=\s*(?:\[\s*\])?\s*[\w*(])"), "no raw `delete`; let an owner free it"),
    (re.compile(r"#\s*pragma\s+(?:STDC\s+FP_CONTRACT\s+ON|GCC\s+optimize|clang\s+fp)"), "no pragma that changes arithmetic"),
    (re.compile(r"\b(?:std::fma|fmaf?|__builtin_fmaf?)\s*\("), "no fused multiply-add that the specification does not name"),
    (re.compile(r"\bstd::cerr\b|\bfmt::print\(\s*stderr\b"), "say it with tell() of cli/tell.h, which does not throw where the text is lost"),
]
# Searched in the whole text, comments included.
IN_TEXT = [
    (re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b"), "finish it, or file it elsewhere"),
    (re.compile(r"NOLINT(?:NEXTLINE|BEGIN)?\b(?!(?:\([^)\n]*\))?\s*:\s*\S)"), "a NOLINT needs its reason: NOLINT(check): why"),
    (re.compile(r"/(?:home|root|Users)/\w"), "no path of one machine"),
]
# Flags that would change a score.
IN_CMAKE = [
    (re.compile(r"-f(?:fast-math|associative-math|reciprocal-math|finite-math-only|unsafe-math-optimizations|no-signed-zeros)\b|-Ofast\b"
                r"|-ffp-contract=(?!off)|-ffp-model=fast|-use_fast_math|-f(?:mad|tz)=true|-prec-(?:div|sqrt)=false"
                r"|-fgpu-flush-denormals-to-zero|-fno-hip-fp32-correctly-rounded-divide-sqrt|-march=|-mtune=native"),
     "no flag that changes arithmetic between machines"),
]

ALLOWED = re.compile(r"NOLINT(?:\([^)]*\))?\s*: ?\S")
ALLOWED_NEXT = re.compile(r"NOLINTNEXTLINE(?:\([^)]*\))?\s*: ?\S")


def is_allowed(lines, number):
    return bool(ALLOWED.search(lines[number - 1])) or (number > 1 and bool(ALLOWED_NEXT.search(lines[number - 2])))


def matches(path, text, rules):
    for pattern, sentence in rules:
        for match in pattern.finditer(text):
            yield line_of(text, match.start()), f"{match.group(0).strip()}: {sentence}"


def check_code(root, path):
    text = read(root, path)
    lines = text.splitlines()
    for number, sentence in matches(path, without_comments_and_literals(text), IN_CODE):
        if not is_allowed(lines, number):
            yield f"{path}:{number}: {sentence}"
    for number, sentence in matches(path, text, IN_TEXT):
        yield f"{path}:{number}: {sentence}"
    # Files that are included once per SIMD target have guards of their own.
    if path.endswith(".h") and not path.endswith("-inl.h") and "#pragma once" not in text:
        yield f"{path}:1: a header starts with #pragma once"


def cmake_files(root):
    found = files_under(root, ("cmake",) + FOLDERS, (".cmake", "CMakeLists.txt"))
    return found + [name for name in ("CMakeLists.txt", "CMakePresets.json") if os.path.exists(os.path.join(root, name))]


def check(root):
    problems = []
    sources = files_under(root, FOLDERS, CODE_SUFFIXES)
    for path in sources:
        problems += check_code(root, path)
    for path in cmake_files(root):
        problems += [f"{path}:{number}: {sentence}" for number, sentence in matches(path, read(root, path), IN_CMAKE)]
    return problems, len(sources)


# (file, text, the line that must be reported; None: clean)
PLANTED = [
    ("src/io/a.cpp", "int x;\nusing namespace std;\n", 2),
    ("src/io/b.cpp", "int* p = new int(3);\n", 1),
    ("src/io/c.cpp", "void f(int* p) { delete p; }\n", 1),
    ("src/io/d.cpp", "void f(int* p) { delete[] p; }\n", 1),
    ("src/io/e.cpp", "int* p = new int;  // NOLINT\n", 1),
    ("src/io/f.cpp", "// TO" + "DO: later\n", 1),
    ("src/io/g.h", "int x();\n", 1),
    ("src/io/h.cpp", "double f(double a) { return std::fma(a, a, a); }\n", 1),
    ("src/io/i.cpp", "// see /ho" + "me/someone/notes\n", 1),
    ("src/io/k.cpp", "int f(int);  // NOLINT(some-check)\n", 1),
    ("cli/a.cpp", "void f() { fmt::print(stderr, \"\"); }\n", 1),
    ("cli/b.cpp", "void f() { std::cerr << 1; }\n", 1),
    ("tests/io/a_test.cpp", "using namespace testing;\n", 1),
    ("cmake/Flags.cmake", "add_compile_options(-O2\n  -ffast-math)\n", 2),
    ("src/hip/CMakeLists.txt", "set(CUDA_FLAGS --fmad=true)\n", 1),
    ("cmake/HipModules.cmake", "set(FLAGS -prec-div=false)\n", 1),
    ("src/CMakeLists.txt", "add_compile_options(-march=native)\n", 1),
    ("src/io/ok_a.cpp", "// a new line; delete nothing\nconst char* s = \"new int\"; auto r = R\"(delete p;)\"; int n = 1'000; char c = '\"';\n", None),
    ("src/io/ok_b.cpp", "struct A { A(const A&) = delete; A& operator=(const A&) =delete; };\n", None),
    ("src/io/ok_c.cpp", "int* p = new int;  // NOLINT(cppcoreguidelines-owning-memory): the library frees it\n", None),
    ("src/io/ok_d.cpp", "// NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the library frees it\nint* p = new int;\n", None),
    ("src/io/ok_e.cpp", "void* p = ::operator new(64, std::align_val_t{64});\nvoid g() { ::operator delete(p, std::align_val_t{64}); }\n", None),
    ("src/io/ok-inl.h", "int x();\n", None),
    ("CMakeLists.txt", "add_compile_options(-ffp-contract=off -fno-fast-math)\n", None),
]


def self_test():
    with tempfile.TemporaryDirectory(prefix="hygiene_") as root:
        for path, text, _ in PLANTED:
            os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        problems, _ = check(root)
    found = {tuple(problem.split(":")[:2]) for problem in problems}
    expected = {(path, str(line)) for path, _, line in PLANTED if line}
    return [f"missed: {path}:{line}" for path, line in sorted(expected - found)] + \
           [f"false alarm: {path}:{line}" for path, line in sorted(found - expected)], len(PLANTED)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems, count = self_test() if arguments[0] == "--self-test" else check(arguments[0])
    if count == 0:
        problems = [f"{arguments[0]}: there is no source file; is it the root of the project?"]
    print("\n".join(problems + [f"{count} files, {len(problems)} violations"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
