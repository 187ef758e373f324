"""Databases for tests of the pages, made with SQL: clips in ladders, hostile names, failures, warnings and one bad frame.

usage: made_database.py DATABASE [--clips N] [--frames N]

Every value follows from the numbers of its clip, feature and frame, so that a test can say what a page must show.
"""
import argparse
import math
import os
import re
import sqlite3

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "store", "schema.sql")

# Names that a page must show as they are. Each would do harm where it was read as HTML, as a pattern or as a path.
HOSTILE_NAMES = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\"><svg onload=alert(3)>", "javascript:alert(4)",
                 "../../etc/passwd", "%3Cb%3E &amp; &lt;", "__proto__", "' OR 1=1 --", "名前 🎬 עברית", "-->"]
CODECS = ["h264", "av1"]
BITRATES = [500_000, 1_000_000, 2_000_000, 4_000_000]  # bits per second; a title has each in both codecs
FPS = 25.0
BAD_CLIP, BAD_FRAME = 20, 123  # one frame of this clip has vmaf 0
INFINITE_CLIP, INFINITE_FRAME = 21, 10  # and one has an infinite psnr_cb
SHORT_TITLE = 1                # of this title only three renditions are av1, too few for a BD-rate
FAILED_CLIP, PARTIAL_CLIP, RUNNING_CLIP = 30, 31, 32
# (name, source, how much a step of quality is worth, value at quality 0, smallest, largest)
FEATURES = [("vmaf", "vmaf", 1.0, 0.0, 0.0, 100.0), ("psnr_y", "psnr", 0.25, 20.0, 0.0, 60.0), ("psnr_cb", "psnr", 0.2, 26.0, 0.0, 60.0),
            ("integer_motion2", "motion", 0.0, 4.0, 0.0, 255.0), ("cambi", "cambi", -0.1, 12.0, 0.0, 24.0),
            ("float_ssim", "float_ssim", 0.002, 0.79, 0.0, 1.0)]
WARNINGS = ["the distorted starts 2 frames late (its picture n is the reference's n + 2): skip_reference 2 brings them in step",
            "the two sides differ in colour range: reference tv, distorted pc; nothing was converted",
            "encodes/x.mkv ends after 240 frames, masters/x.y4m goes on; the common 240 frames are scored"]


def header_number(name):
    """A constant of schema.h, which the program checks."""
    with open(os.path.join(os.path.dirname(SCHEMA), "schema.h"), encoding="utf-8") as file:
        return int(re.search(rf"{name}\s*=\s*(0x[0-9A-Fa-f]+|\d+)", file.read())[1], 0)


def value_of(clip, feature, frame, quality):
    """The value of a feature at a frame: a slow wave and a repeatable scatter around the clip's quality, 0 to 100."""
    _, _, worth, start, low, high = FEATURES[feature]
    if clip == BAD_CLIP and frame == BAD_FRAME and feature == 0:
        return 0.0
    if clip == INFINITE_CLIP and frame == INFINITE_FRAME and feature == 2:
        return math.inf
    wave = 3.0 * math.sin(frame / 40.0 + clip) + ((frame * 7919 + clip * 104729 + feature * 31) % 1009) / 400.0
    spread = worth if worth else 1.0
    return min(max(start + worth * quality + spread * wave, low), high)


def pooled(values):
    """The columns of pooled_score behind `frames`."""
    ordered = sorted(values)
    count = len(ordered)

    def percentile(p):
        place = (count - 1) * p / 100.0
        below = int(place)
        above = min(below + 1, count - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
    finite = [value for value in values if math.isfinite(value)]
    mean = math.fsum(values) / count
    harmonic = count / math.fsum(1.0 / (v + 1.0) for v in values) - 1.0
    deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / count) if len(finite) == count else None
    percentiles = [percentile(p) for p in (1, 5, 10, 50, 90, 95, 99)]
    return [mean, ordered[0], ordered[-1], harmonic, deviation] + percentiles + [count - len(finite), math.fsum(finite) / len(finite)]


class Maker:
    """Makes one database. shift: added to the vmaf of every tenth clip, so that two databases differ."""

    def __init__(self, path, frames, shift=0.0, features=len(FEATURES)):
        self.database = sqlite3.connect(path)
        with open(SCHEMA, encoding="utf-8") as file:
            self.database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + file.read())
        self.database.executescript(f"PRAGMA application_id = {header_number('kApplicationId')}; "
                                    f"PRAGMA user_version = {header_number('kSchemaVersion')};")
        self.frames, self.shift, self.features = frames, shift, features
        self.finished = 0
        self.database.execute("BEGIN")
        self.insert("run", id=1, started_at="2026-01-31T01:00:00Z", ended_at="2026-01-31T05:00:00Z", host="a host",
                    command_line="vmafbatch score catalogue.csv", program_version="0.1.0", c_library="glibc 2.36", processor="a processor")
        self.database.executemany("INSERT INTO feature VALUES (?, ?)", [(i + 1, f[0]) for i, f in enumerate(FEATURES[:features])])
        self.database.execute("INSERT INTO feature VALUES (100, 'apsnr_y')")

    def close(self):
        self.database.execute("COMMIT")
        self.database.close()

    def insert(self, table, **columns):
        marks = ", ".join("?" * len(columns))
        return self.database.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", tuple(columns.values())).lastrowid

    def clip(self, number, name, title, codec, bitrate, status="done"):
        """One clip; its scoring has the same number."""
        frames = {"done": self.frames, "failed": 0}.get(status, self.frames // 2)
        self.insert("clip", id=number, name=name)
        for tag, value in (("codec", codec), ("title", title)):
            self.insert("tag", clip=number, name=tag, value=value)
        if status != "running":
            self.finished += 1
        self.insert("scoring", id=number, run=1, clip=number, label="", status=status, finished=None if status == "running" else self.finished,
                    reference_path=f"masters/{title}.y4m", reference_size=10**9, reference_mtime_ns=1,
                    reference_hash="00112233445566778899aabbccddeeff",
                    distorted_path=f"encodes/{name}.mkv",
                    distorted_size=int(bitrate / 8 * self.frames / FPS), distorted_mtime_ns=1, distorted_hash=None,
                    options="features=cambi;motion;psnr scale=bicubic", width=1920, height=1080, pixel_format="420p8", fps=FPS,
                    pictures="distorted scaled 1280x720 -> 1920x1080 (bicubic)" if number % 3 == 0 else "", program_version="0.1.0",
                    c_library="glibc 2.36", processor="a processor", decoder="libavcodec 59.37.100", frames=frames, identical_frames=0,
                    decoded_reference=frames, decoded_distorted=frames, seconds=frames / 50.0, decode_seconds=frames / 200.0,
                    started_at="2026-01-31T01:00:00Z", ended_at=None if status == "running" else "2026-01-31T01:05:00Z")
        self.insert("scoring_model", scoring=number, name="vmaf", path="models/vmaf_v0.6.1.json", hash="abcdef0123456789abcdef0123456789")
        self.columns(number, codec, bitrate, frames, status)

    def columns(self, number, codec, bitrate, frames, status):
        sources = list(dict.fromkeys(source for _, source, *_ in FEATURES[:self.features] if source != "vmaf"))
        for i, source in enumerate(sources):
            self.insert("scoring_extractor", scoring=number, extractor=i, name=source, options="")
            if frames:
                self.insert("feature_backend", scoring=number, extractor=i, first_frame=0, last_frame=frames - 1, implementation=source,
                            backend="cpu", device="", reason="no device was found")
        if frames == 0:
            return
        quality = 30.0 + 12.0 * math.log2(bitrate / 250_000) + (5.0 if codec == "av1" else 0.0) + (number % 7) * 0.1
        for feature, (_, source, *_) in enumerate(FEATURES[:self.features]):
            key = number * 100 + feature
            self.insert("scoring_feature", id=key, scoring=number, feature=feature + 1, scope="frame", source=source, position=feature)
            shift = self.shift if feature == 0 and number % 10 == 0 else 0.0
            values = [value_of(number, feature, frame, quality) + shift for frame in range(frames)]
            self.database.executemany("INSERT INTO frame_score VALUES (?, ?, ?)", [(key, frame, value) for frame, value in enumerate(values)])
            if status != "running":
                self.database.execute(f"INSERT INTO pooled_score VALUES ({', '.join('?' * 16)})", [key, frames] + pooled(values))
        if status == "done":
            self.insert("scoring_feature", id=number * 100 + 99, scoring=number, feature=100, scope="aggregate", source="psnr", position=99)
            self.insert("aggregate_score", scoring_feature=number * 100 + 99, value=20.0 + quality / 4.0)


def make_database(path, clips=200, frames=250, shift=0.0, features=len(FEATURES)):
    """clips: in titles of eight renditions; the last ones have hostile names."""
    maker = Maker(path, frames, shift, features)
    per_title = len(CODECS) * len(BITRATES)
    for number in range(1, clips + 1):
        title, place = divmod(number - 1, per_title)
        codec, bitrate = CODECS[place // len(BITRATES)], BITRATES[place % len(BITRATES)]
        name = f"title_{title:03}_{codec}_{bitrate // 1000}k"
        hostile = number - (clips - len(HOSTILE_NAMES)) - 1
        if hostile >= 0:
            name = HOSTILE_NAMES[hostile]
        status = {FAILED_CLIP: "failed", PARTIAL_CLIP: "partial", RUNNING_CLIP: "running"}.get(number, "done")
        if title == SHORT_TITLE and place == per_title - 1:
            codec = "vp9"
        maker.clip(number, name, f"title_{title:03}", codec, bitrate, status)
        if number % 40 == 5:
            maker.insert("warning", scoring=number, text=WARNINGS[number // 40 % len(WARNINGS)])
    if clips >= FAILED_CLIP:
        maker.insert("failure", scoring=FAILED_CLIP, extractor=None, frame=None, reason="encodes/x.mkv: no such file; was it moved?")
    if clips >= PARTIAL_CLIP:
        maker.insert("failure", scoring=PARTIAL_CLIP, extractor=None, frame=frames // 2,
                     reason=f"distorted: damaged at frame {frames // 2}; the frames before it are kept")
    maker.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database")
    parser.add_argument("--clips", type=int, default=200)
    parser.add_argument("--frames", type=int, default=250)
    arguments = parser.parse_args()
    make_database(arguments.database, arguments.clips, arguments.frames)


if __name__ == "__main__":
    main()
