#!/usr/bin/env python3
"""Clips per second over many tiny clips, and how long a large catalogue takes to start.

usage: many_clips.py --vmafbatch PATH [--clips 1000] [--rows 10000] [--frames 12] [--size 64x48] [--threads N]

Scores --clips pairs of Y4M files of their own, then a catalogue of --rows rows that name the same files again: the time until the first
frame is scored, and until a second run finds everything done. Prints the figures. Needs only Python's standard library.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

FEATURES = ["--no-model", "--feature", "psnr", "--feature", "motion"]


def write_clip(path, width, height, frames, pattern):
    picture = width * height * 3 // 2
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420jpeg\n".encode())
        for _ in range(frames):
            file.write(b"FRAME\n" + pattern.randbytes(picture))


def make_clips(folder, clips, width, height, frames):
    pattern = random.Random(1)
    for number in range(clips):
        for side in ("reference", "distorted"):
            write_clip(os.path.join(folder, f"{side}_{number}.y4m"), width, height, frames, pattern)


def write_catalogue(path, rows, clips):
    with open(path, "w", encoding="utf-8") as file:
        file.write("name,reference,distorted\n")
        for row in range(rows):
            # A pair for every row where there are enough files: no two rows share a reference's decode and its distorted file.
            number = row % clips
            file.write(f"clip_{row},reference_{number}.y4m,distorted_{(number + row // clips) % clips}.y4m\n")
    return path


def score_command(arguments, catalogue, database, *options):
    command = [arguments.vmafbatch, "score", catalogue, *FEATURES, "--output", database, *options]
    return command + (["--threads", str(arguments.threads)] if arguments.threads else [])


def run(command):
    """Seconds and what was said."""
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        raise OSError(f"score ended with {done.returncode}: {done.stderr[-400:]}")
    return seconds, done.stderr.strip().splitlines()[-1]


def seconds_to_first_frame(command, log):
    """From the start of the program to the first clip that its progress lines count, then the program is stopped."""
    start = time.monotonic()
    process = subprocess.Popen(command, stderr=log)
    database = command[command.index("--output") + 1]
    written = 0.0
    while process.poll() is None and not written:
        time.sleep(0.005)
        if has_frames(database):
            written = time.monotonic() - start
    process.terminate()
    process.wait()
    return written


def has_frames(database):
    # The writer's first transaction with scores makes the log beside the database grow beyond the schema's few pages.
    wal = database + "-wal"
    return os.path.exists(wal) and os.path.getsize(wal) > 400_000


def main():
    parser = argparse.ArgumentParser(description="Clips per second over many tiny clips.")
    parser.add_argument("--vmafbatch", required=True)
    parser.add_argument("--clips", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--frames", type=int, default=12)
    parser.add_argument("--size", default="64x48")
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    width, height = map(int, re.fullmatch(r"(\d+)x(\d+)", arguments.size).groups())
    with tempfile.TemporaryDirectory(prefix="many_clips_") as folder:
        make_clips(folder, arguments.clips, width, height, arguments.frames)
        database = os.path.join(folder, "clips.db")
        catalogue = write_catalogue(os.path.join(folder, "clips.csv"), arguments.clips, arguments.clips)
        seconds, said = run(score_command(arguments, catalogue, database))
        print(f"{arguments.clips} clips: {seconds:.2f} s, {arguments.clips / seconds:.0f} clips per second\n  {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
