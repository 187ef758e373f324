#!/usr/bin/env python3
"""Make faults happen to runs of one catalogue, and see what they say and what they leave.

usage: faults_check.py --vmafbatch PATH [--clock-jump LIBRARY] [--only NAME] [--keep FOLDER]

Each fault is a function below, and a line of docs/reliability.md: a full disk, two processes, a slow reader, a clock that jumps, a folder
that is removed, a catalogue that is edited, signals, an output that nobody reads. After it the same command is run again where that
makes sense, and the database must have the rows of a run to which nothing happened (stored_rows.py).
What the user saw is printed. --clock-jump: the built test library clock_jump; without it that fault is left out, and said so.
Exit code 0 all right, 1 something is wrong, 77 ffmpeg or one of its encoders is missing. Needs only Python's standard library.
"""
import argparse
import contextlib
import csv
import glob
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import stored_rows  # noqa: E402: as above
import twelve_clips  # noqa: E402: as above
from scratch_folder import scratch_folder  # noqa: E402: as above

EXIT_SKIPPED = 77
EXIT_PARTIAL, EXIT_ERROR, EXIT_INTERRUPTED = 1, 2, 130  # partial: the catalogue's damaged clip
FEATURES = ["psnr=enable_mse=true:enable_apsnr=true", "motion", "float_ssim", "speed_temporal"]


class Wrong(Exception):
    """What this check found."""


class Skipped(Exception):
    """Why a fault cannot be made to happen here."""


def expect(condition, sentence):
    if not condition:
        raise Wrong(sentence)


class Run:
    """The program on its way; what it says lies in a file."""

    def __init__(self, faults, database, catalogue=None, delay_ms=2, options=(), environment=(), **popen):
        self.database = database
        self.said_path = os.path.join(faults.folder, "said")
        command = [faults.program, "score", catalogue or faults.catalogue, *faults.features, "--no-model", "--backend", "cpu", "--threads", "2",
                   "--checkpoint", "0.05", "--output", database, *options]
        with open(self.said_path, "wb") as said:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **{"stderr": said} | popen,
                                            env=os.environ | {"VMAFBATCH_TEST_MEASURE_DELAY_MS": str(delay_ms)} | dict(environment))

    def end(self, code, *words):
        """Waits; the exit code, and what must be said. Gives what was said."""
        try:
            ended = self.process.wait(timeout=300)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Wrong(f"the run hangs: {self.said()}") from None
        said = self.said()
        expect(ended == code, f"ended with {ended}, not {code}: {said}")
        for word in words:
            expect(word in said, f"does not say {word!r}: {said}")
        return said

    def said(self):
        with open(self.said_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for_frames(self):
        """Until frames are stored."""
        for _ in range(3000):
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as reader:
                if reader.execute("SELECT EXISTS (SELECT 1 FROM frame_score)").fetchone()[0]:
                    return self
            expect(self.process.poll() is None, f"ended before it stored a frame: {self.said()}")
            time.sleep(0.01)
        raise Wrong("no frame was stored")


class Faults:
    def __init__(self, arguments, folder):
        self.program = os.path.abspath(arguments.vmafbatch)
        self.clock_jump = arguments.clock_jump and os.path.abspath(arguments.clock_jump)
        self.folder = folder
        self.features = [word for feature in FEATURES for word in ("--feature", feature)]
        self.catalogue = twelve_clips.make_catalogue(os.path.join(folder, "clips"), 0.5)
        self.untouched = os.path.join(folder, "untouched.db")
        Run(self, self.untouched, delay_ms=0).end(EXIT_PARTIAL)
        self.expected = stored_rows.stored(self.untouched, True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, *arguments):
        done = subprocess.run([self.program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
        return done.returncode, done.stdout + done.stderr

    def expect_equal(self, database, left_beside=()):
        """The rows of the untouched run, a clean bill from `verify`, and nothing beside the database."""
        different = stored_rows.differences(self.expected, stored_rows.stored(database, True))
        expect(not different, "rows differ:\n  " + "\n  ".join(different[:10]))
        for command in (("verify", database), ("diff", self.untouched, database)):
            code, said = self.call(*command)
            expect(code == 0, f"{command[0]} ended with {code}: {said}")
        beside = {path[len(database):] for path in glob.glob(glob.escape(database) + "?*")}
        expect(beside == set(left_beside), f"beside the database lie {beside}, not {set(left_beside)}")

    def go_on(self, database):
        """The same command again, and the rows must be those of a run to which nothing happened."""
        said = Run(self, database, delay_ms=0).end(EXIT_PARTIAL)
        self.expect_equal(database)
        return said

    # -- The faults. Each gives what the user saw. -----------------------------------------------------------------------------------

    def full_disk(self):
        place = self.path("small")
        os.makedirs(place)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "none", place], capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            raise Skipped(f"a small file system cannot be mounted here ({mounted.stderr.strip()})")
        try:
            database = os.path.join(place, "x.db")
            said = Run(self, database).end(EXIT_ERROR, "the disk is full (", f"are free at {place})", "at least", "are missing")
            with contextlib.closing(sqlite3.connect(database)) as connection:
                expect(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the database is not whole")
                kept = connection.execute("SELECT count(*) FROM frame_score").fetchone()[0]
            expect(kept > 0, "nothing was kept")
            again = Run(self, database).end(EXIT_ERROR, "full")
            grown = subprocess.run(["mount", "-o", "remount,size=64m", place], capture_output=True, text=True, check=False)
            expect(grown.returncode == 0, grown.stderr)
            self.go_on(database)
            return f"{said}(again without room:) {again}"
        finally:
            subprocess.run(["umount", place], check=False)

    def two_processes(self):
        database = self.path("two.db")
        first = Run(self, database).wait_for_frames()
        code, said = self.call("score", self.catalogue, "--feature", "psnr", "--no-model", "--output", database)
        expect(code == EXIT_ERROR, f"the second process ended with {code}: {said}")
        holder = rf"is being written by process {first.process.pid} on host {re.escape(socket.gethostname())}, since \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
        expect(re.search(holder, said), f"does not say who holds it: {said}")
        first.end(EXIT_PARTIAL)
        self.expect_equal(database)
        return said

    def slow_reader(self):
        database = self.path("reader.db")
        run = Run(self, database).wait_for_frames()
        reader = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        seen = reader.execute("SELECT count(*) FROM frame_score").fetchone()[0]
        said = run.end(EXIT_PARTIAL, "another program is reading the database, so ")
        expect(reader.execute("SELECT count(*) FROM frame_score").fetchone()[0] == seen, "the reader's view moved")
        self.expect_equal(database, left_beside={"-wal", "-shm"})
        reader.close()
        self.go_on(database)  # and makes it a single file again
        return said

    def clock_that_jumps(self):
        if not self.clock_jump:
            raise Skipped("--clock-jump is not given")
        database = self.path("clock.db")
        jump = {"LD_PRELOAD": self.clock_jump}
        Run(self, database, environment=jump).wait_for_frames().process.kill()
        time.sleep(0.2)
        Run(self, database, environment=jump).end(EXIT_PARTIAL)
        with contextlib.closing(sqlite3.connect(database)) as connection:
            backwards = connection.execute("SELECT count(*) FROM scoring WHERE started_at > ended_at").fetchone()[0]
            seconds = connection.execute("SELECT min(seconds), max(seconds) FROM scoring").fetchone()
        expect(backwards > 0, "the clock did not jump")
        expect(seconds[0] >= 0 and seconds[1] < 300, f"seconds of a clip: {seconds}")
        self.expect_equal(database)
        return f"{backwards} scorings end before they started, by their times of day; their seconds are {seconds[0]:.2f} to {seconds[1]:.2f}"

    def file_from_the_future(self):
        folder = self.path("future")
        shutil.copytree(os.path.dirname(self.catalogue), folder)
        later = time.time() + 20 * 365 * 86400
        for path in glob.glob(os.path.join(folder, "*")):
            os.utime(path, (later, later))
        catalogue, database = os.path.join(folder, "catalogue.csv"), self.path("future.db")
        Run(self, database, catalogue, delay_ms=0).end(EXIT_PARTIAL, "11 done, 1 partial")
        said = Run(self, database, catalogue, delay_ms=0).end(EXIT_PARTIAL, "0 done, 12 kept from before")
        expect(self.call("verify", database)[0] == 0, "verify finds something")
        return said

    def folder_removed(self):
        folder = self.path("removed")
        os.makedirs(folder)
        database = os.path.join(folder, "x.db")
        run = Run(self, database).wait_for_frames()
        shutil.rmtree(folder)
        said = run.end(EXIT_ERROR, "was moved or deleted while it was written")
        again = Run(self, database).end(EXIT_ERROR, "its folder does not exist")
        os.makedirs(folder)
        self.go_on(database)
        return f"{said}(again:) {again}"

    def database_moved(self):
        database, elsewhere = self.path("moved.db"), self.path("elsewhere.db")
        run = Run(self, database).wait_for_frames()
        os.rename(database, elsewhere)
        said = run.end(EXIT_ERROR, "was moved or deleted while it was written")
        for rest in glob.glob(database + "*"):
            os.rename(rest, elsewhere + rest[len(database):])
        self.go_on(elsewhere)
        return said

    def catalogue_edited(self):
        folder = os.path.dirname(self.catalogue)
        with open(self.catalogue, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        edited = os.path.join(folder, "edited.csv")

        def write(some):
            with open(edited, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, twelve_clips.COLUMNS)
                writer.writeheader()
                writer.writerows(some)

        database = self.path("edited.db")
        write(rows[:4] + rows[6:])
        run = Run(self, database, edited).wait_for_frames()
        run.process.send_signal(signal.SIGTERM)
        run.end(EXIT_INTERRUPTED)
        write(rows[1:6])  # rows removed, rows added
        Run(self, database, edited, delay_ms=0).end(0)
        write(rows)
        Run(self, database, edited, delay_ms=0).end(EXIT_PARTIAL)
        self.expect_equal(database)
        said = Run(self, database, edited, options=["--feature", "ssim"]).end(
            EXIT_ERROR, "was scored under no label with other options or models; give this scoring another --label")
        Run(self, database, edited, delay_ms=0, options=["--feature", "ssim", "--label", "ssim"]).end(EXIT_PARTIAL)
        return said

    def stopped_and_continued(self):
        database = self.path("stopped.db")
        run = Run(self, database).wait_for_frames()
        run.process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        code, said = self.call("score", self.catalogue, "--output", database)
        expect(code == EXIT_ERROR and "is being written by" in said, f"a stopped process does not hold its database: {said}")
        code, told = self.call("query", database, "SELECT count(*) FROM frame_score")
        expect(code == 0, f"cannot be read while its writer is stopped: {told}")
        run.process.send_signal(signal.SIGCONT)
        said = run.end(EXIT_PARTIAL)
        self.expect_equal(database)
        return said

    def stopped_for_longer_than_a_clip_may_take(self):
        database = self.path("stopped_long.db")
        run = Run(self, database, options=["--clip-timeout", "5"]).wait_for_frames()
        run.process.send_signal(signal.SIGSTOP)
        time.sleep(7)
        run.process.send_signal(signal.SIGCONT)
        said = run.end(EXIT_PARTIAL)
        expect("--clip-timeout" not in said, f"time in which the process was stopped counts: {said}")
        self.expect_equal(database)
        return said

    def asked_to_stop(self):
        shown = ""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            database = self.path(f"{number.name}.db")
            run = Run(self, database, options=["--log-file", self.path("stop.log")]).wait_for_frames()
            run.process.send_signal(number)
            shown = run.end(EXIT_INTERRUPTED, "stopping: frames in flight are finished and stored; once more ends at once",
                            "stopped; what was scored is stored, run the same command again to go on", " unfinished")
            self.go_on(database)
        return shown

    def asked_twice(self):
        said = ""
        for number in (signal.SIGINT, signal.SIGTERM):
            database = self.path(f"twice_{number.name}.db")
            run = Run(self, database, delay_ms=300).wait_for_frames()  # slow enough for a second signal
            run.process.send_signal(number)
            while "stopping: " not in run.said() and run.process.poll() is None:
                time.sleep(0.01)
            run.process.send_signal(number)
            said = run.end(-number, "ended at once: what came after the last checkpoint may be lost; the same command goes on from there")
            self.go_on(database)
        return said

    def terminal_gone(self):
        """SIGHUP comes from the shell and from the kernel: twice."""
        database = self.path("hangup.db")
        run = Run(self, database, delay_ms=100).wait_for_frames()
        run.process.send_signal(signal.SIGHUP)
        time.sleep(0.05)
        run.process.send_signal(signal.SIGHUP)
        said = run.end(EXIT_INTERRUPTED)
        self.go_on(database)
        return said

    def started_with_signals_ignored(self):
        """nohup, and a shell script's "&"."""
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)

        database = self.path("ignored.db")
        run = Run(self, database, preexec_fn=ignore).wait_for_frames()
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGINT, signal.SIGHUP):
            run.process.send_signal(number)
        said = run.end(EXIT_PARTIAL)
        expect("stopping" not in said, f"an ignored signal stopped the run: {said}")
        self.expect_equal(database)
        return said

    def nobody_reads(self):
        """A pipe whose reader has gone, and a log and messages on a full disk."""
        database = self.path("pipe.db")
        run = Run(self, database, stderr=subprocess.PIPE)
        run.process.stderr.close()
        expect(run.process.wait(timeout=300) == EXIT_PARTIAL, f"ended with {run.process.returncode} because nobody read its messages")
        self.expect_equal(database)
        if not os.path.exists("/dev/full"):
            raise Skipped("there is no /dev/full")
        database = self.path("full_messages.db")
        with open("/dev/full", "wb") as full:
            Run(self, database, stderr=full).end(EXIT_PARTIAL)
        self.expect_equal(database)
        database = self.path("full_log.db")
        said = Run(self, database, options=["--log-file", "/dev/full"]).end(EXIT_PARTIAL, "lines of the log are lost")
        expect(said.count("lines of the log are lost") == 1, f"told more than once: {said}")
        self.expect_equal(database)
        return said

    FAULTS = (full_disk, two_processes, slow_reader, clock_that_jumps, file_from_the_future, folder_removed, database_moved, catalogue_edited,
              stopped_and_continued, stopped_for_longer_than_a_clip_may_take, asked_to_stop, asked_twice, terminal_gone, started_with_signals_ignored, nobody_reads)


def check(arguments, folder):
    faults = Faults(arguments, folder)
    wrong = 0
    for fault in Faults.FAULTS:
        name = fault.__name__.replace("_", " ")
        if arguments.only and arguments.only not in fault.__name__:
            continue
        try:
            said = fault(faults)
            print(f"{name}: as it should be. Said:\n    " + "\n    ".join(line for line in said.splitlines() if line.strip()))
        except Skipped as skipped:
            print(f"{name}: LEFT OUT: {skipped}")
        except Wrong as found:
            wrong += 1
            print(f"{name}: WRONG: {found}")
    return 0 if wrong == 0 else 1


def main():
    parser = argparse.ArgumentParser(description="Make faults happen to runs.")
    parser.add_argument("--vmafbatch", required=True, help="the program")
    parser.add_argument("--clock-jump", help="the built test library clock_jump")
    parser.add_argument("--only", help="faults whose name has this")
    parser.add_argument("--keep", help="make the files here and leave them (a new folder)")
    arguments = parser.parse_args()
    if missing := twelve_clips.missing():
        print("skipped:", missing)
        return EXIT_SKIPPED
    with scratch_folder(arguments.keep, "faults_check_") as folder:
        return check(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
