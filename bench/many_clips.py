#!/usr/bin/env python3
"""Clips per second over many tiny clips, and how long a large catalogue takes to start.

usage: many_clips.py --vmafbatch PATH [--clips 1000] [--rows 10000] [--frames 12] [--size 64x48] [--threads N]

Scores --clips pairs, each of two Y4M files of its own. Then a catalogue of --rows rows over the same files: the time until its first clip
is done, the whole, and a second run, which finds everything done. Prints the figures. Needs only Python's standard library.
"""
import argparse
import os
import random
import re
import sqlite3
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
            # Where there are more rows than files, several rows share a reference, but no two the pair.
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


def seconds_to_first_clip(command, database):
    """From the start of the program to the first clip that another process finds done; then the program is stopped."""
    start = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and not has_a_clip(database):
        time.sleep(0.005)
    seconds = time.monotonic() - start
    process.terminate()
    process.wait()
    return seconds


def has_a_clip(database):
    try:
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT EXISTS (SELECT 1 FROM scoring WHERE status = 'done')").fetchone()[0] == 1
        finally:
            connection.close()
    except sqlite3.Error:  # not there yet
        return False


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

        catalogue = write_catalogue(os.path.join(folder, "rows.csv"), arguments.rows, arguments.clips)
        database = os.path.join(folder, "started.db")
        seconds = seconds_to_first_clip(score_command(arguments, catalogue, database), database)
        print(f"{arguments.rows} rows: the first clip is done after {seconds:.2f} s")
        command = score_command(arguments, catalogue, os.path.join(folder, "rows.db"))
        seconds, said = run(command)
        print(f"{arguments.rows} rows: {seconds:.2f} s, {arguments.rows / seconds:.0f} clips per second\n  {said}")
        seconds, said = run(command)
        print(f"{arguments.rows} rows, all of them there already: {seconds:.2f} s\n  {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
