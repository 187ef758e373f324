"""What the tests of the pages share: the program under test, the databases they look at, and a browser that keeps pictures.

    class ReportTest(PageTest):
        def test_...(self): self.browser.open(...)

    if __name__ == "__main__":
        run_tests(__doc__)
"""
import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from made_database import make_database
from webdriver import Browser, missing_programs

EXIT_SKIPPED = 77
CLIPS, FRAMES = 200, 250        # of the made database, with the two that the program scores
REAL_CLIPS = ["real bad frame", "real <b>name</b>"]
REAL_FRAMES, REAL_BAD_FRAME = 12, 7
# Wide enough for every tick and number; the pictures of docs/ are made at this size.
WINDOW = (1280, 900)

settings = argparse.Namespace(vmafbatch=None, pictures=None)


def run_program(*arguments, expected=(0,)):
    """Runs the program under test and gives what it printed."""
    done = subprocess.run([settings.vmafbatch, *arguments], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in expected:
        raise AssertionError(f"vmafbatch {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def write_clip(path, bad_frame=None, distance=0):
    """Twelve frames of 160x90 4:2:0 with a moving pattern; `distance` is added to every sample, and the bad frame is black."""
    width, height = 160, 90
    with open(path, "wb") as file:
        file.write(b"YUV4MPEG2 W160 H90 F25:1 Ip A1:1 C420jpeg\n")
        for frame in range(REAL_FRAMES):
            luma = bytes(16 if frame == bad_frame else 40 + (x * 3 + y * 5 + frame * 8) % 160 + distance
                         for y in range(height) for x in range(width))
            file.write(b"FRAME\n" + luma + bytes([110 + distance]) * (2 * (width // 2) * (height // 2)))


def add_real_clips(folder, database):
    """Two clips that the program itself scores, so that their frames can be decoded again."""
    write_clip(os.path.join(folder, "reference.y4m"))
    write_clip(os.path.join(folder, "bad.y4m"), bad_frame=REAL_BAD_FRAME, distance=1)
    write_clip(os.path.join(folder, "good.y4m"), distance=2)
    catalogue = os.path.join(folder, "catalogue.csv")
    with open(catalogue, "w", encoding="utf-8") as file:
        file.write("reference,distorted,name,tag.codec\n")
        for name, distorted in zip(REAL_CLIPS, ("bad.y4m", "good.y4m")):
            file.write(f"reference.y4m,{distorted},{name},none\n")
    run_program("score", catalogue, "--feature", "psnr", "--no-model", "-o", database)


class PageTest(unittest.TestCase):
    """One browser for the tests of a class. Every test must end without an error on the browser's console."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="vmafbatch_pages_")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.browser = Browser(settings.pictures, *WINDOW)
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def made_database(cls, name="made.db", real=True, **options):
        """A made database; with `real`, the clips that the program scored are among its 200."""
        options.setdefault("clips", CLIPS - len(REAL_CLIPS) if real else CLIPS)
        make_database(cls.path(name), frames=FRAMES, **options)
        if real:
            add_real_clips(cls.folder.name, cls.path(name))
        return cls.path(name)

    def tearDown(self):
        self.assertEqual(self.browser.console_errors(), [])
        self.assertFalse(self.browser.run("return 'attacked' in window"), "a text of the database ran as a script")

    def sql(self, statement, *values, database="made.db"):
        """Rows of a database, by our own connection: what a page must show."""
        connection = sqlite3.connect(f"file:{self.path(database)}?mode=ro", uri=True)
        try:
            return connection.execute(statement, values).fetchall()
        finally:
            connection.close()

    def go(self, fragment, heading=None):
        """Shows a view of the page that is open."""
        self.browser.run("location.hash = arguments[0]", fragment)
        if heading is not None:
            self.browser.wait(lambda: self.browser.text("h1") == heading, f"the heading {heading}")

    def lowest_point(self):
        """Where the curve of the first graph comes lowest, as fractions of the graph's size: found by its colour, the first of the data's."""
        return self.browser.run("""const shown = document.querySelector('.graph canvas'), {width, height} = shown;
            const canvas = Object.assign(document.createElement('canvas'), {width, height});
            const context = canvas.getContext('2d', {willReadFrequently: true});  // without it the browser warns about a second reading
            context.drawImage(shown, 0, 0);
            const data = context.getImageData(0, 0, width, height).data;
            let lowest = [0, 0];
            for (let y = 0; y < height; y++) for (let x = 80; x < width; x++) {
              const at = 4 * (y * width + x);
              if (data[at + 3] > 100 && data[at] < 60 && data[at + 2] > 120 && y > lowest[1]) lowest = [x, y];
            }
            return {x: lowest[0] / width, y: lowest[1] / height};""")

    def table_column(self, column):
        """The texts of one column of the long table, as far as its rows are elements: those in sight and a few more."""
        return self.browser.run("""const heads = [...document.querySelectorAll('.long-table thead th')];
            const place = heads.findIndex((head) => head.dataset.column === arguments[0]);
            return [...document.querySelectorAll('.long-table tbody tr:not(.space)')].map((row) => row.children[place].textContent);""", column)

    def row_of(self, name):
        """The cells of a clip's row by column, after a filter by its name left it in sight."""
        return self.browser.run("""const heads = [...document.querySelectorAll('.long-table thead th')].map((head) => head.dataset.column);
            const rows = [...document.querySelectorAll('.long-table tbody tr:not(.space)')];
            const row = rows.find((one) => one.children[0].textContent === arguments[0]);
            return row ? Object.fromEntries(heads.map((head, i) => [head, row.children[i].textContent])) : null;""", name)

    def rows_found(self):
        """How many rows the table says it has."""
        return self.browser.run("return Number(document.querySelector('.long-table table').getAttribute('aria-rowcount')) - 1")

    def sort_by(self, column):
        self.browser.click(f".long-table th[data-column='{column}'] button")

    def filter(self, **fields):
        """Fills fields of the filter form by their names, and waits for the rows."""
        for name, text in fields.items():
            self.browser.run("""const field = document.querySelector(`.filters [name="${arguments[0]}"]`);
                field.value = arguments[1];
                field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', {bubbles: true}));""", name, text)

    def wait_rows(self, count):
        self.browser.wait(lambda: self.rows_found() == count, f"{count} rows instead of {self.rows_found()}")


class ComparisonPages(PageTest):
    """Two made databases, and what the pages must show of what differs between them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old, cls.new = cls.made_database("old.db", real=False), cls.made_database("new.db", real=False, shift=-2.5)

    def sql(self, statement, *values, database="new.db"):
        return super().sql(statement, *values, database=database)

    def changed_names(self):
        return {name for (name,) in self.sql("""SELECT c.name FROM clip c JOIN scoring s ON s.clip = c.id
            WHERE c.id % 10 = 0 AND s.status IN ('done', 'partial')""")}

    def check_changes_and_curves(self):
        """The list of changes, then the first one's own view."""
        self.browser.wait(lambda: self.browser.find(".outcome.different"), "the outcome")
        self.assertEqual(set(self.table_column("name")), self.changed_names())
        self.assertEqual(set(self.table_column("feature")), {"vmaf"})
        self.assertEqual({text[:5] for text in self.table_column("size")}, {"\u22122.50"[:5]})
        self.assertEqual(self.table_column("changed")[0], str(FRAMES))
        name = self.table_column("name")[0]
        self.browser.picture("comparison")
        self.browser.run("document.querySelector('.long-table tbody tr[tabindex=\"0\"]').focus()")
        self.browser.press("Enter")
        self.browser.wait(lambda: self.browser.text("h1") == name, "the change's view")
        self.assertEqual(self.browser.texts(".frame-graph strong"), ["vmaf", "vmaf: new \u2212 old"])
        self.browser.run("document.querySelector('.graph').focus()")
        self.browser.press("Right", "Right")
        values = self.browser.texts(".frame-graph .value")
        frame = int(self.browser.text(".place").split()[1])
        new, = self.sql("SELECT value FROM frame_features WHERE feature = 'vmaf' AND clip = ? AND frame = ?", name, frame)[0]
        old, = self.sql("SELECT value FROM frame_features WHERE feature = 'vmaf' AND clip = ? AND frame = ?", name, frame, database="old.db")[0]
        self.assertEqual(values, [f"old {shown(old)}   new {shown(new)}", shown(new - old)])
        self.browser.picture("change")


class Server:
    """`vmafbatch serve` on a free port, as a context."""

    def __init__(self, *databases):
        self._process = subprocess.Popen([settings.vmafbatch, "serve", *databases, "--port", "0"],
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if not found:
            self._process.kill()
            raise AssertionError(f"serve did not print its address but: {line}{self._process.stdout.read()}")
        self.address = found.group(0)

    def close(self):
        self._process.terminate()
        self._process.wait(30)
        self._process.stdout.close()


def shown(value, decimals=3):
    """A score as the pages write it."""
    return f"{value:.{decimals}f}".replace("-", "\u2212")


def run_tests(documentation):
    parser = argparse.ArgumentParser(description=documentation)
    parser.add_argument("--vmafbatch", required=True, help="the program")
    parser.add_argument("--pictures", help="the folder that screenshots are kept in")
    parser.add_argument("tests", nargs="*", help="names of tests, Class.test_name; default: all")
    arguments = parser.parse_args(namespace=settings)
    if missing_programs():
        text = f"{', '.join(missing_programs())} not found; scripts/install-packages.sh --tests installs the browser"
        if os.environ.get("VMAFBATCH_BROWSER") == "required":
            sys.exit(f"FAILED: {text}")
        print(f"skipped: {text}")
        sys.exit(EXIT_SKIPPED)
    unittest.main(argv=[sys.argv[0], *arguments.tests], verbosity=2)
