#!/usr/bin/env python3
"""The file that `vmafbatch report` writes, in a browser, from disk.

usage: report_test.py --vmafbatch PROGRAM [--pictures FOLDER] [Class.test ...]
"""
from made_database import BAD_CLIP, BAD_FRAME, BITRATES, FAILED_CLIP, HOSTILE_NAMES, INFINITE_CLIP, INFINITE_FRAME, Maker
from page_tests import CLIPS, ComparisonPages, FRAMES, PageTest, REAL_BAD_FRAME, REAL_CLIPS, run_program, run_tests, shown

SORTED = "SELECT clip FROM clip_scores WHERE feature = 'vmaf' ORDER BY {} {}, clip"


class Report(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.made_database()
        run_program("report", cls.database, "--worst", "2", "-o", cls.path("report.html"))
        cls.address = f"file://{cls.path('report.html')}"

    def open(self, fragment="", heading=None):
        """The report anew, so that no test sees what another one chose."""
        self.browser.open("about:blank")
        self.browser.open(self.address + fragment)
        self.browser.wait(lambda: self.browser.find("main h1"), "a view")
        if heading is not None:
            self.assertEqual(self.browser.text("h1"), heading)

    def name_of(self, clip):
        return self.sql("SELECT name FROM clip WHERE id = ?", clip)[0][0]

    def id_of(self, name):
        return self.sql("SELECT s.id FROM scoring s JOIN clip c ON c.id = s.clip WHERE c.name = ?", name)[0][0]

    def test_summary_tells_failures_and_warnings_first(self):
        self.open(heading="made.db")
        numbers = dict(self.sql("SELECT status, count(*) FROM scoring GROUP BY 1"))
        tiles = self.browser.texts(".tile")
        self.assertEqual(tiles[0], f"{CLIPS}clips")
        for status, count in numbers.items():
            self.assertTrue(any(tile.startswith(str(count)) and tile.endswith(status) for tile in tiles), (status, tiles))
        self.assertEqual(self.browser.texts("main h2")[:2], ["Failures", "Warnings"])
        sentences = self.browser.texts(".sentence")
        for (reason,) in self.sql("SELECT reason FROM failure UNION SELECT text FROM warning"):
            self.assertIn(reason, sentences)
        self.assertIn("cpu", self.browser.text("main"))
        self.browser.picture("summary")

    def finished_names(self):
        """The names in the table without those that the views of the database do not show yet."""
        return [name for name, status in zip(self.table_column("name"), self.table_column("status")) if not status.endswith("running")]

    def test_catalogue_sorts_by_every_statistic(self):
        self.open("#clips", "Clips")
        for column in ("mean", "harmonic_mean", "p1", "p5", "min", "max"):
            self.sort_by(column)
            expected = [name for (name,) in self.sql(SORTED.format(column, "ASC"))][:10]
            self.assertEqual(self.finished_names()[:10], expected, column)
            self.sort_by(column)
            expected = [name for (name,) in self.sql(SORTED.format(column, "DESC"))][:10]
            self.assertEqual(self.finished_names()[:10], expected, column)

    def test_catalogue_shows_the_databases_values(self):
        self.open("#clips", "Clips")
        self.filter(text="title_002")
        self.wait_rows(8)
        for name, *values in self.sql("""SELECT clip, mean, harmonic_mean, p1, p5, min, max FROM clip_scores
                WHERE feature = 'vmaf' AND clip LIKE 'title\\_002%' ESCAPE '\\'"""):
            row = self.row_of(name)
            self.assertEqual([row[column] for column in ("mean", "harmonic_mean", "p1", "p5", "min", "max")], [shown(value) for value in values])
            frame, = self.sql("SELECT frame FROM frame_features WHERE feature = 'vmaf' AND clip = ? ORDER BY value, frame LIMIT 1", name)[0]
            self.assertEqual(row["worst"], str(frame))
        self.assertEqual(len(self.browser.find(".long-table .sparkline path[d^='M']")), 8)
        self.browser.picture("catalogue")

    def test_catalogue_filters_by_text_status_tag_and_range(self):
        self.open("#clips", "Clips")
        self.assertEqual(self.rows_found(), CLIPS)
        self.filter(text="TITLE_003 av1")
        self.wait_rows(len(BITRATES))
        self.filter(text="", status="failed")
        self.wait_rows(1)
        self.assertEqual(self.table_column("name"), [self.name_of(FAILED_CLIP)])
        self.filter(status="", tag="codec")
        self.filter(tag_text="av1")
        self.wait_rows(self.sql("SELECT count(*) FROM tag WHERE name = 'codec' AND value = 'av1'")[0][0])
        self.browser.click("button[name='clear']")
        self.wait_rows(CLIPS)
        self.filter(statistic="p5", **{"from": "50", "to": "60"})
        self.wait_rows(self.sql("SELECT count(*) FROM clip_scores WHERE feature = 'vmaf' AND p5 BETWEEN 50 AND 60")[0][0])

    def test_catalogue_works_with_the_keyboard(self):
        self.open("#clips", "Clips")
        first, second, third = self.table_column("name")[:3]
        self.browser.run("document.querySelector('.long-table tbody tr[tabindex=\"0\"]').focus()")
        focused = "return document.activeElement.children[0].textContent"
        self.assertEqual(self.browser.run(focused), first)
        self.browser.press("Down", "Down")
        self.assertEqual(self.browser.run(focused), third)
        self.browser.press("Up")
        self.assertEqual(self.browser.run(focused), second)
        self.assertNotEqual(self.browser.run("return getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.browser.press("End")
        self.assertEqual(self.browser.run("return Number(document.activeElement.getAttribute('aria-rowindex'))"), CLIPS + 1)
        self.browser.press("Home", "Enter")
        self.browser.wait(lambda: self.browser.text("h1") == first, "the first clip's view")

    def test_only_rows_in_sight_are_elements(self):
        self.open("#clips", "Clips")
        self.assertLess(len(self.browser.find(".long-table tbody tr")), 60)
        self.browser.run("document.querySelector('.long-table').scrollTop = 1e9")
        self.browser.wait(lambda: self.browser.find(f".long-table tr[aria-rowindex='{CLIPS + 1}']"), "the last row")
        self.assertLess(len(self.browser.find(".long-table tbody tr")), 60)

    def test_a_single_bad_frame_is_seen_and_listed(self):
        self.open(f"#clip/{self.id_of(self.name_of(BAD_CLIP))}", self.name_of(BAD_CLIP))
        self.assertEqual(self.browser.texts(".worst tbody tr:first-child td")[:3], [str(BAD_FRAME), f"0:0{BAD_FRAME / 25:.3f}", "0.000000"])
        place = self.lowest_point()
        self.assertGreater(place["y"], 0.7)
        self.assertAlmostEqual(place["x"], (0.06 + 0.94 * BAD_FRAME / FRAMES), delta=0.05)
        self.browser.picture("bad_frame")

    def test_clip_view_shows_the_databases_values(self):
        name = self.name_of(BAD_CLIP)
        self.open(f"#clip/{self.id_of(name)}", name)
        self.browser.run("window.scrollTo(0, 1e9)")
        rows = self.browser.run("""const table = [...document.querySelectorAll('table')].find((one) => one.caption.textContent === 'Pooled values');
            return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => [cell.textContent, cell.querySelector('[title]')?.title]));""")
        self.assertEqual(len(rows), self.sql("SELECT count(*) FROM scoring_feature WHERE scoring = ?", BAD_CLIP)[0][0])
        for feature, *values in self.sql("""SELECT feature, mean, harmonic_mean, stddev, min, p1, p5, p10, p50, p90, p95, p99, max
                FROM clip_scores WHERE clip = ?""", name):
            cells = next(row for row in rows if row[0][0] == feature)
            self.assertEqual([text for text, _ in cells[1:14]], [str(FRAMES)] + [shown(value, 6) for value in values], feature)
            self.assertEqual([float(title) for _, title in cells[2:14]], values, feature)
        self.assertIn("p5", self.browser.text("main"))

    def test_zoom_and_cursor_are_shared_by_the_graphs(self):
        name = self.name_of(BAD_CLIP)
        self.open(f"#clip/{self.id_of(name)}", name)
        self.assertEqual(len(self.browser.find(".frame-graph")), 3)
        window = "return [...document.querySelectorAll('.frame-number')].map((field) => Number(field.value))"
        self.assertEqual(self.browser.run(window), [0, FRAMES - 1])
        self.browser.drag(".frame-graph:nth-child(2) .graph", (0.4, 0.4), (0.6, 0.4))
        self.browser.wait(lambda: self.browser.run(window)[1] - self.browser.run(window)[0] < 70, "a narrower window")
        first, last = self.browser.run(window)
        self.assertTrue(60 < first < BAD_FRAME < last < 180, (first, last))
        # the cursor: one frame in all graphs, its values those of the database
        self.browser.run("document.querySelector('.graph').focus()")
        self.browser.press("Escape", "Right")
        self.browser.wait(lambda: self.browser.text(".place").startswith("frame "), "a frame under the cursor")
        frame = int(self.browser.text(".place").split()[1])
        self.assertEqual(frame, first)
        self.assertEqual(self.browser.text(".place"), f"frame {frame} at 0:{frame / 25:06.3f}")
        expected = [shown(value) for (value,) in self.sql("""SELECT value FROM frame_features WHERE clip = ? AND frame = ?
            AND feature IN ('vmaf', 'psnr_y', 'psnr_cb') ORDER BY feature = 'vmaf' DESC, feature DESC""", name, frame)]
        self.assertEqual(self.browser.texts(".frame-graph .value"), expected)
        exact, = self.sql("SELECT value FROM frame_features WHERE clip = ? AND frame = ? AND feature = 'vmaf'", name, frame)[0]
        self.assertEqual(float(self.browser.run("return document.querySelector('.frame-graph .value').title")), exact)
        # a hover moves it in all graphs as well
        self.browser.hover(".frame-graph:nth-child(3) .graph", (0.5, 0.4))
        self.browser.wait(lambda: int(self.browser.text(".place").split()[1]) > frame + 5, "the frame under the mouse")
        self.browser.picture("zoom")
        self.browser.run("document.querySelector('.graph').focus()")
        self.browser.press("0")
        self.assertEqual(self.browser.run(window), [0, FRAMES - 1])

    def test_a_double_click_shows_all_frames_again(self):
        self.open(f"#clip/{BAD_CLIP}", self.name_of(BAD_CLIP))
        window = "return [...document.querySelectorAll('.frame-number')].map((field) => Number(field.value))"
        self.browser.click(".worst tbody tr:first-child button")
        self.assertEqual(self.browser.run(window), [BAD_FRAME - 50, BAD_FRAME + 50])
        self.browser.run("""const canvas = [...document.querySelectorAll('.graph canvas')][1];
            canvas.dispatchEvent(new MouseEvent('dblclick', {bubbles: true, view: window}));""")
        self.browser.wait(lambda: self.browser.run(window) == [0, FRAMES - 1], "all frames")

    def test_an_infinite_value_is_named_as_one(self):
        name = self.name_of(INFINITE_CLIP)
        self.open(f"#clip/{INFINITE_CLIP}/{INFINITE_FRAME}/2", name)
        self.browser.wait(lambda: self.browser.find(".frame-graph"), "graphs")
        value, = self.sql("SELECT value FROM frame_features WHERE clip = ? AND frame = ? AND feature = 'vmaf'", name, INFINITE_FRAME)[0]
        self.assertEqual(self.browser.texts(".frame-graph .value")[0::2], [shown(value), "∞"])
        self.assertIn("Infinite values are drawn at the edge.", self.browser.texts(".frame-graph > .note"))
        self.go("#clips", "Clips")
        self.browser.choose(".filters select", "psnr_cb")
        self.filter(text=name)
        self.wait_rows(1)
        self.assertEqual(self.row_of(name)["max"], "∞")

    def test_worst_frames_have_pictures(self):
        name = REAL_CLIPS[0]
        self.open(f"#clip/{self.id_of(name)}", name)
        self.browser.wait(lambda: self.browser.run("""const images = [...document.querySelectorAll('.pictures img')];
            return images.length >= 2 && images.every((image) => image.complete && image.naturalWidth > 0);"""), "pictures")
        frame, value = self.sql("""SELECT frame, value FROM frame_features WHERE clip = ? AND feature = 'psnr_y'
            ORDER BY value, frame LIMIT 1""", name)[0]
        self.assertEqual(frame, REAL_BAD_FRAME)
        caption = self.browser.texts(f".pictures figure[data-frame='{frame}'] figcaption")[0]
        self.assertTrue(caption.startswith(f"Frame {frame} at 0:00.280"), caption)
        self.assertIn(f"psnr_y {shown(value)}", caption)
        self.browser.run("document.querySelector('.worst').scrollIntoView()")
        self.browser.picture("worst_frames")

    def test_a_clip_without_pictures_says_why(self):
        self.open(f"#clip/{BAD_CLIP}", self.name_of(BAD_CLIP))
        self.browser.wait(lambda: self.browser.find(".worst .missing"), "the reason")
        path, = self.sql("SELECT reference_path FROM scoring WHERE id = ?", BAD_CLIP)[0]
        self.assertTrue(self.browser.text(".worst .missing").startswith(f"No picture: {path}: "), self.browser.text(".worst .missing"))

    def test_hostile_names_are_shown_and_not_run(self):
        self.browser.open("about:blank")
        self.browser.open(self.address)
        self.browser.run("window.alert = () => { window.attacked = true; }")
        self.go("#clips", "Clips")
        names = self.table_column("name")
        for name in HOSTILE_NAMES:
            self.go("#clips", "Clips")
            self.filter(text=name)
            self.browser.wait(lambda: name in self.table_column("name"), name)
            self.go(f"#clip/{self.id_of(name)}", name)
        self.assertTrue(set(HOSTILE_NAMES) & set(names))
        self.assertEqual(self.browser.find("main img, main script, main svg[onload]"), [])
        for fragment in ("#<img src=x onerror=alert(1)>", "#clip/</script>", "#clip/1e9", "#clips/status/%", "#change/0", "#%%%",
                         f"#clip/{BAD_CLIP}/{'9' * 400}"):
            self.go(fragment)
            self.browser.wait(lambda: self.browser.find("main h1"), fragment)

    def test_ladders_name_what_they_leave_out(self):
        self.open("#ladders", "Ladders")
        self.browser.choose("select[name='ladder']", "masters/title_000.y4m")
        self.assertEqual(len(self.browser.find(".chart title")), 8)
        rows = self.browser.run("""return [...document.querySelectorAll('table')].find((table) => table.caption.textContent === 'Renditions')
            .tBodies[0].innerText""")
        for name, mean in self.sql("SELECT clip, mean FROM clip_scores WHERE feature = 'vmaf' AND clip LIKE 'title\\_000%' ESCAPE '\\'"):
            self.assertIn(name, rows)
            self.assertIn(shown(mean), rows)
        headings = self.browser.texts(".bd-rate h3")
        self.assertTrue(any("av1" in heading and "h264" in heading for heading in headings), headings)
        left_out = [text for text in self.browser.texts(".bd-rate tr") if "left out" in text]
        self.assertTrue(any("title_001" in text for text in left_out), left_out)
        self.browser.picture("ladder")

    def test_readable_in_the_dark(self):
        self.browser.dark(True)
        try:
            self.open(f"#clip/{BAD_CLIP}", self.name_of(BAD_CLIP))
            light = "return getComputedStyle(document.body)[arguments[0]].match(/\\d+/g).map(Number).reduce((a, b) => a + b)"
            self.assertGreater(self.browser.run(light, "color") - self.browser.run(light, "backgroundColor"), 450)
            self.browser.picture("dark")
        finally:
            self.browser.dark(False)

    def test_the_file_reaches_for_nothing_outside(self):
        self.open("#clips", "Clips")
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)"), [])


class LongClip(PageTest):
    """A clip with far more frames than a report has points for."""

    FRAMES, BAD_FRAME = 200_000, 123_457

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        maker = Maker(cls.path("made.db"), cls.FRAMES, features=1)
        maker.clip(1, "long", "long", "av1", 4_000_000)
        maker.database.execute("UPDATE frame_score SET value = 0.0 WHERE frame = ?", (cls.BAD_FRAME,))
        maker.close()
        run_program("report", cls.path("made.db"), "-o", cls.path("report.html"))

    def test_one_bad_frame_of_200000_is_seen_and_listed(self):
        self.browser.open(f"file://{self.path('report.html')}#clip/1")
        self.browser.wait(lambda: self.browser.find(".graph canvas"), "the graph")
        self.assertEqual(self.browser.texts(".worst tbody tr:first-child td")[0], "123\u202f457")
        place = self.lowest_point()
        self.assertGreater(place["y"], 0.7)
        self.assertAlmostEqual(place["x"], 0.06 + 0.94 * self.BAD_FRAME / self.FRAMES, delta=0.05)
        self.browser.picture("long_clip_in_a_file")


class ExtremeValues(PageTest):
    """Curves whose ends are next to each other, or as far apart as numbers can be. An axis that counts between them must end."""

    VALUES = [(99.99999999999999, 100.0), (1.0, 0.9999999999999998), (-1.7976931348623157e308, 1.7976931348623157e308), (0.0, 5e-324), (7.0, 7.0),
              (float("-inf"), float("inf")), (1.7976931348623157e308, float("inf"))]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        maker = Maker(cls.path("made.db"), 20, features=1)
        for clip, (even, odd) in enumerate(cls.VALUES, 1):
            maker.clip(clip, f"extreme {clip}", "extreme", "av1", 1_000_000 * clip)
            maker.database.execute("""UPDATE frame_score SET value = CASE frame % 2 WHEN 0 THEN ? ELSE ? END
                WHERE scoring_feature = ?""", (even, odd, clip * 100))
            maker.database.execute("""UPDATE pooled_score SET mean = ? WHERE scoring_feature = ?""", (odd, clip * 100))
        maker.close()
        run_program("report", cls.path("made.db"), "-o", cls.path("report.html"))

    def test_every_curve_and_ladder_of_them_is_drawn(self):
        self.browser.open(f"file://{self.path('report.html')}#clips")
        for clip in range(1, len(self.VALUES) + 1):
            self.go(f"#clip/{clip}", f"extreme {clip}")
            self.browser.wait(lambda: self.browser.find(".graph canvas"), "the graph")
            self.browser.click(".toolbar button:nth-child(2)")
        self.go("#ladders", "Ladders")
        self.browser.wait(lambda: self.browser.find(".chart"), "the ladder")


class Comparison(ComparisonPages):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run_program("report", cls.old, cls.new, "-o", cls.path("comparison.html"))
        cls.browser.open(f"file://{cls.path('comparison.html')}")

    def test_changes_are_listed_and_both_curves_drawn(self):
        self.check_changes_and_curves()


if __name__ == "__main__":
    run_tests(__doc__)
