#!/usr/bin/env python3
"""The arithmetic of the NVIDIA module's kernels, read from their PTX.

usage: check_ptx.py --compiler NVCC --architectures compute_75,compute_90 --sources FILE... -- FLAGS...
       check_ptx.py --compiler NVCC --self-test -- FLAGS...

FLAGS are the module's own. Every operation on floats must say that it rounds to nearest (.rn): the assembler may fuse what does not say
so, and never what does. No fused operation, nothing approximate, no flush to zero, no sum by atomic operation or reduction. A function
of the device's library is part of the PTX, and made of fused operations: it is found by them. --self-test plants each of these.
Exit code 0: clean; 1: violations; 77: there is no compiler, skipped.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

FLOAT_OPERATION = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.]*\.(?:f16|f16x2|bf16|f32|f64)\b[\w.]*)", re.MULTILINE)
# What rounds says how; what is exact needs no word.
ROUNDS = re.compile(r"(?:add|sub|mul|div|sqrt)\.rn\.f(?:32|64)|cvt\.rn\.f(?:32|64)\.(?:f64|[su](?:8|16|32|64))")
EXACT = re.compile(r"(?:mov|neg|abs|selp|setp\.\w+|min|max|copysign|ld[\w.]*|st[\w.]*|set\.[\w.]+)\.f(?:32|64)"
                   r"|cvt\.f64\.f32|cvt\.(?:rzi|rni|rmi|rpi)\.(?:f(?:32|64)\.f(?:32|64)|[su](?:8|16|32|64)\.f(?:32|64))"
                   r"|cvt\.sat[\w.]*\.[su]\d+\.f\d+")
CALL = re.compile(r"^\s*call\b[^;]*", re.MULTILINE)


def judge(ptx):
    problems = set()
    for operation in set(FLOAT_OPERATION.findall(ptx)):
        if not ROUNDS.fullmatch(operation) and not EXACT.fullmatch(operation):
            problems.add(f"{operation}: neither exact nor rounded to nearest by its own word")
    problems.update(f"{' '.join(call.split())}: a call" for call in CALL.findall(ptx))
    return sorted(problems)


def ptx_of(compiler, flags, architecture, source):
    command = [compiler, *flags, f"-arch={architecture}", "-ptx", source, "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{source}: {' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def check(compiler, flags, architectures, sources):
    problems, kernels = [], 0
    for source in sources:
        for architecture in architectures:
            ptx = ptx_of(compiler, flags, architecture, source)
            kernels += len(re.findall(r"^\.?(?:weak|visible)?\s*\.(?:entry)\b", ptx, re.MULTILINE))
            problems += [f"{source}: {architecture}: {problem}" for problem in judge(ptx)]
    if kernels == 0:
        problems.append("no kernel was found in any source")
    print("\n".join(problems + [f"{len(sources)} sources, {len(architectures)} architectures, {kernels} kernels, {len(problems)} violations"]))
    return 1 if problems else 0


# (name, kernel body, flags beside the module's own, part of the sentence that must be told; None: clean)
PLANTED = [
    ("plain arithmetic", "*d = a * b + c / a + sqrtf(b) + (float)sqrt((double)c);", [], None),
    ("contraction", "*d = a * b + c;", ["-fmad=true"], "fma.rn.f32"),
    ("a named fused operation", "*d = (float)fma((double)a, (double)b, (double)c);", [], "fma.rn.f64"),
    ("approximate division", "*d = a / b;", ["-prec-div=false"], "div.full.f32"),
    ("approximate root", "*d = sqrtf(a);", ["-prec-sqrt=false"], "sqrt.approx.f32"),
    ("flushed denormals", "*d = a * b;", ["-ftz=true"], "mul.rn.ftz.f32"),
    ("sine", "*d = sinf(a);", [], "fma.rn.f32"),
    ("atomic sum", "atomicAdd(d, a);", [], "add.f32"),
]


def self_test(compiler, flags):
    problems = []
    with tempfile.TemporaryDirectory(prefix="ptx_") as folder:
        for number, (name, body, more, want) in enumerate(PLANTED):
            source = os.path.join(folder, f"planted_{number}.cpp")
            with open(source, "w", encoding="utf-8") as file:
                file.write(f"__global__ void planted(float* d, float a, float b, float c) {{ {body} }}\n")
            # A flag may be given once only.
            kept = [flag for flag in flags if not any(flag.split("=")[0] == extra.split("=")[0] for extra in more)]
            found = judge(ptx_of(compiler, kept + more, "compute_90", source))
            if want is None and found:
                problems.append(f"{name}: false alarm: {'; '.join(found)}")
            elif want is not None and not any(want in sentence for sentence in found):
                problems.append(f"{name}: missed; told: {'; '.join(found) or 'nothing'}")
    print("\n".join(problems + [f"{len(PLANTED)} planted, {len(problems)} wrong"]))
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description="Reads the arithmetic of kernels from their PTX.")
    parser.add_argument("--compiler", default="")
    parser.add_argument("--architectures", default="compute_75")
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("flags", nargs="*")
    arguments = parser.parse_args()
    if not arguments.compiler:
        print("SKIPPED: there is no nvcc that works (or VMAFBATCH_HIP_NVIDIA is OFF), so nothing was checked")
        return 77
    if arguments.self_test:
        return self_test(arguments.compiler, arguments.flags)
    return check(arguments.compiler, arguments.flags, arguments.architectures.split(","), arguments.sources)


if __name__ == "__main__":
    sys.exit(main())
