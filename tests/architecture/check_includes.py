#!/usr/bin/env python3
"""The include table of docs/internals.md as a test.

usage: check_includes.py ROOT        checks src/ and cli/ of a source tree
       check_includes.py --self-test  plants violations and sees that each is found

A room may include itself and the rooms of its line below, nothing else. Files of more than 600 lines fail as well: they hold two
concepts. Exit code 0: clean; 1: violations, one a line as file:line: sentence.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from source_text import CODE_SUFFIXES, files_under, read  # noqa: E402: the folder must be on the path first

# What extractors and their twins may know of io: pictures, not where they come from.
IO_FRAMES = {"io/frame.h", "io/plane.h", "io/picture_format.h", "io/derived_cache.h"}

# room -> the rooms it may include besides itself.
TABLE = {
    "base": set(),
    "io": {"base"},
    "extractors": {"base", "io"},
    "model": {"base"},
    "hip": {"base", "io", "extractors"},
    "store": {"base"},
    "graph": {"base", "io", "extractors", "model", "hip", "store"},
    "report": {"base", "io", "store"},
    "cli": {"base", "io", "extractors", "model", "hip", "store", "graph", "report"},
}
FRAMES_ONLY = {"extractors", "hip"}
# Libraries that belong to one room: the others reach them through its headers.
LIBRARY_ROOMS = {"CLI": {"cli"}, "SQLiteCpp": {"store", "report"}, "httplib.h": {"report"}}

LONGEST_FILE = 600

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def room_of(path):
    parts = path.replace(os.sep, "/").split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]


def judge_include(room, target, quoted):
    """The sentence that says what is wrong with an include, or None."""
    first = target.split("/")[0]
    if first in LIBRARY_ROOMS and room not in LIBRARY_ROOMS[first]:
        return f"{room} may not include {target}: the library belongs to {', '.join(sorted(LIBRARY_ROOMS[first]))}"
    if first not in TABLE or "/" not in target:
        return f'"{target}" names no room; write "room/{target}"' if quoted and "/" not in target else None
    if first != room and first not in TABLE[room]:
        allowed = ", ".join(sorted(TABLE[room])) or "nothing but itself and the standard library"
        return f"{room} may not include {target}: it may include {allowed}"
    if room in FRAMES_ONLY and first == "io" and target not in IO_FRAMES:
        return f"{room} may not include {target}: of io only {', '.join(sorted(IO_FRAMES))}"
    return None


def check(root):
    problems = []
    sources = files_under(root, ("src", "cli"), CODE_SUFFIXES)
    for path in sources:
        room = room_of(path)
        if room not in TABLE:
            problems.append(f"{path}:1: {room} is no room of the table")
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                sentence = judge_include(room, match.group(1) or match.group(2), match.group(1) is not None)
                if sentence:
                    problems.append(f"{path}:{number}: {sentence}")
    for path in files_under(root, ("src", "cli", "tests", "bench"), CODE_SUFFIXES + (".py", ".sql")):
        lines = len(read(root, path).splitlines())
        if lines > LONGEST_FILE:
            problems.append(f"{path}:{LONGEST_FILE + 1}: {lines} lines; more than {LONGEST_FILE} ask for a second file and its name")
    return problems, len(sources)


# (file, text, the problem that must be reported; None: clean)
PLANTED = [
    ("src/base/a.h", '#include "io/frame.h"\n', "src/base/a.h:1: base may not include io/frame.h"),
    ("src/io/a.cpp", '\n#include "store/writer.h"\n', "src/io/a.cpp:2: io may not include store/writer.h"),
    ("src/io/b.cpp", "#include <store/writer.h>\n", "src/io/b.cpp:1: io may not include store/writer.h"),
    ("src/io/c.cpp", '#  include "graph/run.h"\n', "src/io/c.cpp:1: io may not include graph/run.h"),
    ("src/extractors/a.cpp", '#include "io/decoder.h"\n', "src/extractors/a.cpp:1: extractors may not include io/decoder.h"),
    ("src/hip/sad/a.cu", '#include "io/frame_pool.h"\n', "src/hip/sad/a.cu:1: hip may not include io/frame_pool.h"),
    ("src/model/a.cpp", '#include "extractors/registry.h"\n', "src/model/a.cpp:1: model may not include extractors/registry.h"),
    ("src/store/a.cpp", '#include "model/svm.h"\n', "src/store/a.cpp:1: store may not include model/svm.h"),
    ("src/graph/a.cpp", '#include "cli/commands.h"\n', "src/graph/a.cpp:1: graph may not include cli/commands.h"),
    ("src/graph/b.cpp", "#include <CLI/CLI.hpp>\n", "src/graph/b.cpp:1: graph may not include CLI/CLI.hpp"),
    ("src/graph/c.cpp", '#include "run.h"\n', 'src/graph/c.cpp:1: "run.h" names no room'),
    ("src/attic/a.cpp", "\n", "src/attic/a.cpp:1: attic is no room"),
    ("src/store/long.cpp", "\n" * 601, "src/store/long.cpp:601: 601 lines"),
    ("tests/io/long_test.cpp", "\n" * 700, "tests/io/long_test.cpp:601: 700 lines"),
    ("src/extractors/b.cpp", '#include "io/frame.h"\n#include "base/result.h"\n#include "extractors/options.h"\n', None),
    ("src/hip/b.cpp", '#include "io/derived_cache.h"\n#include "extractors/registry.h"\n#include <hwy/highway.h>\n', None),
    ("src/graph/d.cpp", '#include "store/writer.h"\n#include "hip/device.h"\n#include <vector>\n', None),
    ("cli/score.cpp", '#include <CLI/CLI.hpp>\n#include "graph/run.h"\n#include "cli/commands.h"\n', None),
    ("src/store/full.cpp", "\n" * 600, None),
]


def self_test():
    with tempfile.TemporaryDirectory(prefix="includes_") as root:
        for path, text, _ in PLANTED:
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        problems, _ = check(root)
    expected = [problem for _, _, problem in PLANTED if problem]
    missed = [problem for problem in expected if not any(found.startswith(problem) for found in problems)]
    wrong = [found for found in problems if not any(found.startswith(problem) for problem in expected)]
    return [f"missed: {m}" for m in missed] + [f"false alarm: {w}" for w in wrong], len(PLANTED)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems, count = self_test() if arguments[0] == "--self-test" else check(arguments[0])
    if count == 0:
        problems = [f"{arguments[0]}: there is no source file in src/ and cli/; is it the root of the project?"]
    print("\n".join(problems + [f"{count} files, {len(problems)} violations"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
