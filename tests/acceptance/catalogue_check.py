#!/usr/bin/env python3
"""Score a catalogue of 40 clips in nine kinds of files and compare with what ffmpeg finds.

usage: catalogue_check.py --vmafbatch PATH [--keep FOLDER]

Made with ffmpeg's own picture sources and encoders, in a temporary folder. Checked:
  - every clip ends as done, and its psnr and mse are those that ffmpeg's psnr filter logs, to the digits of its log;
  - a smaller rendition has the same bits as the pair that ffmpeg's scale filter brought to the reference's size beforehand;
  - threads, memory and the catalogue's order change nothing: `diff` finds the databases equal;
  - `diff` finds one value changed by one unit in the last place, one missing row, one renamed backend, and says that two empty
    databases have nothing to compare;
  - a ladder of six renditions decodes its reference once and gives the rows of six separate runs.
Exit code 0 all right, 1 something is wrong, 77 ffmpeg or one of its encoders is missing. Needs only Python's standard library.
"""
import argparse
import concurrent.futures
import csv
import math
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
from dataclasses import dataclass

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scratch_folder import scratch_folder  # noqa: E402: the folder must be on the path first

FRAMES = 6
EXIT_SKIPPED = 77
FEATURES = ["--feature", "psnr=enable_mse=true", "--feature", "motion"]
SCALE_FLAGS = "bicubic+accurate_rnd+full_chroma_int+bitexact"
NOISE = ["-vf", "noise=alls=14:allf=t"]  # distorts where the codec is lossless

# The encoders that ffmpeg must have, by kind; of several the first that is there.
ENCODERS = {"h264": ["libx264"], "hevc": ["libx265"], "vp9": ["libvpx-vp9"], "av1": ["libsvtav1", "libaom-av1"], "mpeg2": ["mpeg2video"],
            "prores": ["prores_ks"], "ffv1": ["ffv1"]}
ENCODER_OPTIONS = {
    "libx264": ["-preset", "veryfast", "-crf", "30"],
    "libx265": ["-preset", "ultrafast", "-crf", "32", "-x265-params", "log-level=error"],
    "libvpx-vp9": ["-deadline", "realtime", "-cpu-used", "8", "-crf", "40", "-b:v", "0"],
    "libsvtav1": ["-preset", "12", "-crf", "45"],
    "libaom-av1": ["-usage", "realtime", "-cpu-used", "8", "-crf", "45"],
    "mpeg2video": ["-qscale:v", "8"],
    "prores_ks": [],
    "ffv1": NOISE,
}
SUFFIXES = {"h264": "mp4", "hevc": "mkv", "vp9": "webm", "av1": "mkv", "mpeg2": "ts", "prores": "mov", "ffv1": "mkv", "y4m": "y4m", "raw": "yuv"}

# (kind, source, pixel format, reference size, distorted size where it is another)
CLIPS = [
    ("h264", "testsrc2", "yuv420p", (160, 90), None),
    ("h264", "mandelbrot", "yuv420p10le", (320, 180), None),
    ("h264", "testsrc2", "yuv422p", (176, 144), None),
    ("h264", "mandelbrot", "yuv444p", (161, 91), None),
    ("h264", "mandelbrot", "yuv420p", (320, 180), (160, 90)),
    ("hevc", "testsrc2", "yuv420p", (160, 90), None),
    ("hevc", "mandelbrot", "yuv420p10le", (320, 180), None),
    ("hevc", "testsrc2", "yuv422p10le", (176, 144), None),
    ("hevc", "mandelbrot", "yuv444p", (200, 120), None),
    ("hevc", "mandelbrot", "yuv420p10le", (320, 180), (214, 120)),
    ("vp9", "testsrc", "yuv420p", (161, 91), None),
    ("vp9", "mandelbrot", "yuv420p", (320, 180), None),
    ("vp9", "testsrc2", "yuv422p", (160, 90), None),
    ("vp9", "mandelbrot", "yuv444p", (160, 90), None),
    ("vp9", "mandelbrot", "yuv420p", (320, 180), (121, 69)),
    ("av1", "testsrc2", "yuv420p", (160, 90), None),
    ("av1", "mandelbrot", "yuv420p10le", (320, 180), None),
    ("av1", "mandelbrot", "yuv420p", (320, 180), (160, 90)),
    ("av1", "mandelbrot", "yuv420p", (176, 144), None),
    ("mpeg2", "testsrc2", "yuv420p", (160, 90), None),
    ("mpeg2", "mandelbrot", "yuv420p", (161, 91), None),
    ("mpeg2", "testsrc2", "yuv422p", (176, 144), None),
    ("mpeg2", "mandelbrot", "yuv420p", (320, 180), (176, 100)),
    ("prores", "testsrc2", "yuv422p10le", (176, 144), None),
    ("prores", "mandelbrot", "yuv422p10le", (320, 180), None),
    ("prores", "mandelbrot", "yuv422p10le", (160, 90), None),
    ("prores", "mandelbrot", "yuv422p10le", (320, 180), (160, 90)),
    ("ffv1", "testsrc", "yuv420p", (161, 91), None),
    ("ffv1", "testsrc2", "yuv422p10le", (176, 144), None),
    ("ffv1", "mandelbrot", "yuv444p12le", (160, 90), None),
    ("ffv1", "mandelbrot", "gray", (160, 90), None),
    ("y4m", "testsrc", "yuv420p", (161, 91), None),
    ("y4m", "mandelbrot", "yuv420p10le", (320, 180), None),
    ("y4m", "mandelbrot", "yuv444p", (160, 90), None),
    ("y4m", "mandelbrot", "yuv444p", (161, 91), (97, 55)),
    ("raw", "testsrc", "yuv420p", (161, 91), None),
    ("raw", "mandelbrot", "yuv420p10le", (320, 180), None),
    ("raw", "testsrc2", "yuv422p", (176, 144), None),
    ("raw", "mandelbrot", "yuv444p12le", (160, 90), None),
    ("raw", "mandelbrot", "yuv420p", (320, 180), (160, 90)),
]
# The ladder: kind and size of each rendition of one 320x180 reference.
LADDER = [("h264", (320, 180)), ("h264", (160, 90)), ("hevc", (240, 136)), ("vp9", (121, 69)), ("mpeg2", (320, 180)), ("ffv1", (320, 180))]

COLUMNS = ["name", "reference", "distorted", "width", "height", "distorted_width", "distorted_height", "pixel_format", "bit_depth"]


class Failed(Exception):
    """A command that this check needs did not work."""


@dataclass
class Clip:
    name: str
    kind: str
    source: str
    pixel_format: str
    size: tuple
    distorted_size: tuple
    reference: str = ""
    distorted: str = ""
    scaled: str = ""  # the distorted pictures at the reference's size, where the file has another

    @property
    def is_raw(self):
        return self.kind == "raw"


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **options)


def ffmpeg(*arguments):
    command = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-threads", "1", *arguments]
    done = run(command)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}\n{done.stderr.strip()}")


def missing_encoder():
    """The kind for which this ffmpeg has no encoder, or None."""
    listed = {words[1] for words in map(str.split, run(["ffmpeg", "-hide_banner", "-encoders"]).stdout.splitlines()) if len(words) > 1}
    for kind, names in ENCODERS.items():
        ENCODERS[kind] = [name for name in names if name in listed][:1]
        if not ENCODERS[kind]:
            return f"{kind} ({' or '.join(names)})"
    return None


def size_text(size):
    return f"{size[0]}x{size[1]}"


def bit_depth(pixel_format):
    depth = re.search(r"p(\d+)le$", pixel_format)
    return int(depth.group(1)) if depth else 8


# -- Making the files -----------------------------------------------------------------------------------------------------------------

def output_options(suffix):
    return {"y4m": ["-f", "yuv4mpegpipe", "-strict", "-1"], "yuv": ["-f", "rawvideo"]}.get(suffix, [])


def make_reference(folder, source, pixel_format, size, suffix):
    path = os.path.join(folder, f"{source}_{size_text(size)}_{pixel_format}.{suffix}")
    if not os.path.exists(path):
        ffmpeg("-f", "lavfi", "-i", f"{source}=s={size_text(size)}:r=25", "-frames:v", str(FRAMES), "-pix_fmt", pixel_format,
               *output_options(suffix), path)
    return path


def input_options(clip, size):
    if not clip.is_raw:
        return []
    return ["-f", "rawvideo", "-pixel_format", clip.pixel_format, "-video_size", size_text(size), "-framerate", "25"]


def encode(clip, folder):
    path = os.path.join(folder, f"{clip.name}.{SUFFIXES[clip.kind]}")
    options = list(NOISE)
    if clip.kind in ENCODERS:
        encoder = ENCODERS[clip.kind][0]
        options = ["-c:v", encoder, *ENCODER_OPTIONS[encoder]]
    if clip.distorted_size != clip.size:
        scale = f"scale={clip.distorted_size[0]}:{clip.distorted_size[1]}"
        options += ["-vf", scale + ("," + NOISE[1] if NOISE[1] in options else "")]
    ffmpeg(*input_options(clip, clip.size), "-i", clip.reference, *options, "-pix_fmt", clip.pixel_format,
           *output_options(SUFFIXES[clip.kind]), path)
    return path


def scale_beforehand(clip, folder):
    path = os.path.join(folder, f"{clip.name}.scaled.y4m")
    ffmpeg(*input_options(clip, clip.distorted_size), "-i", clip.distorted, "-vf", f"scale={clip.size[0]}:{clip.size[1]}:flags={SCALE_FLAGS}",
           "-vsync", "passthrough", "-pix_fmt", clip.pixel_format, *output_options("y4m"), path)
    return path


def make_clip(clip, folder):
    clip.distorted = encode(clip, folder)
    if clip.distorted_size != clip.size:
        clip.scaled = scale_beforehand(clip, folder)


def make_clips(folder, pool):
    clips = []
    for number, (kind, source, pixel_format, size, distorted_size) in enumerate(CLIPS):
        clips.append(Clip(f"{number:02}_{kind}_{pixel_format}", kind, source, pixel_format, size, distorted_size or size))
    for number, (kind, size) in enumerate(LADDER):
        clips.append(Clip(f"ladder_{number}_{kind}", kind, "testsrc2", "yuv420p", (320, 180), size))
    for clip in clips:  # several clips share a reference
        clip.reference = make_reference(folder, clip.source, clip.pixel_format, clip.size, "yuv" if clip.is_raw else "y4m")
    list(pool.map(lambda clip: make_clip(clip, folder), clips))
    return clips[:len(CLIPS)], clips[len(CLIPS):]


# -- The catalogue --------------------------------------------------------------------------------------------------------------------

def raw_fields(clip, distorted_size):
    layout = re.match(r"yuv(\d+)p", clip.pixel_format).group(1)
    fields = {"width": clip.size[0], "height": clip.size[1], "pixel_format": layout, "bit_depth": bit_depth(clip.pixel_format)}
    if distorted_size != clip.size:
        fields.update(distorted_width=distorted_size[0], distorted_height=distorted_size[1])
    return fields


def catalogue_row(clip):
    row = {"name": clip.name, "reference": clip.reference, "distorted": clip.distorted}
    return row | (raw_fields(clip, clip.distorted_size) if clip.is_raw else {})


def scaled_row(clip, folder):
    """The pair that was scaled beforehand; as Y4M on both sides."""
    reference = make_reference(folder, clip.source, clip.pixel_format, clip.size, "y4m")
    return {"name": clip.name + "_scaled", "reference": reference, "distorted": clip.scaled}


def write_catalogue(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


# -- Checks ---------------------------------------------------------------------------------------------------------------------------

class Checks:
    """Counts what was compared and what was wrong."""

    def __init__(self):
        self.done = 0
        self.wrong = 0

    def expect(self, condition, sentence):
        self.done += 1
        if not condition:
            self.wrong += 1
            print("WRONG:", sentence)


def score(program, catalogue, database, *options):
    done = run([program, "score", catalogue, "--no-model", *FEATURES, "--output", database, *options])
    if done.returncode != 0:
        raise Failed(f"score {catalogue} {' '.join(options)} ended with {done.returncode}\n{done.stderr.strip()}")
    return done.stderr


def values_of(database):
    """{clip: {(frame, feature): bits}}"""
    clips = {}
    with sqlite3.connect(database) as connection:
        for clip, frame, feature, value in connection.execute("SELECT clip, frame, feature, value FROM frame_features"):
            clips.setdefault(clip, {})[frame, feature] = struct.pack("<d", value)
    connection.close()
    return clips


def ffmpeg_psnr(clip, folder):
    """What ffmpeg's psnr filter logs: one {"psnr_y": text, ...} a frame."""
    log = os.path.join(folder, f"{clip.name}.psnr")
    # The containers' clocks differ; frame n goes with frame n.
    count = "settb=1/25,setpts=N"
    distorted = ["-i", clip.scaled] if clip.scaled else [*input_options(clip, clip.size), "-i", clip.distorted]
    ffmpeg(*distorted, *input_options(clip, clip.size), "-i", clip.reference, "-lavfi",
           f"[0:v]{count}[d];[1:v]{count}[r];[d][r]psnr=stats_file={log}", "-f", "null", "-")
    with open(log, encoding="ascii") as file:
        return [dict(pair.split(":") for pair in line.split()) for line in file]


def agrees(ours, logged, cap):
    """Equal to the two digits of ffmpeg's log. Identical planes: ffmpeg has infinity, we have the cap."""
    if logged == "inf":
        return ours == cap
    return abs(ours - min(float(logged), cap)) <= 0.005 + 1e-9


def check_psnr(clip, values, log, checks):
    checks.expect(len(log) == FRAMES, f"{clip.name}: ffmpeg sees {len(log)} frames, not {FRAMES}")
    planes = [("y", "y"), ("u", "cb"), ("v", "cr")] if clip.pixel_format != "gray" else [("y", "y")]
    lossy = False
    for frame, line in enumerate(log):
        for theirs, ours in planes:
            for kind, cap in (("psnr", 6 * bit_depth(clip.pixel_format) + 12), ("mse", math.inf)):
                logged = line[f"{kind}_{theirs}"]
                bits = values.get((frame, f"{kind}_{ours}"))
                value = math.nan if bits is None else struct.unpack("<d", bits)[0]
                lossy = lossy or (kind == "mse" and value > 0)
                checks.expect(agrees(value, logged, cap), f"{clip.name} frame {frame} {kind}_{ours}: {value!r}, ffmpeg logs {logged}")
    checks.expect(lossy, f"{clip.name}: the pair has no difference, so it shows nothing")


def check_catalogue(clips, database, folder, pool, checks):
    connection = sqlite3.connect(database)
    status = dict(connection.execute("SELECT c.name, s.status FROM scoring s JOIN clip c ON c.id = s.clip"))
    connection.close()
    values = values_of(database)
    logs = list(pool.map(lambda clip: ffmpeg_psnr(clip, folder), clips))
    for clip, log in zip(clips, logs):
        checks.expect(status.get(clip.name) == "done", f"{clip.name}: status {status.get(clip.name)}")
        check_psnr(clip, values.get(clip.name, {}), log, checks)
        if clip.scaled:
            checks.expect(values[clip.name] == values[clip.name + "_scaled"],
                          f"{clip.name}: scaled by vmafbatch and scaled by ffmpeg beforehand differ")


def diff(program, old, new, code, words, checks):
    done = run([program, "diff", old, new])
    what = f"diff {os.path.basename(old)} {os.path.basename(new)}"
    checks.expect(done.returncode == code, f"{what} ended with {done.returncode}, not {code}: {done.stdout.strip()} {done.stderr.strip()}")
    for word in words:
        checks.expect(word in done.stdout, f"{what} does not name {word!r}: {done.stdout.strip()}")


def check_order(program, rows, database, folder, checks):
    """Threads, memory and the order of the catalogue do not show in the scores."""
    catalogue = write_catalogue(os.path.join(folder, "again.csv"), rows)
    backwards = write_catalogue(os.path.join(folder, "backwards.csv"), rows[::-1])
    for name, file, threads, memory in (("1_thread", catalogue, "1", "1G"), ("2_threads", catalogue, "2", "1"), ("8_threads", catalogue, "8", "1M"),
                                        ("backwards", backwards, "2", "1G")):
        other = os.path.join(folder, f"{name}.db")
        score(program, file, other, "--threads", threads, "--memory", memory)
        diff(program, database, other, 0, ["equal"], checks)


def changed_copy(database, path, statements):
    shutil.copyfile(database, path)
    connection = sqlite3.connect(path)
    with connection:
        for sql, arguments in statements:
            changed = connection.execute(sql, arguments).rowcount
            if changed == 0:
                raise Failed(f"nothing changed: {sql}")
    connection.close()
    return path


def next_double(value):
    return struct.unpack("<d", struct.pack("<q", struct.unpack("<q", struct.pack("<d", value))[0] + 1))[0]


def check_diff(program, clip, database, folder, checks):
    """`diff` sees the smallest change."""
    connection = sqlite3.connect(database)
    column, value = connection.execute(
        "SELECT v.scoring_feature, v.value FROM frame_score v JOIN scoring_feature sf ON sf.id = v.scoring_feature JOIN feature f ON "
        "f.id = sf.feature JOIN scoring s ON s.id = sf.scoring JOIN clip c ON c.id = s.clip WHERE c.name = ? AND f.name = 'psnr_y' AND "
        "v.frame = 3", (clip,)).fetchone()
    scoring = connection.execute("SELECT s.id FROM scoring s JOIN clip c ON c.id = s.clip WHERE c.name = ?", (clip,)).fetchone()[0]
    connection.close()
    where = "WHERE scoring_feature = ? AND frame = 3"
    changes = {
        "one_ulp": ([(f"UPDATE frame_score SET value = ? {where}", (next_double(value), column))], [clip, "psnr_y", "1 of 6 frames", "frame 3"]),
        "one_row": ([(f"DELETE FROM frame_score {where}", (column,))], [clip, "psnr_y", "only in old", "first 3"]),
        "backend": ([("UPDATE feature_backend SET backend = 'abacus' WHERE scoring = ? AND extractor = 0", (scoring,))],
                    [clip, "backend of psnr", "abacus"]),
    }
    for name, (statements, words) in changes.items():
        diff(program, database, changed_copy(database, os.path.join(folder, f"{name}.db"), statements), 1, words, checks)
    empty = changed_copy(database, os.path.join(folder, "empty.db"), [(f"DELETE FROM {table}", ()) for table in (
        "frame_score", "pooled_score", "scoring_feature", "feature_backend", "scoring_extractor", "scoring", "clip")])
    diff(program, empty, empty, 2, [], checks)


def check_ladder(program, rungs, folder, checks):
    rows = [catalogue_row(rung) for rung in rungs]
    together = os.path.join(folder, "ladder.db")
    said = score(program, write_catalogue(os.path.join(folder, "ladder.csv"), rows), together)
    checks.expect(f", {FRAMES} reference pictures decoded" in said, f"the ladder does not decode its reference once: {said.strip()}")
    separate = os.path.join(folder, "separate.db")
    for row in rows:
        score(program, write_catalogue(os.path.join(folder, "rung.csv"), [row]), separate)
    diff(program, together, separate, 0, [f"{len(rows)} clips"], checks)


def check(program, folder, pool):
    checks = Checks()
    clips, rungs = make_clips(folder, pool)
    rows = [catalogue_row(clip) for clip in clips]
    rows += [scaled_row(clip, folder) for clip in clips if clip.scaled]
    database = os.path.join(folder, "scores.db")
    print(score(program, write_catalogue(os.path.join(folder, "catalogue.csv"), rows), database).strip())
    check_catalogue(clips, database, folder, pool, checks)
    check_order(program, rows, database, folder, checks)
    check_diff(program, clips[0].name, database, folder, checks)
    check_ladder(program, rungs, folder, checks)
    print(f"{len(clips)} clips, {checks.done} comparisons, {checks.wrong} wrong")
    return 0 if checks.wrong == 0 else 1


def main():
    parser = argparse.ArgumentParser(description="Compare a catalogue's scores with ffmpeg's.")
    parser.add_argument("--vmafbatch", required=True, help="the program")
    parser.add_argument("--keep", help="make the files here and leave them (a new folder)")
    arguments = parser.parse_args()
    if shutil.which("ffmpeg") is None:
        print("skipped: there is no ffmpeg program")
        return EXIT_SKIPPED
    if missing := missing_encoder():
        print(f"skipped: this ffmpeg has no encoder for {missing}")
        return EXIT_SKIPPED
    try:
        with scratch_folder(arguments.keep, "catalogue_check_") as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return check(os.path.abspath(arguments.vmafbatch), folder, pool)
    except Failed as failure:
        print("WRONG:", failure)
        return 1


if __name__ == "__main__":
    sys.exit(main())
