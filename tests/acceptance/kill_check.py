#!/usr/bin/env python3
"""Kill runs of one catalogue at random times and see that nothing is lost and nothing is scored otherwise.

usage: kill_check.py --vmafbatch PATH [--runs 50] [--kills 200] [--seed 1] [--backends cpu,hip-host] [--require-resume] [--keep FOLDER]

Twelve clips (twelve_clips.py) are scored once without a kill. Then --runs times: the same catalogue into a new database, killed with
SIGKILL at random times and started again, --kills times in all, until a run ends by itself. Of each database:
  - `diff` against the unkilled one exits with 0, and so does `verify`; `PRAGMA integrity_check` says ok, also right after each kill;
  - every table has the same rows but for their numbers, times of day, seconds and counters (stored_rows.py);
  - nothing is left beside it: no lock, no WAL.
The log tells how many stored frames were not measured again. With several --backends each start takes the next one.
VMAFBATCH_TEST_MODELS: a folder of model files; then a bootstrap model is scored, too.
Exit code 0 all right, 1 something is wrong, 77 ffmpeg or one of its encoders is missing. Needs only Python's standard library.
"""
import argparse
import glob
import itertools
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import stored_rows  # noqa: E402: as above
import twelve_clips  # noqa: E402: as above
from scratch_folder import scratch_folder  # noqa: E402: as above

EXIT_SKIPPED = 77
RESUMED = re.compile(r"resumed at frame (\d+) \((\d+) frames are stored already")
PARTIAL_EXIT_CODE = 1  # the damaged clip


class Wrong(Exception):
    """What this check found."""


class Check:
    def __init__(self, arguments, folder):
        self.program = os.path.abspath(arguments.vmafbatch)
        self.folder = folder
        self.random = random.Random(arguments.seed)
        self.backends = itertools.cycle(arguments.backends.split(","))
        self.several_backends = "," in arguments.backends
        # Clips of this size are done in milliseconds: a measurement sleeps, so that a kill finds most of them in the middle.
        self.environment = os.environ | {"VMAFBATCH_TEST_MEASURE_DELAY_MS": str(arguments.delay_ms)}
        self.catalogue = twelve_clips.make_catalogue(os.path.join(folder, "clips"), arguments.scale)
        self.kills = 0
        self.resumed_clips = 0
        self.frames_kept = 0

    def start(self, database):
        command = [self.program, "score", self.catalogue, *twelve_clips.feature_arguments(), "--output", database, "--checkpoint", "0.05",
                   "--threads", "4", "--backend", next(self.backends), "--quiet", "--log-file", database + ".log"]
        with open(database + ".err", "a", encoding="utf-8") as said:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, env=self.environment)

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)

    def run_unkilled(self):
        """Scores once; gives its seconds."""
        self.unkilled = os.path.join(self.folder, "unkilled.db")
        start = time.monotonic()
        self.expect_end(self.start(self.unkilled), self.unkilled)
        self.seconds = time.monotonic() - start
        self.expect_clean(self.unkilled)
        self.expected = stored_rows.stored(self.unkilled, not self.several_backends)
        statuses = [what["status"][0] for clip, what in self.expected.items() if clip]
        if sorted(statuses) != ["done"] * 11 + ["partial"]:
            raise Wrong(f"the unkilled run does not end as it should: {statuses}")
        self.expect_sharp_eyes()

    def expect_sharp_eyes(self):
        """The comparison by rows sees what it is there to see."""
        changed = os.path.join(self.folder, "changed.db")
        for sql in ("UPDATE frame_score SET value = -0.0 WHERE value = 0.0", "DELETE FROM warning WHERE id = 1", "DELETE FROM failure",
                    "UPDATE feature_backend SET first_frame = 1",
                    "UPDATE pooled_score SET p99 = p99 * 1.0000000000000003", "INSERT INTO measurement VALUES (1, 0, 0, x'00')",
                    "UPDATE aggregate_score SET value = value + 1", "UPDATE tag SET value = 'other'"):
            shutil.copyfile(self.unkilled, changed)
            connection = sqlite3.connect(changed)
            with connection:
                rows = connection.execute(sql).rowcount
            connection.close()
            if rows == 0 or not stored_rows.differences(self.expected, stored_rows.stored(changed, not self.several_backends)):
                raise Wrong(f"the comparison does not see: {sql}")

    def expect_end(self, process, database):
        code = process.wait(timeout=600)
        if code != PARTIAL_EXIT_CODE:
            with open(database + ".err", encoding="utf-8", errors="replace") as said:
                raise Wrong(f"score ended with {code}, not with {PARTIAL_EXIT_CODE}: {said.read()[-600:]}")

    def expect_clean(self, database):
        verified = self.run("verify", database)
        if verified.returncode != 0:
            raise Wrong(f"verify {database} ended with {verified.returncode}: {verified.stdout.strip()} {verified.stderr.strip()}")
        beside = [path for path in glob.glob(glob.escape(database) + "*") if not path.endswith((".db", ".log", ".err"))]
        if beside:
            raise Wrong(f"left beside the database: {beside}")

    def expect_whole(self, database):
        """Read as another program would, with the WAL that the kill left."""
        if not os.path.exists(database) or os.path.getsize(database) == 0:
            return
        # A kill while the journal's kind changes leaves a rollback journal, which only a writer takes back. Recovery of the database itself
        # stays the next run's work, so a copy is looked at.
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            copy = os.path.join(folder, "copy.db")
            for suffix in ("", "-wal", "-journal"):
                if os.path.exists(database + suffix):
                    shutil.copyfile(database + suffix, copy + suffix)
            connection = sqlite3.connect(copy)
            try:
                said = connection.execute("PRAGMA integrity_check").fetchall()
            finally:
                connection.close()
        if said != [("ok",)]:
            raise Wrong(f"{database}: integrity_check after a kill says {said[:3]}")

    def killed_run(self, number, kills):
        """One database, killed up to `kills` times; gives how often it was."""
        database = os.path.join(self.folder, f"killed_{number}.db")
        killed = 0
        while True:
            process = self.start(database)
            if killed < kills:
                # A run that goes on has less to do: kills come sooner the more of them there are. Some come while the program starts.
                longest = 0.15 if self.random.random() < 0.1 else 1.6 * self.seconds / (kills + 1)
                try:
                    process.wait(timeout=self.random.uniform(0.01, longest))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    if process.returncode == -signal.SIGKILL:
                        killed += 1
                        self.expect_whole(database)
                        continue
            self.expect_end(process, database)
            break
        self.compare(database)
        self.count_resumed(database)
        for path in glob.glob(glob.escape(database) + "*"):
            os.remove(path)
        return killed

    def compare(self, database):
        self.expect_clean(database)
        options = ["--ignore-backend"] if self.several_backends else []
        compared = self.run("diff", self.unkilled, database, *options)
        if compared.returncode != 0:
            raise Wrong(f"diff ended with {compared.returncode}: {compared.stdout[-1500:]} {compared.stderr.strip()}")
        different = stored_rows.differences(self.expected, stored_rows.stored(database, not self.several_backends))
        if different:
            raise Wrong("rows differ:\n  " + "\n  ".join(different[:10]))

    def count_resumed(self, database):
        with open(database + ".log", encoding="utf-8", errors="replace") as log:
            for match in RESUMED.finditer(log.read()):
                self.resumed_clips += 1
                self.frames_kept += int(match.group(2))


def check(arguments, folder):
    checked = Check(arguments, folder)
    checked.run_unkilled()
    number = 0
    kills = 0
    while number < arguments.runs or kills < arguments.kills:
        left = max(1, arguments.runs - number)
        kills += checked.killed_run(number, -(-(arguments.kills - kills) // left))
        number += 1
        if number > 4 * arguments.runs:
            raise Wrong(f"only {kills} of {arguments.kills} kills came before a run's end; is --delay-ms too small?")
    print(f"{number} runs, {kills} kills: every database equals the unkilled one and is whole; {checked.resumed_clips} clips were resumed in "
          f"their middle, {checked.frames_kept} stored frames were not measured again")
    if arguments.require_resume and checked.frames_kept == 0:
        raise Wrong("no clip was resumed in its middle")
    return 0


def main():
    parser = argparse.ArgumentParser(description="Kill runs at random times and compare what they leave.")
    parser.add_argument("--vmafbatch", required=True, help="the program")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--kills", type=int, default=200, help="in all runs together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backends", default="cpu", help="what each start takes in turn, as cpu,hip-host")
    parser.add_argument("--delay-ms", type=int, default=1, help="each measurement sleeps so long")
    parser.add_argument("--scale", type=float, default=1.0, help="how long the clips are")
    parser.add_argument("--require-resume", action="store_true", help="at least one clip must have gone on in its middle")
    parser.add_argument("--keep", help="make the files here and leave them (a new folder)")
    arguments = parser.parse_args()
    if missing := twelve_clips.missing():
        print("skipped:", missing)
        return EXIT_SKIPPED
    try:
        with scratch_folder(arguments.keep, "kill_check_") as folder:
            return check(arguments, folder)
    except Wrong as wrong:
        print("WRONG:", wrong)
        return 1


if __name__ == "__main__":
    sys.exit(main())
