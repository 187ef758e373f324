#!/usr/bin/env python3
"""Milliseconds per 1080p frame of each extractor on one thread, whole process, beside a yardstick of the same minute.

usage: extractor_times.py --vmafbatch PATH [--threads N] [--only NAME ...] [--all-in-one] [--model FILE]

The pair is 24 frames (48 with --all-in-one) of tests/golden/make_clips.cpp, scene nature against quantise:2500, 1920x1080 8-bit 4:2:0, read as Y4M from the page
cache. Before each extractor bench/calibrate.cpp runs; the ratio (ms per frame / compute_ms) is what compares machines. Best of two runs. The last
column is the process's peak resident memory. Needs a C++ compiler. Use it on a quiet machine.
"""
import argparse, os, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

def build(source, target, *flags):
    subprocess.run(["c++", "-std=c++20", "-O2", *flags, source, "-o", target], check=True)

def compute_ms(calibrate):
    text = subprocess.run([calibrate], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"compute_ms ([0-9.]+)", text).group(1))

def run(program, pair, arguments, work, threads):
    """Seconds of wall time and peak memory in MiB of one scoring."""
    database = os.path.join(work, "t.db")
    if os.path.exists(database): os.unlink(database)
    command = [program, "score", "--reference", pair[0], "--distorted", pair[1], "--threads", str(threads), "--quiet", "--output", database, *arguments]
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0: sys.exit(f"{' '.join(command)} ended with {status}")
    return time.monotonic() - start, usage.ru_maxrss / 1024

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vmafbatch", required=True); parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[]); parser.add_argument("--all-in-one", action="store_true"); parser.add_argument("--model")
    options = parser.parse_args()
    program = os.path.abspath(options.vmafbatch)
    frames = 48 if options.all_in_one else 24
    names = [line.split()[0] for line in subprocess.run([program, "features"], capture_output=True, text=True, check=True).stdout.splitlines()]
    names = [name for name in names if not options.only or name in options.only]
    jobs = [(name, ["--no-model", "--feature", name]) for name in names]
    if options.all_in_one: jobs = [("all in one run", ["--no-model", *(word for name in names for word in ("--feature", name))])]
    if options.model: jobs = [(os.path.basename(options.model), ["--model", options.model])]
    with tempfile.TemporaryDirectory(prefix="times_") as work:
        maker, calibrate = os.path.join(work, "make_clips"), os.path.join(work, "calibrate")
        build(os.path.join(ROOT, "tests/golden/make_clips.cpp"), maker)
        build(os.path.join(HERE, "calibrate.cpp"), calibrate, "-fno-tree-vectorize")
        pair = (os.path.join(work, "r.y4m"), os.path.join(work, "d.y4m"))
        for path, distortion in zip(pair, ("none", "quantise:2500")):
            with open(path, "wb") as out:
                subprocess.run([maker, "nature", "1920", "1080", "420", "8", str(frames), "29", distortion], stdout=out, check=True)
        print(f"| extractor | ms per frame, {options.threads} thread(s) | compute_ms | ratio | peak MiB |\n| --- | --- | --- | --- | --- |")
        for name, arguments in jobs:
            yardstick = compute_ms(calibrate)
            best, memory = min(run(program, pair, arguments, work, options.threads) for _ in range(2))
            ms = best * 1000 / frames
            print(f"| {name} | {ms:.2f} | {yardstick:.1f} | {ms / yardstick:.2f} | {memory:.0f} |", flush=True)

if __name__ == "__main__": main()
