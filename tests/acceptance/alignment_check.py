#!/usr/bin/env python3
"""Score pairs that are out of step on purpose and compare what the program says with what was done to them.

usage: alignment_check.py --vmafbatch PATH [--table FILE] [--contents A,B] [--codecs A,B] [--keep FOLDER]

Every pair is made by ffmpeg from a formula: a content (natural motion, slow pan, static, fade, noise; and the hard ones: periodic,
cuts, dissolve, slides), a fault (offsets 0, 1, 2, 7 either way, a lost picture, a doubled one, a freeze) and a codec at three
qualities or none. Right answer or silence on each, never a wrong offset. Then the same pictures in other containers, which must give
the same scores. --table writes the table of docs/alignment.md.
Exit code 0 all right, 1 something is wrong, 77 ffmpeg or one of its encoders is missing. Needs only Python's standard library.
"""
import argparse
import collections
import concurrent.futures
import csv
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

EXIT_SKIPPED = 77
FRAMES = 120
MARGIN = 20  # pictures that the source has before the reference's first
SIZE = (320, 180)
FAULT_AT = 50
FREEZE = 12

# A big picture with detail of every size to move over: any part of it looks like no other.
TEXTURE = ("mandelbrot=size=1280x720:rate=25:start_scale=0.02:end_scale=0.0199:start_x=-0.743643887037151:start_y=-0.13182590420533,"
           "trim=end_frame=1,loop=loop=400:size=1:start=0,setpts=N/25/TB,format=yuv420p")
CHECKER = "nullsrc=size=640x360:rate=25,format=gray,geq=lum='if(mod(floor(X/16)+floor(Y/16)\\,2)\\,200\\,40)':interpolation=nearest,format=yuv420p"


def crop(x, y):
    return f"crop={SIZE[0]}:{SIZE[1]}:x='{x}':y='{y}':exact=1"


SOURCES = {
    "natural motion": f"{TEXTURE},{crop('400+60*sin(n/9)+14*sin(n/2.3)+n', '250+40*sin(n/7+1)+9*sin(n/1.9)')},noise=alls=5:allf=t:all_seed=3",
    "slow pan": f"{TEXTURE},{crop('300+n', '250')},noise=alls=3:allf=t:all_seed=4",
    "static": f"{TEXTURE},{crop('500', '250')}",
    "fade": f"{TEXTURE},{crop('500', '250')},fade=in:start_frame=15:nb_frames=50,fade=out:start_frame=80:nb_frames=50",
    "noise": f"nullsrc=size={SIZE[0]}x{SIZE[1]}:rate=25,format=yuv420p,geq=lum=128:cb=128:cr=128,noise=alls=60:allf=t:all_seed=5",
    "periodic": f"{CHECKER},{crop('mod(4*n,32)', '20')}",
    "cuts": f"{TEXTURE},{crop('100+mod(floor(n/25)*317,800)+mod(n,25)*0.5', '50+mod(floor(n/25)*211,400)')},noise=alls=4:allf=t:all_seed=6",
    "dissolve": f"{TEXTURE},split[a][b];[a]{crop('150', '100')}[c];[b]{crop('700', '400')}[d];[c][d]blend=all_expr='A*(1-min(N/150\\,1))+B*min(N/150\\,1)'",
    "slides": f"{TEXTURE},{crop('100+mod(floor(n/40)*317,800)', '50+mod(floor(n/40)*211,400)')}",
    "static with grain": f"{TEXTURE},{crop('500', '250')},noise=alls=12:allf=t:all_seed=7",
}
MAIN_CONTENTS = ["natural motion", "slow pan", "static", "fade", "noise"]

# name -> (encoder, options, suffix)
CODECS = {
    "lossless": ("ffv1", [], "mkv"),
    "H.264 crf 20": ("libx264", ["-preset", "veryfast", "-crf", "20"], "mp4"),
    "H.264 crf 34": ("libx264", ["-preset", "veryfast", "-crf", "34"], "mp4"),
    "H.264 crf 46": ("libx264", ["-preset", "veryfast", "-crf", "46"], "mp4"),
    "MPEG-4 q 4": ("mpeg4", ["-qscale:v", "4"], "mkv"),
    "MPEG-4 q 12": ("mpeg4", ["-qscale:v", "12"], "mkv"),
    "MPEG-4 q 31": ("mpeg4", ["-qscale:v", "31"], "mkv"),
    "half size, crf 30": ("libx264", ["-preset", "veryfast", "-crf", "30", "-s", "160x90"], "mp4"),
}
MAIN_CODECS = ["lossless", "H.264 crf 20", "H.264 crf 34", "H.264 crf 46"]

# Pictures that a fault takes out of the source, and filters. A positive offset: the distorted shows each picture so much later.
OFFSETS = [0, 1, -1, 2, -2, 7, -7]
FAULTS = [f"offset {k:+d}" if k else "offset 0" for k in OFFSETS] + ["lost", "doubled", "freeze"]

Pair = collections.namedtuple("Pair", "content codec fault name")


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(" ".join(command) + "\n" + done.stderr.decode(errors="replace"))
    return done.stdout.decode(errors="replace")


def ffmpeg(*arguments):
    return run(["ffmpeg", "-v", "error", "-y", *arguments])


def fault_filter(fault):
    """The distorted's pictures, made of the source's."""
    first = MARGIN - (int(fault.split()[1]) if fault.startswith("offset") else 0)
    cut = f"trim=start_frame={first}:end_frame={first + FRAMES + (fault == 'lost')},setpts=N/25/TB"
    at = FAULT_AT
    if fault == "lost":
        return cut + f",select='not(eq(n,{at}))',setpts=N/25/TB"
    if fault == "doubled":
        return cut + f",loop=loop=1:size=1:start={at},setpts=N/25/TB,trim=end_frame={FRAMES}"
    if fault == "freeze":
        return cut + f",select='not(between(n,{at + 1},{at + FREEZE}))',setpts=N/25/TB,loop=loop={FREEZE}:size=1:start={at},setpts=N/25/TB"
    return cut


def slug(text):
    return re.sub(r"[^a-z0-9+-]+", "_", text.lower())


def make_source(folder, content):
    path = os.path.join(folder, slug(content) + "_source.mkv")
    if os.path.exists(path):
        return
    ffmpeg("-f", "lavfi", "-i", SOURCES[content], "-frames:v", str(FRAMES + 2 * MARGIN), "-c:v", "ffv1", "-pix_fmt", "yuv420p", path)
    reference = os.path.join(folder, slug(content) + "_ref.mkv")
    ffmpeg("-i", path, "-vf", f"trim=start_frame={MARGIN}:end_frame={MARGIN + FRAMES},setpts=N/25/TB", "-c:v", "ffv1", reference)


def make_pair(folder, pair):
    encoder, options, suffix = CODECS[pair.codec]
    source = os.path.join(folder, slug(pair.content) + "_source.mkv")
    out = os.path.join(folder, f"{pair.name}.{suffix}")
    row = {"name": pair.name, "reference": os.path.join(folder, slug(pair.content) + "_ref.mkv"), "distorted": out}
    if os.path.exists(out):  # of an earlier run with --keep
        return row
    ffmpeg("-i", source, "-vf", fault_filter(pair.fault), "-r", "25", "-threads", "1", "-c:v", encoder, *options, "-pix_fmt", "yuv420p", out)
    return row


def score(program, folder, rows, name, *options):
    catalogue = os.path.join(folder, name + ".csv")
    columns = list(rows[0])
    with open(catalogue, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    database = os.path.join(folder, name + ".db")
    for old in (database, database + "-wal", database + "-shm"):
        if os.path.exists(old):
            os.remove(old)
    run([program, "score", catalogue, "--no-model", "--feature", "psnr=enable_chroma=false", "--quiet", "-o", database, *options])
    return database


def select(database, sql):
    with sqlite3.connect(database) as connection:
        return connection.execute(sql).fetchall()


def warnings_of(database):
    texts = collections.defaultdict(list)
    for clip, text in select(database, "SELECT clip, text FROM warnings"):
        if text.startswith("the distorted "):
            texts[clip].append(text)
    return texts


def judge(fault, texts):
    """'right', 'silent' or 'WRONG: ...' for the warnings of one pair."""
    if not texts:
        return "silent"
    said = " | ".join(texts)
    wrong = "WRONG: " + said
    constant = re.search(r"starts (\d+) frames? (early|late)", said)
    if fault.startswith("offset"):
        offset = int(fault.split()[1])
        if not constant or len(texts) > 1:
            return wrong
        cure = f"skip_distorted {offset}" if offset > 0 else f"skip_reference {-offset}"
        return "right" if cure + " " in said and constant.group(2) == ("early" if offset > 0 else "late") else wrong
    if fault == "freeze":
        frozen = re.fullmatch(r"the distorted stands still .* frames (\d+) to (\d+)", said)
        # A coder may go on to refine a picture that stands still.
        inside = frozen and FAULT_AT - 3 <= int(frozen.group(1)) and int(frozen.group(2)) <= FAULT_AT + FREEZE + 3
        return "right" if inside else wrong
    state = "1 frame ahead" if fault == "lost" else "1 frame behind"
    change = re.search(r": in step, from frame (\d+)(?: to (\d+))? on " + state + r" \([^,]*\); no skip", said)
    if not change or len(texts) > 1:
        return wrong
    first, last = int(change.group(1)), int(change.group(2) or change.group(1))
    return "right" if first - 3 <= FAULT_AT <= last + 3 else wrong


def check_pairs(program, folder, contents, codecs):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda content: make_source(folder, content), contents))
        pairs = [Pair(content, codec, fault, slug(f"{content} {codec} {fault}")) for content in contents for codec in codecs for fault in FAULTS]
        rows = list(pool.map(lambda pair: make_pair(folder, pair), pairs))
    database = score(program, folder, rows, "pairs")
    texts = warnings_of(database)
    return {pair: judge(pair.fault, texts[pair.name]) for pair in pairs}, rows


# One coded stream, copied into other containers: clocks of 1/1000, 1/90000 and of the frame rate, first pictures at other times.
CONTAINERS = {"libx264": ["mp4", "mkv", "ts", "mov", "avi"], "libvpx-vp9": ["webm", "mkv", "mp4"]}
RATES = ["25", "30000/1001", "60000/1001"]


def check_containers(program, folder):
    """Sentences about streams whose scores depend on the container or on how pictures are paired."""
    rows = []
    for rate in RATES:
        base = os.path.join(folder, "rate_" + slug(rate))
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=160x90:rate={rate}", "-frames:v", "60", "-pix_fmt", "yuv420p", "-c:v", "ffv1", base + "_ref.mkv")
        for encoder, suffixes in CONTAINERS.items():
            options = ["-bf", "2"] if encoder == "libx264" else ["-deadline", "realtime", "-cpu-used", "8", "-b:v", "200k"]
            first = f"{base}_{encoder}.{suffixes[0]}"
            ffmpeg("-i", base + "_ref.mkv", "-c:v", encoder, *options, first)
            for suffix in suffixes:
                path = f"{base}_{encoder}.{suffix}"
                if path != first:
                    ffmpeg("-i", first, "-c", "copy", path)
                # AVI names no times for pictures that are coded out of their order.
                for sync in ("frame",) if suffix == "avi" else ("frame", "timestamp"):
                    rows.append({"name": f"{rate} {encoder} {sync} {suffix}", "reference": base + "_ref.mkv", "distorted": path, "sync": sync})
    database = score(program, folder, rows, "containers")
    values = collections.defaultdict(list)
    for clip, frame, value in select(database, "SELECT clip, frame, value FROM frame_features ORDER BY clip, frame"):
        values[clip].append((frame, value))
    problems = [f"{clip}: {text}" for clip, text in select(database, "SELECT clip, text FROM warnings")]
    for row in rows:
        rate, encoder = row["name"].split()[:2]
        if len(values[row["name"]]) != 60 or values[row["name"]] != values[f"{rate} {encoder} frame {CONTAINERS[encoder][0]}"]:
            problems.append(f"{row['name']}: not the scores of the first container")
    return problems, len(rows)


def table_of(results):
    """Markdown: a row for each content and codec, a column for each fault."""
    lines = ["| content | coded as | " + " | ".join(FAULTS) + " |", "| --- | --- |" + " --- |" * len(FAULTS)]
    cells = collections.defaultdict(list)
    for pair, verdict in results.items():
        good = "in step" if pair.fault == "offset 0" and verdict == "silent" else verdict
        cells[pair.content, pair.codec].append({"silent": "-", "right": "found"}.get(good, good))
    for (content, codec), verdicts in cells.items():
        lines.append(f"| {content} | {codec} | " + " | ".join(verdicts) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vmafbatch", required=True)
    parser.add_argument("--table")
    parser.add_argument("--contents", default=",".join(MAIN_CONTENTS))
    parser.add_argument("--codecs", default=",".join(MAIN_CODECS))
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.vmafbatch)
    contents = list(SOURCES) if arguments.contents == "all" else arguments.contents.split(",")
    codecs = list(CODECS) if arguments.codecs == "all" else arguments.codecs.split(",")
    if shutil.which("ffmpeg") is None:
        print("skipped: no ffmpeg")
        return EXIT_SKIPPED
    have = run(["ffmpeg", "-hide_banner", "-encoders"])
    missing = [name for name in {CODECS[codec][0] for codec in codecs} | set(CONTAINERS) if f" {name} " not in have]
    if missing:
        print("skipped: ffmpeg lacks " + ", ".join(missing))
        return EXIT_SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        results, _ = check_pairs(program, folder, contents, codecs)
        table = table_of(results)
        print(table)
        if arguments.table:
            with open(arguments.table, "w", encoding="utf-8") as file:
                file.write(table)
        counts = collections.Counter("wrong" if verdict.startswith("WRONG") else verdict for verdict in results.values())
        print(f"{len(results)} pairs: {counts['right']} right, {counts['silent']} silent, {counts['wrong']} wrong")
        problems, scored = check_containers(program, folder)
        print(f"{scored} scorings of equal pictures in other containers: {len(problems)} that differ")
        for problem in problems:
            print(problem)
        return 1 if counts["wrong"] or problems else 0


if __name__ == "__main__":
    sys.exit(main())
