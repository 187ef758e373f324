#!/usr/bin/env python3
"""How large a report is, how long it takes to write, and how soon a browser shows it.

usage: report_view.py --vmafbatch PROGRAM [--clips 1000] [--frames 3000] [--database FILE]

Makes a database of made values (tests/browser/made_database.py; minutes and 400 MB for the default), or takes one that is there, writes the
report three times and opens it three times from disk in headless Chromium. "First view": from the start of loading to the summary being drawn.
Prints the best of three. Needs chromium and chromium-driver.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "browser"))
from made_database import make_database  # noqa: E402: the folder must be on the path first
from webdriver import Browser  # noqa: E402: as above

TIMES = 3


def write_report(program, database, report):
    start = time.monotonic()
    subprocess.run([program, "report", database, "-o", report], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def view_times(report):
    """Seconds to the first view, to the end of loading, and from there to the catalogue and to one clip with its curves."""
    with Browser() as browser:
        browser.open(f"file://{report}")
        browser.wait(lambda: browser.run("return document.readyState === 'complete'"), "the page", 120)
        first, loaded = browser.run("""return [performance.getEntriesByName('first view')[0].startTime,
                                               performance.getEntriesByType('navigation')[0].domComplete]""")
        times = [first / 1000, loaded / 1000]
        clip = browser.run("return JSON.parse(document.getElementById('data-clips').textContent).clips[0].id")
        for fragment, selector in (("#clips", ".long-table tbody tr"), (f"#clip/{clip}", ".graph canvas")):
            milliseconds = browser.run("""const start = performance.now(); location.hash = arguments[0];
                return new Promise((resolve) => { const look = () => (document.querySelector(arguments[1])
                  ? requestAnimationFrame(() => resolve(performance.now() - start)) : setTimeout(look, 1)); look(); });""", fragment, selector)
            times.append(milliseconds / 1000)
        return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vmafbatch", required=True)
    parser.add_argument("--clips", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=3000)
    parser.add_argument("--database", help="a database that is there, or the place for a new one")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="report_view_") as folder:
        database = os.path.abspath(arguments.database or os.path.join(folder, "made.db"))
        report = os.path.join(folder, "report.html")
        if not os.path.exists(database):
            make_database(database, arguments.clips, arguments.frames)
        written = min(write_report(arguments.vmafbatch, database, report) for _ in range(TIMES))
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        first, loaded, catalogue, clip = (min(times) for times in zip(*[view_times(report) for _ in range(TIMES)]))
        sizes = [os.path.getsize(path) / 1e6 for path in (database, report)]
        print(f"database {sizes[0]:.0f} MB, report {sizes[1]:.1f} MB, written in {written:.1f} s with {memory:.0f} MiB")
        print(f"first view {first:.2f} s, loaded {loaded:.2f} s, then the catalogue in {catalogue:.2f} s and a clip in {clip:.2f} s")


if __name__ == "__main__":
    main()
