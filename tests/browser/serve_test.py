#!/usr/bin/env python3
"""The pages that `vmafbatch serve` gives, in a browser: the same views by documents from the server, SQL, and a run that is going on.

usage: serve_test.py --vmafbatch PROGRAM [--pictures FOLDER] [Class.test ...]
"""
import fcntl
import os
import shutil
import sqlite3

from made_database import HOSTILE_NAMES, Maker, RUNNING_CLIP
from page_tests import CLIPS, ComparisonPages, PageTest, REAL_BAD_FRAME, REAL_CLIPS, Server, run_tests, shown

LONG_FRAMES, LONG_BAD_FRAME = 30_000, 17_321


class Served(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.made_database()
        cls.server = Server(cls.database)
        cls.addClassCleanup(cls.server.close)

    def open(self, fragment="", heading=None):
        self.browser.open("about:blank")
        self.browser.open(self.server.address + fragment)
        self.browser.wait(lambda: self.browser.find("main h1"), "a view")
        if heading is not None:
            self.assertEqual(self.browser.text("h1"), heading)

    def id_of(self, name):
        return self.sql("SELECT s.id FROM scoring s JOIN clip c ON c.id = s.clip WHERE c.name = ?", name)[0][0]

    def run_sql(self, text):
        self.browser.type("textarea[name='sql']", text)
        self.browser.click("button[name='run']")
        self.browser.wait(lambda: self.browser.text(".found") != "Running …", "an answer")

    def test_views_show_what_the_database_holds(self):
        self.open()
        self.assertEqual(self.browser.texts("nav a"), ["Summary", "Clips", "Ladders", "SQL"])
        done, = self.sql("SELECT count(*) FROM scoring WHERE status = 'done'")[0]
        self.assertTrue(self.browser.text(".state").endswith(f": {done} of {CLIPS} clips done"), self.browser.text(".state"))
        self.go("#clips", "Clips")
        self.wait_rows(CLIPS)
        self.sort_by("min")
        expected = [name for (name,) in self.sql("SELECT clip FROM clip_scores WHERE feature = 'vmaf' ORDER BY min, clip LIMIT 5")]
        self.assertEqual(self.table_column("name")[:5], expected)
        self.filter(text="title_004")
        self.wait_rows(8)
        for name, mean in self.sql("SELECT clip, mean FROM clip_scores WHERE feature = 'vmaf' AND clip LIKE 'title\\_004%' ESCAPE '\\'"):
            self.assertEqual(self.row_of(name)["mean"], shown(mean))
        self.go("#ladders", "Ladders")
        self.assertTrue(self.browser.find(".bd-rate"))

    def test_hostile_names_are_shown_and_not_run(self):
        for name in HOSTILE_NAMES:
            self.open(f"#clip/{self.id_of(name)}", name)
        self.assertEqual(self.browser.find("main img, main script"), [])

    def test_the_policy_stops_scripts_that_are_not_the_servers(self):
        self.open()
        self.browser.run("""const script = document.createElement('script');
            script.textContent = 'window.attacked = true';
            document.body.append(script);""")
        refused = self.browser.console_errors()
        self.assertTrue(refused and all("Content Security Policy" in text for text in refused), refused)

    def test_worst_frames_are_made_on_request(self):
        name = REAL_CLIPS[0]
        self.open(f"#clip/{self.id_of(name)}", name)
        self.assertEqual(self.browser.texts(".worst tbody tr:first-child td")[0], str(REAL_BAD_FRAME))
        self.browser.click(".worst tbody tr:first-child button:nth-child(2)")
        loaded = """const image = document.querySelector(`.pictures figure[data-frame="${arguments[0]}"] img`);
            return image && image.complete && image.naturalWidth"""
        self.browser.wait(lambda: self.browser.run(loaded, REAL_BAD_FRAME), "the worst frame's picture")
        self.browser.type("input[name='frame']", "3")
        self.browser.click(".any-frame button")
        self.browser.wait(lambda: self.browser.run(loaded, 3), "another frame's picture")

    def test_a_picture_that_cannot_be_made_says_why(self):
        self.open("#clip/1")
        self.browser.wait(lambda: self.browser.find(".worst tbody tr"), "the worst frames")
        self.browser.click(".worst tbody tr:first-child button:nth-child(2)")
        self.browser.wait(lambda: self.browser.find(".picture .error"), "the reason")
        path, = self.sql("SELECT reference_path FROM scoring WHERE id = 1")[0]
        self.assertTrue(self.browser.text(".picture .error").startswith(f"No picture: {path}: "), self.browser.text(".picture .error"))
        self.assertTrue(all("api/picture" in text for text in self.browser.console_errors()))
        asked = self.browser.run("return performance.getEntriesByType('resource').filter((one) => one.name.includes('api/picture')).length")
        self.assertEqual(asked, 1, "a picture that takes long to fail is asked for once")

    def test_sql_shows_a_table_a_chart_and_csv(self):
        self.open("#sql", "SQL")
        statement = "SELECT clip, mean, p5 FROM clip_scores WHERE feature = 'vmaf' ORDER BY mean DESC LIMIT 40"
        self.run_sql(statement)
        rows = self.sql(statement)
        self.assertTrue(self.browser.text(".found").startswith("40 rows"))
        self.assertEqual(self.table_column("column 0")[:5], [row[0] for row in rows[:5]])
        self.assertEqual([float(text) for text in self.table_column("column 1")[:5]], [row[1] for row in rows[:5]])
        self.assertEqual(len(self.browser.find(".sql-chart .chart title")), 40)
        self.browser.picture("sql")
        self.browser.click("button[name='csv']")
        file = os.path.join(self.browser.downloads, "result.csv")
        self.browser.wait(lambda: os.path.exists(file), "the CSV file")
        with open(file, encoding="utf-8") as csv:
            lines = csv.read().splitlines()
        self.assertEqual(lines[0], "clip,mean,p5")
        self.assertEqual(len(lines), 41)

    def test_sql_that_is_wrong_or_writes_is_refused_with_a_sentence(self):
        self.open("#sql", "SQL")
        for statement in ("SELECT nothing FROM nowhere", "DELETE FROM clip", "ATTACH 'x.db' AS x", "SELECT 1; SELECT 2"):
            self.run_sql(statement)
            self.assertTrue(self.browser.find(".found.error"), statement)
            self.assertTrue(self.browser.text(".found"), statement)
            if "ATTACH" in statement:
                self.assertIn("only SELECT over the tables and views", self.browser.text(".found"))
            # the browser itself notes the status 400
            self.assertTrue(all("api/sql" in text for text in self.browser.console_errors()))
        self.assertEqual(self.sql("SELECT count(*) FROM clip")[0][0], CLIPS)

    def test_every_example_of_the_console_runs(self):
        self.open("#sql", "SQL")
        for example in self.browser.texts("select[name='example'] option")[1:]:
            self.browser.choose("select[name='example']", example)
            self.browser.press("Escape")
            self.browser.click("button[name='run']")
            self.browser.wait(lambda: "row" in self.browser.text(".found"), example)
            self.assertFalse(self.browser.find(".found.error"), example)

    def test_a_clip_that_is_not_there_is_said_to_be_so(self):
        self.open("#clip/999999", "This view cannot be shown")
        self.assertTrue(all("api/clip" in text for text in self.browser.console_errors()))


def write(database, *statements):
    """Changes a database, as another process does."""
    connection = sqlite3.connect(database)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def hold_lock(database):
    """The lock of a run that writes, until the file that is returned is closed: with it a server says `live`, and pages ask often."""
    lock = open(f"{database}.lock", "a", encoding="utf-8")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


class LongClip(PageTest):
    """A clip with many more frames than a graph has points."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        maker = Maker(cls.path("made.db"), LONG_FRAMES, features=1)
        maker.clip(1, "long", "long", "av1", 4_000_000)
        maker.database.execute("UPDATE frame_score SET value = 0.0 WHERE frame = ?", (LONG_BAD_FRAME,))
        maker.close()
        cls.server = Server(cls.path("made.db"))
        cls.addClassCleanup(cls.server.close)

    def test_zoom_fetches_the_exact_frames(self):
        self.browser.open(f"{self.server.address}#clip/1")
        self.browser.wait(lambda: self.browser.find(".graph canvas"), "the graph")
        self.browser.run("document.querySelector('.graph').focus()")
        self.browser.press("Right")
        self.assertTrue(self.browser.text(".place").startswith("frames 0 to "), self.browser.text(".place"))
        self.browser.picture("long_clip")
        self.browser.click(".worst tbody tr:first-child button")
        self.browser.wait(lambda: self.browser.find(".graph[data-exact='true']"), "exact frames")
        self.browser.run("document.querySelector('.graph').focus()")
        for key, frame in (("Escape", None), ("Right", LONG_BAD_FRAME - 50), ("Right", LONG_BAD_FRAME - 49)):
            self.browser.press(key)
            if frame is not None:
                self.assertTrue(self.browser.text(".place").startswith(f"frame {frame:,}".replace(",", "\u202f")), self.browser.text(".place"))
                value, = self.sql("SELECT value FROM frame_score WHERE frame = ?", frame)[0]
                self.assertEqual(self.browser.texts(".frame-graph .value"), [shown(value)])
        self.browser.picture("long_clip_zoomed")

    def shown_frames(self, first, last):
        """Types a window into the toolbar."""
        self.browser.run("""const [first, last] = document.querySelectorAll('.frame-number');
            [first.value, last.value] = arguments;
            last.dispatchEvent(new Event('change'));""", first, last)

    def check_bad_frame_is_drawn(self):
        self.browser.wait(lambda: self.browser.find(".graph[data-exact='false']"), "the envelope alone")
        place = self.lowest_point()
        self.assertGreater(place["y"], 0.7)
        self.assertAlmostEqual(place["x"], 0.06 + 0.94 * LONG_BAD_FRAME / LONG_FRAMES, delta=0.05)

    def test_the_bad_frame_is_drawn_after_a_zoom_beside_it(self):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}#clip/1")
        self.browser.wait(lambda: self.browser.find(".graph canvas"), "the graph")
        for key in ("button", "0"):
            # the window ends or begins inside the bad frame's stretch
            for first, last in ((LONG_BAD_FRAME + 1, LONG_BAD_FRAME + 900), (LONG_BAD_FRAME - 900, LONG_BAD_FRAME - 1)):
                self.shown_frames(first, last)
                self.browser.wait(lambda: self.browser.find(".graph[data-exact='true']"), "exact frames")
                if key == "button":
                    self.browser.click(".toolbar button")
                else:
                    self.browser.run("document.querySelector('.graph').focus()")
                    self.browser.press(key)
                self.check_bad_frame_is_drawn()

    def test_a_wider_window_over_a_detail_shows_the_bad_frame_too(self):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}#clip/1")
        self.browser.wait(lambda: self.browser.find(".graph canvas"), "the graph")
        self.shown_frames(LONG_BAD_FRAME + 1, LONG_BAD_FRAME + 2000)
        self.browser.wait(lambda: self.browser.find(".graph[data-exact='true']"), "exact frames")
        self.shown_frames(LONG_BAD_FRAME - 10_000, LONG_BAD_FRAME + 10_000)
        self.assertGreater(self.lowest_point()["y"], 0.7)


class Compared(ComparisonPages):
    """`serve OLD NEW`."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server(cls.old, cls.new)
        cls.addClassCleanup(cls.server.close)

    def test_the_new_sides_pages_and_what_changed(self):
        self.browser.open(self.server.address)
        self.browser.wait(lambda: self.browser.text("h1") == "new.db", "the new side's summary")
        self.assertEqual(self.browser.texts("nav a"), ["Summary", "Clips", "Ladders", "Comparison", "SQL"])
        self.go("#clips", "Clips")
        self.wait_rows(CLIPS)
        self.go("#comparison")
        self.check_changes_and_curves()
        name = self.browser.text("h1")
        self.browser.click("main a[href^='#clip/']")
        self.browser.wait(lambda: self.browser.find(".clip-status"), "the clip in the new database")
        self.assertEqual(self.browser.text("h1"), name)

    def test_a_change_of_either_side_is_shown(self):
        changed = len(self.changed_names())
        self.browser.open(self.server.address + "#comparison")
        self.browser.wait(lambda: self.browser.find(".long-table tbody tr"), "the changes")
        self.wait_rows(changed)
        write(self.old, "UPDATE frame_score SET value = value + 40 WHERE scoring_feature = 100 AND frame = 3")
        self.browser.wait(lambda: self.rows_found() == changed + 1, "one more change", 30)
        write(self.old, "UPDATE frame_score SET value = value - 40 WHERE scoring_feature = 100 AND frame = 3")


class ComparedLive(ComparisonPages):
    """`serve OLD NEW` while a run writes: the page of one change."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.addClassCleanup(hold_lock(cls.new).close)
        cls.server = Server(cls.old, cls.new)
        cls.addClassCleanup(cls.server.close)

    def test_a_changes_page_follows_both_sides(self):
        clip, name = self.sql("""SELECT c.id, c.name FROM clip c JOIN scoring s ON s.clip = c.id
            WHERE c.id % 10 = 0 AND s.id = c.id AND s.status = 'done' ORDER BY c.id LIMIT 1""")[0]
        self.browser.open(f"{self.server.address}#change/{clip}-{clip}")
        self.browser.wait(lambda: self.browser.find(".graph canvas"), "the curves")
        self.browser.run("document.querySelector('.graph').marked = 'the same graph'")
        largest = lambda: self.browser.texts(".change tbody tr:first-child td")[2:3]
        self.assertNotEqual(largest(), ["3"])
        write(self.old, f"UPDATE frame_score SET value = value - 60 WHERE scoring_feature = {clip * 100} AND frame = 3")
        self.browser.wait(lambda: largest() == ["3"], "the largest change's new place", 40)
        self.assertIn("at frame 3", self.browser.run("return document.querySelector('.graph').getAttribute('aria-label')"))
        self.assertEqual(self.browser.run("return document.querySelector('.graph').marked"), "the same graph")
        write(self.new, f"UPDATE scoring_feature SET scoring = 5000 WHERE scoring = {clip}", f"UPDATE scoring SET id = 5000 WHERE id = {clip}")
        self.browser.wait(lambda: self.browser.run("return location.hash") == f"#change/{clip}-5000", "the new scoring's address", 40)
        self.assertEqual(self.browser.text("h1"), name)
        for database in (self.old, self.new):
            write(database, f"DELETE FROM scoring WHERE clip = {clip}", f"DELETE FROM clip WHERE id = {clip}")
        self.browser.wait(lambda: "no longer differ" in self.browser.text(".change"), "that nothing differs any more", 40)


class Replaced(PageTest):
    """Another database in the place of the one that is served."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old = cls.made_database("served.db", real=False, clips=16)
        cls.few = cls.made_database("few.db", real=False, clips=8, features=2)
        cls.same = cls.made_database("same.db", real=False, clips=16)
        write(cls.few, "UPDATE clip SET name = 'another ' || id")
        write(cls.same, "UPDATE frame_score SET value = 1.5 WHERE scoring_feature = 300 AND frame = 5")
        cls.addClassCleanup(hold_lock(cls.path("now.db")).close)

    def setUp(self):
        shutil.copy(self.old, self.path("copy.db"))
        os.replace(self.path("copy.db"), self.path("now.db"))
        self.server = Server(self.path("now.db"))
        self.addCleanup(self.server.close)
        self.browser.open("about:blank")

    def replace(self, database):
        shutil.copy(database, self.path("copy.db"))
        os.replace(self.path("copy.db"), self.path("now.db"))

    def test_the_catalogue_of_a_database_with_fewer_features_is_shown(self):
        self.browser.open(self.server.address + "#clips")
        self.browser.wait(lambda: self.browser.find(".long-table tbody tr"), "the catalogue")
        self.browser.choose("select[name='feature']", "float_ssim")
        self.replace(self.few)
        self.browser.wait(lambda: "another 1" in self.table_column("name"), "the other database's clips", 30)
        self.assertEqual(self.browser.texts("select[name='feature'] option"), ["vmaf", "psnr_y", "apsnr_y"])
        self.assertNotIn("TypeError", self.browser.text(".state"))

    def test_a_finished_clips_page_follows_too(self):
        self.browser.open(self.server.address + "#clip/3")
        self.browser.wait(lambda: self.browser.find(".graph canvas"), "the graph")
        self.assertNotEqual(self.browser.texts(".worst tbody tr:first-child td")[0], "5")
        self.replace(self.same)
        self.browser.wait(lambda: self.browser.texts(".worst tbody tr:first-child td")[0] == "5", "the other database's worst frame", 30)
        self.replace(self.few)
        self.browser.wait(lambda: self.browser.text("h1") == "another 3", "the other clip", 30)


class Live(PageTest):
    """A database that another process writes while the page is open."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.made_database(real=False, clips=40)
        cls.change("UPDATE run SET ended_at = NULL")
        cls.addClassCleanup(hold_lock(cls.database).close)
        cls.server = Server(cls.database)
        cls.addClassCleanup(cls.server.close)

    @classmethod
    def change(cls, *statements):
        write(cls.database, *statements)

    def test_clips_appear_and_the_running_one_grows(self):
        self.browser.open(self.server.address)
        self.browser.wait(lambda: "37 of 40" in self.browser.text(".state"), "the state of the run")
        self.go(f"#clip/{RUNNING_CLIP}")
        self.browser.wait(lambda: self.browser.find(".graph canvas"), "the running clip's graphs")
        last = "return Number(document.querySelectorAll('.frame-number')[1].value)"
        self.assertEqual(self.browser.run(last), 124)
        self.browser.run("document.querySelector('.graph').marked = 'the same graph'")
        self.change(f"""INSERT INTO frame_score SELECT scoring_feature, frame + 125, value FROM frame_score
                        WHERE scoring_feature / 100 = {RUNNING_CLIP} AND frame < 60""",
                    f"UPDATE scoring SET frames = 185 WHERE id = {RUNNING_CLIP}")
        self.browser.wait(lambda: self.browser.run(last) == 184, "the frames that came")
        self.change(f"UPDATE frame_score SET value = 0.5 WHERE scoring_feature = {RUNNING_CLIP * 100} AND frame = 150",
                    f"INSERT INTO warning (scoring, text) VALUES ({RUNNING_CLIP}, 'a warning that came late')",
                    f"INSERT INTO failure (scoring, extractor, frame, reason) VALUES ({RUNNING_CLIP}, NULL, 151, 'a failure that came late')")
        self.browser.wait(lambda: self.browser.texts(".worst tbody tr:first-child td")[:1] == ["150"], "the new worst frame")
        self.assertEqual(self.browser.texts(".clip .sentence"), ["a failure that came late", "a warning that came late"])
        self.assertIn("worst frame 150", self.browser.run("return document.querySelector('.graph').getAttribute('aria-label')"))
        self.assertIn("185", self.browser.texts(".clip dl dd")[4])
        self.assertEqual(self.browser.run("return document.querySelector('.graph').marked"), "the same graph")
        self.change(f"UPDATE scoring SET status = 'done', finished = 1000, ended_at = '2026-01-31T02:00:00Z' WHERE id = {RUNNING_CLIP}")
        self.browser.wait(lambda: self.browser.text(".clip-status .status").endswith("done"), "the clip's end")
        self.go("#clips", "Clips")
        self.wait_rows(40)
        self.filter(status="running")
        self.wait_rows(0)
        self.filter(status="")
        self.filter(text="e")
        self.change("UPDATE tag SET value = 'vvc' WHERE clip = 1 AND name = 'codec'")
        self.browser.wait(lambda: "vvc" in self.table_column("tag.codec"), "the clip's new tag")
        self.change("INSERT INTO clip VALUES (4000, 'newcomer')",
                    "CREATE TEMP TABLE one AS SELECT * FROM scoring WHERE id = 1", "UPDATE one SET id = 4000, clip = 4000, finished = 4000",
                    "INSERT INTO scoring SELECT * FROM one")
        self.browser.wait(lambda: "newcomer" in self.browser.texts(".long-table td:first-child"), "the new clip")
        self.assertEqual(self.browser.run("return document.querySelector('[name=text]').value"), "e")

    def test_ladders_and_what_forms_offer_are_new_too(self):
        options = lambda name: self.browser.run("return [...document.querySelector(`select[name=${arguments[0]}]`).options].map((one) => one.text)", name)
        chosen = lambda name: self.browser.run("return document.querySelector(`select[name=${arguments[0]}]`).selectedOptions[0].text", name)
        self.browser.open("about:blank")
        self.browser.open(self.server.address + "#clips")
        self.browser.wait(lambda: self.browser.find(".long-table tbody tr"), "the catalogue")
        self.filter(tag="title")
        self.change("INSERT INTO tag VALUES (2, 'preset', 'slow')", "INSERT INTO feature VALUES (200, 'newest')")
        self.browser.wait(lambda: "preset" in options("tag") and "newest" in options("feature"), "the new tag and feature")
        self.assertEqual(chosen("tag"), "title")
        self.go("#ladders", "Ladders")
        self.browser.choose("select[name='ladder']", "masters/title_001.y4m")
        points = self.sql("SELECT count(*) FROM scoring WHERE reference_path = 'masters/title_001.y4m'")[0][0]
        self.assertEqual(len(self.browser.find(".chart title")), points)
        self.change("UPDATE scoring SET reference_path = 'masters/new.y4m' WHERE id IN (9, 10)")
        self.browser.wait(lambda: "masters/new.y4m" in options("ladder"), "the new ladder")
        self.assertEqual(chosen("ladder"), "masters/title_001.y4m")
        self.assertEqual(len(self.browser.find(".chart title")), points - 2)


if __name__ == "__main__":
    run_tests(__doc__)
