#!/usr/bin/env python3
"""The modules of src/report/web by themselves, in a browser: what a page cannot easily be brought to show.

usage: modules_test.py --vmafbatch PROGRAM [Class.test ...]
"""
import functools
import http.server
import os
import threading
import unittest

from page_tests import run_tests, settings, WINDOW
from webdriver import Browser

WEB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "report", "web")


class ModuleHandler(http.server.SimpleHTTPRequestHandler):
    """Gives the modules, and an empty page to import them into."""

    def do_GET(self):
        if self.path != "/empty.html":
            super().do_GET()
            return
        page = b"<!doctype html><title>modules</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


class ModuleTest(unittest.TestCase):
    """A page from the folder of the modules, which a test imports."""

    @classmethod
    def setUpClass(cls):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(ModuleHandler, directory=WEB))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.browser = Browser(settings.pictures, *WINDOW)
        cls.addClassCleanup(cls.browser.close)
        cls.address = f"http://127.0.0.1:{server.server_port}/"

    def setUp(self):
        self.browser.open("about:blank")
        self.browser.open(self.address + "empty.html")

    def call(self, module, body, *arguments):
        """The value that the body of a function returns; `m` is the module, `a` are the arguments."""
        return self.browser.run(f"const a = [...arguments]; return import('/{module}.js').then(async (m) => {{ {body} }});", *arguments)


# Ends of an axis that are equal, next to each other, beyond all numbers, or none. JSON has no such numbers: they are JavaScript here.
HARD_ENDS = ["0, 1", "1, 0", "3, 3", "99.99999999999999, 100", "0.9999999999999998, 1", "NaN, 1", "0, NaN", "NaN, NaN", "-Infinity, 1", "0, Infinity",
             "-Infinity, Infinity", "Infinity, Infinity", "-Number.MAX_VALUE, Number.MAX_VALUE", "0, Number.MIN_VALUE", "1e300, 1.0000000000000002e300",
             "-1e-310, 1e-310", "9007199254740992, 9007199254740994", "0, Number.MAX_VALUE"]


class Charts(ModuleTest):
    def test_ticks_are_few_and_rise_between_any_two_ends(self):
        for ends in HARD_ENDS:
            ticks = self.call("chart", f"const list = m.ticks({ends}); return list.every(Number.isFinite) ? list : 'not finite'")
            self.assertIsInstance(ticks, list, ends)
            self.assertLessEqual(len(ticks), 14, ends)
            self.assertEqual(ticks, sorted(set(ticks)), ends)
        self.assertEqual(self.call("chart", "return m.ticks(0, 1)"), [0, 0.2, 0.4, 0.6, 0.8, 1])
        self.assertEqual(self.call("chart", "return m.ticks(-30.5, 61)"), [-20, 0, 20, 40, 60])
        self.assertIn(100, self.call("chart", "return m.ticks(99.99999999999999, 100)"))

    def test_ticks_of_a_logarithmic_axis_are_few(self):
        for ends in HARD_ENDS:
            self.assertLessEqual(len(self.call("chart", f"return m.log_ticks({ends})")), 14, ends)
        self.assertEqual(self.call("chart", "return m.log_ticks(90, 2100)"), [100, 200, 500, 1000, 2000])

    def test_a_chart_of_any_values_is_drawn(self):
        for ends in HARD_ENDS:
            for log in ("false", "true"):
                drawn = self.call("chart", f"""const text = String, series = [{{name: 's', points: [{ends}].map((x) => ({{x, y: x, label: ''}}))}}];
                    return new XMLSerializer().serializeToString(m.xy_chart({{series, x: {{title: 'x', text, log: {log}}}, y: {{title: 'y', text}}}}))""")
                self.assertNotIn("NaN", drawn, ends)
                self.assertNotIn("Infinity\"", drawn, ends)


class Curves(ModuleTest):
    """An overview of ten stretches of ten frames, frame 45 bad, and details of other windows. Every frame must stay in a stretch that has its value."""

    def merged(self, first, count, step=1, end=None):
        return self.call("curve", """const [first, count, step, end] = a;
            const value = (frame) => (frame === 45 ? 0 : 90 + frame % 3);
            const least = (from, size) => Math.min(...Array.from({length: size}, (_, i) => value(from + i)));
            const curve = (from, size, many, exact) => ({first: from, step: size, count: many, exact,
              low: Array.from({length: many}, (_, i) => least(from + i * size, size)), high: Array(many).fill(92)});
            return m.stretches(curve(0, 10, 10, false), {...curve(first, step, count, step === 1), end})""", first, count, step, end)

    def test_a_detail_beside_a_bad_frame_leaves_it_shown(self):
        for first in range(0, 100, 3):
            for count in (1, 4, 10, 25):
                merged = self.merged(first, min(count, 100 - first))
                self.assertEqual(min(one["low"] for one in merged), 0, (first, count))
                drawn = [one["frame"] for one in merged]
                self.assertEqual(drawn, sorted(set(drawn)))
                covered = {frame for one in merged for frame in range(one["from"], one["last"] + 1)}
                self.assertEqual(covered, set(range(100)))

    def test_a_detail_that_is_an_envelope_ends_where_it_was_asked_to(self):
        merged = self.merged(30, 2, step=8, end=43)
        self.assertEqual([(one["from"], one["last"]) for one in merged if 30 <= one["frame"] < 50], [(30, 37), (38, 43), (40, 49)])
        self.assertEqual([one["low"] for one in merged if one["frame"] == 44], [0])


class Numbers(ModuleTest):
    def test_all_digits_are_those_of_the_double(self):
        shown = self.call("format", "return [0.1 + 0.2, -1e-7, 100, -0, 'inf', '-inf', null].map(m.digits)")
        self.assertEqual(shown, ["0.30000000000000004", "−1e−7", "100", "−0", "∞", "−∞", "–"])


class Tables(ModuleTest):
    def test_a_click_opens_the_row_but_not_where_a_link_or_button_is(self):
        opened = self.call("table", """const cell = (row) => {
              const node = document.createElement(row.node);
              node.addEventListener('click', (event) => event.preventDefault());
              node.append(document.createElement('b'));
              return node;
            };
            const opened = [];
            const table = new m.LongTable({caption: 'c', sort: {column: 'x', direction: 1}, key: (row) => row.node, open: (row) => opened.push(row.node),
              columns: [{id: 'x', title: 'x', value: (row) => row.node, cell}]});
            document.body.append(table.node);
            table.set_rows(['a', 'button', 'span'].map((node) => ({node})));
            for (const node of table.node.querySelectorAll('tbody b')) node.click();
            return opened;""")
        self.assertEqual(opened, ["span"])


# Documents of a made database, for views without a server. features, tags: names; each clip has a score of every feature.
DOCUMENTS = """const summary = (features, tags = []) => ({primary: null, tags: tags.map((name) => ({name, values: ['v'], more: 0})),
    features: features.map((name) => ({name, source: name, direction: 'higher', unit: '', range: '', low: null, high: null, help: ''}))});
  const clip = (id, features, tags = '{}') => ({id, name: `clip ${id}`, label: '', status: 'done', tags: JSON.parse(tags), fps: 25, reference: 'r',
    distorted: 'd', bitrate: 1000 * id, scores: features.map((name, i) => ({mean: 10 * (i + 1), worst_frame: i}))});
  const place = (view) => { document.body.replaceChildren(view.node); view.placed?.(); return view; };
  const choose = (name, text) => {
    const select = document.querySelector(`select[name=${name}]`);
    select.value = [...select.options].find((one) => one.text === text).value;
    select.dispatchEvent(new Event('change'));
  };
  const column = (name) => [...document.querySelectorAll('.long-table tbody tr')].map((row) =>
    row.children[[...document.querySelectorAll('.long-table th')].findIndex((head) => head.dataset.column === name)].textContent);
  const ladders = (renditions) => ({ladders: [{reference: 'r', label: '', renditions}], bd_rates: [], more_bd_rates: 0, left_out: []});
  const ladder = (number) => ({...clip(number, []), scores: [50 + number, 60 + number]});
"""
# What every object inherits.
INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty"]


class Views(ModuleTest):
    def test_a_tag_may_have_the_name_of_what_objects_inherit(self):
        for name in INHERITED:
            self.setUp()  # without the filter that was chosen before
            found = self.call("catalogue", DOCUMENTS + """place(m.catalogue_view({summary: summary(['x'], [a[0]]),
                  rows: [clip(1, ['x']), clip(2, ['x'], `{"${a[0]}": "v"}`)]}, []));
                const cells = column(`tag.${a[0]}`);
                choose('tag', a[0]);
                return [cells, column('name')];""", name)
            self.assertEqual(found, [["", "v"], ["clip 2"]], name)
            rows = self.call("ladders", DOCUMENTS + """const tagged = {...ladder(2), tags: JSON.parse(`{"${a[0]}": "v"}`)};
                place(m.ladders_view({summary: summary(['x', 'y'], [a[0]]), ladders: ladders([ladder(1), tagged])}));
                choose('tag', `tag.${a[0]}`);
                return [...document.querySelectorAll('.legend text, tbody td:nth-child(2)')].map((one) => one.textContent);""", name)
            self.assertEqual(rows, ["without the tag", "v", "", "v"], name)

    def test_a_servers_state_is_live_only_while_a_run_writes(self):
        texts = self.call("summary", """return [[true, 1], [true, 0], [false, 0], [false, 2]].map(([live, running]) =>
            m.state_text({live, counts: {clips: 9, done: 5, running}}));""")
        self.assertEqual(texts, [f"{word}: 5 of 9 clips done" for word in ("live", "live", "finished", "stopped")])

    def test_a_view_keeps_a_feature_by_its_name_from_one_database_to_the_next(self):
        shown = self.call("catalogue", DOCUMENTS + """const six = ['a', 'b', 'c', 'd', 'e', 'f'], chosen = () =>
                [document.querySelector('select[name=feature]').selectedOptions[0].text, column('mean')[0]];
            const documents = (features) => ({summary: summary(features), rows: [clip(1, features)]});
            const view = place(m.catalogue_view(documents(six), [])), list = [];
            choose('feature', 'f');
            list.push(chosen());
            view.update(documents(['a', 'b']));
            list.push(chosen());
            view.update(documents(['f', 'a']));
            list.push(chosen());
            place(m.catalogue_view(documents(['b', 'c']), []));
            list.push(chosen());
            return list;""")
        self.assertEqual(shown, [["f", "60.000"], ["a", "10.000"], ["f", "10.000"], ["b", "10.000"]])

    def test_ladders_keep_a_feature_by_its_name_too(self):
        shown = self.call("ladders", DOCUMENTS + """const documents = (features, tags) => ({summary: summary(features, tags),
              ladders: ladders([ladder(1), ladder(2)])});
            const chosen = () => [document.querySelector('select[name=feature]').selectedOptions[0].text,
              document.querySelector('.chart text:last-of-type').textContent];
            const view = place(m.ladders_view(documents(['a', 'b'], ['t']))), list = [];
            choose('feature', 'b');
            choose('tag', 'tag.t');
            view.update(documents(['a'], []));
            list.push(chosen());
            view.update(documents(['b', 'a'], ['u']));
            list.push(chosen());
            return list;""")
        self.assertEqual(shown, [["a", "a"], ["b", "b"]])


if __name__ == "__main__":
    run_tests(__doc__)
