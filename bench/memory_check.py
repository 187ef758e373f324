#!/usr/bin/env python3
"""Peak memory of one 3840x2160 10-bit pair under --memory, with extractors that are slower than the decoder.

usage: memory_check.py --vmafbatch PATH [--memory 256] [--frames 24]

Prints a line for each set of features and number of threads. With few threads the slow extractors hold the decoder back too; with
many it runs ahead until the budget is used up.
Exit code 0: every peak of psnr stayed below --memory + 150 MiB; 1: one did not; 2: not measured.
Needs ffmpeg and GNU time (/usr/bin/time).
"""
import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

ALLOWANCE_MIB = 150  # the program itself, libav's pictures and what the allocator keeps
DELAY_MS = "200"     # a measurement waits so long: decoding runs ahead as far as it may
FEATURE_SETS = [["psnr"], ["psnr", "motion", "vif", "adm"]]
THREADS = [2, 8]


def make_pair(folder, frames):
    reference, distorted = os.path.join(folder, "reference.y4m"), os.path.join(folder, "distorted.y4m")
    picture = ["-frames:v", str(frames), "-pix_fmt", "yuv420p10le", "-strict", "-1"]
    source = ["-f", "lavfi", "-i", "testsrc2=s=3840x2160:r=24"]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *source, *picture, reference], check=True)
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *source, "-vf", "noise=alls=12:allf=t", *picture, distorted], check=True)
    return reference, distorted


def measure(program, pair, features, threads, memory_mib, folder):
    """Peak memory in MiB and seconds."""
    command = ["/usr/bin/time", "-f", "%M %e", program, "score", "--reference", pair[0], "--distorted", pair[1], "--no-model", "--quiet",
               "--memory", f"{memory_mib}M", "--threads", str(threads), "--output", os.path.join(folder, f"{'_'.join(features)}_{threads}.db")]
    for feature in features:
        command += ["--feature", feature]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"VMAFBATCH_TEST_MEASURE_DELAY_MS": DELAY_MS})
    result = re.search(r"^(\d+) ([\d.]+)$", done.stderr, re.MULTILINE)
    if done.returncode != 0 or result is None:
        raise OSError(f"score ended with {done.returncode}: {done.stderr.strip()}")
    return int(result[1]) / 1024, float(result[2])


def main():
    parser = argparse.ArgumentParser(description="Peak memory of a 3840x2160 pair.")
    parser.add_argument("--vmafbatch", required=True)
    parser.add_argument("--memory", type=int, default=256, help="MiB")
    parser.add_argument("--frames", type=int, default=24)
    arguments = parser.parse_args()
    limit = arguments.memory + ALLOWANCE_MIB
    with tempfile.TemporaryDirectory(prefix="memory_check_") as folder:
        pair = make_pair(folder, arguments.frames)
        peaks = []
        for features, threads in itertools.product(FEATURE_SETS, THREADS):
            peak, seconds = measure(arguments.vmafbatch, pair, features, threads, arguments.memory, folder)
            if features == ["psnr"]:
                peaks.append(peak)
            print(f"{'+'.join(features):<20} {threads} threads: peak {peak:6.1f} MiB, {seconds:.1f} s "
                  f"({arguments.frames} frames, --memory {arguments.memory}M)")
    print(f"limit for psnr: {limit} MiB")
    return 0 if max(peaks) < limit else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
