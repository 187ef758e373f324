"""A browser for tests: headless Chromium, driven through chromedriver by the WebDriver protocol. Python's standard library only.

    with Browser(pictures="out") as browser:
        browser.open("file:///tmp/report.html")
        browser.click("nav a[href='#clips']")
        assert browser.text("h1") == "Clips"
        assert browser.console_errors() == []

Waits are for a condition, never for a time: `wait` asks again until its condition holds or ten seconds have passed.
"""
import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's id, from the WebDriver recommendation
WAIT_SECONDS = 10
START_SECONDS = 60

# Values of keys, from the WebDriver recommendation's table of normalised keys.
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010", "Left": "\ue012", "Up": "\ue013",
        "Right": "\ue014", "Down": "\ue015", "PageDown": "\ue00f", "Space": " ", "Shift": "\ue008"}


class BrowserError(Exception):
    """What chromedriver answers instead of a value."""


def missing_programs():
    """The programs of Debian's chromium and chromium-driver that are not there."""
    return [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]


class Browser:
    """One headless Chromium with a profile of its own; one thread at a time."""

    def __init__(self, pictures=None, width=1280, height=900):
        """pictures: the folder that `picture` writes to, made when it is not there."""
        self._pictures = pictures
        self._folder = tempfile.TemporaryDirectory(prefix="vmafbatch_browser_")
        self._log = open(os.path.join(self._folder.name, "chromedriver.log"), "w+", encoding="utf-8", errors="replace")
        self._driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self._log, stderr=subprocess.STDOUT,
                                        env={**os.environ, "HOME": self._folder.name})
        try:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port(), timeout=120)
            self._session = self._start(width, height)
        except BaseException:
            self._driver.kill()
            raise

    def _port(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._driver.poll() is None:
            with open(self._log.name, encoding="utf-8", errors="replace") as log:
                found = re.search(r"started successfully on port (\d+)", log.read())
            if found:
                return int(found.group(1))
            time.sleep(0.05)
        with open(self._log.name, encoding="utf-8", errors="replace") as log:
            raise BrowserError(f"chromedriver did not start: {log.read()[-1000:]}")

    def _start(self, width, height):
        arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1", "--no-first-run",
                     "--disable-dev-shm-usage", f"--window-size={width},{height}", f"--user-data-dir={self._folder.name}/profile"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium has no sandbox for root
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {
            "args": arguments, "binary": shutil.which("chromium"),
            "prefs": {"download.default_directory": self.downloads, "download.prompt_for_download": False}}}
        os.makedirs(self.downloads, exist_ok=True)
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        session = f"/session/{answer['sessionId']}"
        self._ask("POST", f"{session}/window/rect", {"width": width, "height": height})
        return session

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            self._ask("DELETE", self._session)
        except (BrowserError, OSError, http.client.HTTPException):
            pass  # a browser that has gone away is closed
        self._connection.close()
        self._driver.terminate()
        try:
            self._driver.wait(20)
        except subprocess.TimeoutExpired:
            self._driver.kill()
            self._driver.wait()
        self._log.close()
        shutil.rmtree(self._folder.name, ignore_errors=True)  # the browser's last processes may still write there
        self._folder._finalizer.detach()

    @property
    def downloads(self):
        """The folder that downloads go to."""
        return os.path.join(self._folder.name, "downloads")

    def _ask(self, method, path, body=None):
        self._connection.request(method, path, json.dumps(body) if body is not None or method == "POST" else None,
                                 {"Content-Type": "application/json"})
        answer = json.loads(self._connection.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise BrowserError(f"{method} {path.rsplit('/', 1)[-1]}: {answer['error']}: {answer['message'].splitlines()[0]}")
        return answer

    def _command(self, method, path, body=None):
        return self._ask(method, self._session + path, body)

    def open(self, url):
        self._command("POST", "/url", {"url": url})

    def reload(self):
        self._command("POST", "/refresh", {})

    def run(self, script, *arguments):
        """The value that the body of a function returns in the page."""
        return self._command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        """The elements that a CSS selector names."""
        return [element[ELEMENT] for element in self._command("POST", "/elements", {"using": "css selector", "value": selector})]

    def one(self, selector):
        """The first element; waits for it."""
        return self.wait(lambda: self.find(selector), f"an element {selector}")[0]

    def text(self, selector):
        """The text of the first element as it is shown; waits for it."""
        return self.wait(lambda: self.run("const e = document.querySelector(arguments[0]); return e && {text: e.innerText}", selector),
                         f"an element {selector}")["text"]

    def texts(self, selector):
        """The texts of all elements, as the page shows or would show them."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def click(self, selector):
        self._command("POST", f"/element/{self.one(selector)}/click", {})

    def type(self, selector, text):
        """Replaces what a field holds."""
        element = self.one(selector)
        self._command("POST", f"/element/{element}/clear", {})
        self._command("POST", f"/element/{element}/value", {"text": text})

    def choose(self, selector, text):
        """Chooses an <option> by its text."""
        self.run("""const select = document.querySelector(arguments[0]);
                    const option = [...select.options].find(o => o.textContent === arguments[1]);
                    if (!option) throw new Error('no option ' + arguments[1]);
                    select.value = option.value;
                    select.dispatchEvent(new Event('input', {bubbles: true}));
                    select.dispatchEvent(new Event('change', {bubbles: true}));""", selector, text)

    def press(self, *names):
        """Keys for what has the focus, by their names in KEYS or as characters."""
        actions = []
        for name in names:
            value = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._command("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def drag(self, selector, start, end):
        """Drags the mouse between two places inside an element, given as fractions of its size."""
        box = self.box(selector)

        def point(fraction):
            return {"type": "pointerMove", "duration": 100, "x": round(box["x"] + box["width"] * fraction[0]),
                    "y": round(box["y"] + box["height"] * fraction[1])}
        self._command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            point(start), {"type": "pointerDown", "button": 0}, point(end), {"type": "pointerUp", "button": 0}]}]})

    def hover(self, selector, place=(0.5, 0.5)):
        box = self.box(selector)
        self._command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 50, "x": round(box["x"] + box["width"] * place[0]),
             "y": round(box["y"] + box["height"] * place[1])}]}]})

    def box(self, selector):
        """Where an element stands in the window, after scrolling it into view."""
        self.one(selector)
        return self.run("""const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'});
                           const r = e.getBoundingClientRect(); return {x: r.x, y: r.y, width: r.width, height: r.height};""", selector)

    def wait(self, condition, what="a condition", seconds=WAIT_SECONDS):
        """What the condition gives, once that is true."""
        end = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f"waited {seconds} s for {what}; the console says {self.console()}")
            time.sleep(0.05)

    def console(self):
        """What the console said since the last call."""
        return self._command("POST", "/se/log", {"type": "browser"})

    def console_errors(self):
        return [entry["message"] for entry in self.console() if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, name):
        """Keeps what the window shows as NAME.png."""
        if self._pictures is None:
            return
        os.makedirs(self._pictures, exist_ok=True)
        with open(os.path.join(self._pictures, f"{name}.png"), "wb") as file:
            file.write(base64.b64decode(self._command("GET", "/screenshot")))

    def dark(self, on):
        """Asks pages for dark colours, or for light ones."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self._command("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [scheme]}})
