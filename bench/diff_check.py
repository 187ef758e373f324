#!/usr/bin/env python3
"""Seconds and peak memory of `vmafbatch diff` on two databases of ten million frame values each.

usage: diff_check.py --vmafbatch PATH [--values 10000000] [--folder FOLDER]

Makes the databases with SQL (some 250 MB each in FOLDER, default: a temporary one), in three shapes: many clips, one clip, and many
clips with every value changed. Prints a line for each.
Exit code 0: every comparison stayed below 10 s and 100 MiB; 1: one did not; 2: not measured.
Needs GNU time (/usr/bin/time).
"""
import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

FEATURES = 20
LIMIT_SECONDS, LIMIT_MIB = 10, 100
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "store", "schema.sql")
APPLICATION_ID_SOURCE = os.path.join(os.path.dirname(SCHEMA), "schema.h")


def header_number(name):
    """A constant of schema.h, which the program checks."""
    with open(APPLICATION_ID_SOURCE, encoding="utf-8") as file:
        return int(re.search(rf"{name}\s*=\s*(0x[0-9A-Fa-f]+|\d+)", file.read())[1], 0)


def numbers(count):
    return f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})"


def make_database(path, clips, frames, shift):
    database = sqlite3.connect(path)
    with open(SCHEMA, encoding="utf-8") as file:
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + file.read())
    columns = clips * FEATURES
    database.executescript(f"""
        PRAGMA application_id = {header_number("kApplicationId")}; PRAGMA user_version = {header_number("kSchemaVersion")};
        BEGIN;
        INSERT INTO run (id, started_at, command_line, program_version, c_library, processor, host) VALUES (1, '', 'diff_check', '0', '', '', '');
        {numbers(FEATURES)} INSERT INTO feature (id, name) SELECT i + 1, 'feature_' || i FROM n;
        {numbers(clips)} INSERT INTO clip (id, name) SELECT i + 1, 'clip_' || i FROM n;
        {numbers(clips)} INSERT INTO scoring (id, run, clip, label, status, finished, reference_path, reference_size, reference_mtime_ns,
            distorted_path, distorted_size, distorted_mtime_ns, options, width, height, pixel_format, pictures, program_version, c_library,
            processor, decoder, frames, identical_frames, started_at)
          SELECT i + 1, 1, i + 1, '', 'done', i + 1, 'r', 1, 1, 'd', 1, 1, 'x', 64, 64, 'yuv420p', '', '0', '', '', '', {frames}, 0, '' FROM n;
        {numbers(columns)} INSERT INTO scoring_feature (id, scoring, feature, scope, source, position)
          SELECT i + 1, i / {FEATURES} + 1, i % {FEATURES} + 1, 'frame', 'x', i % {FEATURES} FROM n;
        {numbers(frames)} INSERT INTO frame_score (scoring_feature, frame, value)
          SELECT c.id, n.i, (c.id * 7919 + n.i * 104729) % 1000003 / 10007.0 + {shift}
          FROM scoring_feature c CROSS JOIN n;
        COMMIT;""")
    database.close()


def compare(program, old, new, expected):
    """Seconds and peak MiB."""
    done = subprocess.run(["/usr/bin/time", "-f", "%e %M", program, "diff", old, new], capture_output=True, text=True)
    result = re.search(r"^([\d.]+) (\d+)$", done.stderr, re.MULTILINE)
    if done.returncode != expected or result is None:
        raise OSError(f"diff ended with {done.returncode}: {done.stderr.strip()}")
    return float(result[1]), int(result[2]) / 1024


def measure(program, folder, name, clips, frames, shift):
    old, new = os.path.join(folder, "old.db"), os.path.join(folder, "new.db")
    make_database(old, clips, frames, 0)
    make_database(new, clips, frames, shift)
    seconds, mib = min(compare(program, old, new, 1 if shift else 0) for _ in range(3))
    print(f"{name:<34} {clips * frames * FEATURES} values a side: {seconds:.2f} s, peak {mib:.1f} MiB", flush=True)
    os.remove(old)
    os.remove(new)
    return seconds < LIMIT_SECONDS and mib < LIMIT_MIB


def main():
    parser = argparse.ArgumentParser(description="Seconds and peak memory of diff.")
    parser.add_argument("--vmafbatch", required=True)
    parser.add_argument("--values", type=int, default=10_000_000)
    parser.add_argument("--folder", help="where the databases are made")
    arguments = parser.parse_args()
    frames = 500
    clips = arguments.values // (frames * FEATURES)
    with tempfile.TemporaryDirectory(prefix="diff_check_", dir=arguments.folder) as folder:
        within = [measure(arguments.vmafbatch, folder, "many clips, equal", clips, frames, 0),
                  measure(arguments.vmafbatch, folder, "one clip, equal", 1, clips * frames, 0),
                  measure(arguments.vmafbatch, folder, "many clips, every value changed", clips, frames, 0.5)]
    return 0 if all(within) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, sqlite3.Error) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
