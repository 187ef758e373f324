#!/usr/bin/env python3
"""The arithmetic of the AMD module's kernels, read from the device's LLVM IR.

usage: check_device_ir.py --compiler HIPCC --architectures A,B --sources FILE... -- FLAGS...
       check_device_ir.py --compiler HIPCC --self-test -- FLAGS...

FLAGS are the module's own. The IR is taken without the device's library, so that calls into it stay calls. Each kernel source must hold,
for each architecture:
  - no fused multiply-add: no source names one;
  - no flag on an operation that lets the compiler contract, reorder or approximate it;
  - no !fpmath: division is correctly rounded;
  - no attribute that flushes denormal numbers or assumes anything about NaNs, infinities or signs of zero;
  - no sum of floats by atomic operation or reduction, whose order nobody knows;
  - no call of a function that is not listed here: square roots, what is exact, and what asks for a thread's place.
--self-test plants each of these and sees that it is found. Exit code 0: clean; 1: violations; 77: there is no compiler, skipped.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

FAST_FLAG = re.compile(r"\b(?:fneg|fadd|fsub|fmul|fdiv|frem|fcmp|phi|select|call)\s+((?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc)\s+)+)")
ATTRIBUTE = re.compile(
    r'"denormal-fp-math(?:-f32)?"="(?!ieee(?:,ieee)?")[^"]*"|"amdgpu-ieee"="false"'
    r'|"(?:unsafe|no-nans|no-infs|no-signed-zeros|approx-func)-fp-math"="true"|"less-precise-fpmad"="true"')
FLOAT_ATOMIC = re.compile(r"\batomicrmw\s+(?:volatile\s+)?f(?:add|sub|max|min)\b")
CALL = re.compile(r"\b(?:call|invoke)\b[^@\n]*@([\w.$]+)\(")
DEFINITION = re.compile(r"^define\b[^@\n]*@([\w.$]+)\(", re.MULTILINE)

# Device functions: correctly rounded with the module's flags, or exact, or about the thread's place.
ALLOWED_FUNCTION = re.compile(
    r"__ocml_sqrt_f(?:32|64)"
    r"|__ocml_(?:fabs|floor|ceil|trunc|rint|round|copysign)_f(?:32|64)"
    r"|__ockl_get_(?:local_id|group_id|local_size|num_groups|global_id|global_size)"
    r"|__atomic_work_item_fence")
# LLVM's own functions on floats. Not llvm.sqrt: the device computes it with an error of one unit in the last place.
ALLOWED_FLOAT_INTRINSIC = re.compile(r"llvm\.(?:fabs|floor|ceil|trunc|rint|round|copysign)\.(?:v\d+)?f(?:32|64)")
ON_FLOATS = re.compile(r"\.(?:v\d+)?f(?:16|32|64)\b")


def judge_call(name):
    """The sentence that says what is wrong with a call, or None."""
    if name.startswith("llvm.fma"):
        return f"{name}: a fused multiply-add that no source names"
    if name.startswith("llvm."):
        exact = not ON_FLOATS.search(name) or ALLOWED_FLOAT_INTRINSIC.fullmatch(name)
        return None if exact else f"{name}: not an exact operation"
    return None if ALLOWED_FUNCTION.fullmatch(name) else f"{name}: not among the functions that kernels may call"


def judge(ir):
    """Sentences, one for each kind of violation in a module's text."""
    own = set(DEFINITION.findall(ir))
    problems = set()
    for flags in FAST_FLAG.findall(ir):
        problems.add(f"an operation with the flag {' '.join(flags.split())}")
    if "!fpmath" in ir:
        problems.add("!fpmath: an operation that need not be correctly rounded")
    problems.update(f"the attribute {text}" for text in ATTRIBUTE.findall(ir))
    problems.update(f"{' '.join(text.split())}: a sum whose order nobody knows" for text in FLOAT_ATOMIC.findall(ir))
    for name in set(CALL.findall(ir)) - own:
        sentence = judge_call(name)
        if sentence:
            problems.add(sentence)
    return sorted(problems)


def device_ir(compiler, flags, architecture, source):
    command = [compiler, *flags, f"--offload-arch={architecture}", "--cuda-device-only", "-nogpulib", "-Wno-unused-command-line-argument",
               "-S", "-emit-llvm", source, "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{source}: {' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def check(compiler, flags, architectures, sources):
    def one(task):
        source, architecture = task
        ir = device_ir(compiler, flags, architecture, source)
        kernels = len(re.findall(r"^define\b.*\bamdgpu_kernel\b", ir, re.MULTILINE))
        return kernels, [f"{source}: {architecture}: {problem}" for problem in judge(ir)]
    tasks = [(source, architecture) for source in sources for architecture in architectures]
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, min(8, os.cpu_count() or 1))) as pool:
        results = list(pool.map(one, tasks))
    problems = [problem for _, found in results for problem in found]
    kernels = sum(count for count, _ in results)
    if kernels == 0:
        problems.append("no kernel was found in any source")
    print("\n".join(problems + [f"{len(sources)} sources, {len(architectures)} architectures, {kernels} kernels, {len(problems)} violations"]))
    return 1 if problems else 0


# (name, kernel body, flags beside the module's own, part of the sentence that must be told; None: clean)
PLANTED = [
    ("plain arithmetic", "*d = a * b + c / a + sqrtf(b) + (float)sqrt((double)c);", [], None),
    ("contraction", "*d = a * b + c;", ["-ffp-contract=fast"], "the flag contract"),
    ("contraction in expressions", "*d = a * b + c;", ["-ffp-contract=on"], "llvm.fmuladd.f32"),
    ("contraction of doubles", "*d = (float)((double)a * (double)b + (double)c);", ["-ffp-contract=on"], "llvm.fmuladd.f64"),
    ("fast-math", "*d = a * b + c;", ["-ffast-math"], "the flag fast"),
    ("assumed finite", "*d = a + b;", ["-ffinite-math-only"], "the flag nnan"),
    ("approximate division", "*d = a / b;", ["-Xclang", "-fno-hip-fp32-correctly-rounded-divide-sqrt"], "!fpmath"),
    ("flushed denormals", "*d = a * b;", ["-Xclang", "-fdenormal-fp-math-f32=preserve-sign,preserve-sign"], "denormal-fp-math-f32"),
    ("a named fused operation", "*d = fmaf(a, b, c);", [], "fma"),
    ("sine", "*d = sinf(a);", [], "__ocml_sin_f32"),
    ("power", "*d = (float)pow((double)a, (double)b);", [], "__ocml_pow"),
    ("fast square root", "*d = __builtin_sqrtf(a);", [], "llvm.sqrt.f32"),
    ("reciprocal", "*d = __builtin_amdgcn_rcpf(a);", [], "llvm.amdgcn.rcp.f32"),
    ("atomic sum", "atomicAdd(d, a);", [], "atomicrmw fadd"),
]


def self_test(compiler, flags):
    problems = []
    with tempfile.TemporaryDirectory(prefix="device_ir_") as folder:
        for number, (name, body, more, want) in enumerate(PLANTED):
            source = os.path.join(folder, f"planted_{number}.cpp")
            with open(source, "w", encoding="utf-8") as file:
                file.write("#include <hip/hip_runtime.h>\n"
                           f"__global__ void planted(float* d, float a, float b, float c) {{\n"
                           f"  (void)a, (void)b, (void)c;\n  {body}\n}}\n")
            found = judge(device_ir(compiler, flags + more, "gfx90a", source))
            if want is None and found:
                problems.append(f"{name}: false alarm: {'; '.join(found)}")
            elif want is not None and not any(want in sentence for sentence in found):
                problems.append(f"{name}: missed; told: {'; '.join(found) or 'nothing'}")
    print("\n".join(problems + [f"{len(PLANTED)} planted, {len(problems)} wrong"]))
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description="Reads the arithmetic of kernels from the device's LLVM IR.")
    parser.add_argument("--compiler", default="")
    parser.add_argument("--architectures", default="gfx90a")
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("flags", nargs="*")
    arguments = parser.parse_args()
    if not arguments.compiler:
        print("SKIPPED: there is no hipcc that works (or VMAFBATCH_HIP_AMD is OFF), so nothing was checked")
        return 77
    if arguments.self_test:
        return self_test(arguments.compiler, arguments.flags)
    return check(arguments.compiler, arguments.flags, arguments.architectures.split(","), arguments.sources)


if __name__ == "__main__":
    sys.exit(main())
