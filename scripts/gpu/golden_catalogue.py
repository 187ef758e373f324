#!/usr/bin/env python3
"""Writes the golden clips and a catalogue of everything they are scored with, for `vmafbatch parity`.

usage: golden_catalogue.py --maker PATH --extractors a,b,c -o DIR [--largest SAMPLES]

One row for each option set of each extractor; rows of one clip share its files. Option sets that the reference refuses or a twin declines are left
out.
--largest leaves out clips with more luma samples a frame.
"""
import argparse, csv, json, os, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SCORES = os.path.join(HERE, "..", "..", "tests", "golden", "scores")


def make(maker, clip, path, distortion):
    with open(path, "wb") as out:
        subprocess.run([maker, clip["scene"], str(clip["width"]), str(clip["height"]), clip["chroma"], str(clip["depth"]),
                        str(clip["frames"]), str(clip["seed"]), distortion], stdout=out, check=True)


def feature_of(entry):
    options = ":".join(f"{name}={value}" for name, value in entry["options"].items())
    return entry["extractor"] + ("=" + options if options else "")


def declined(clip, entry):
    """What a twin leaves to the CPU (docs/hip.md)."""
    small = min(clip["width"], clip["height"]) < 16
    return (entry["extractor"] == "vif" and small) or entry["options"].get("adm_p_norm", "3") not in ("1", "3")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--maker", required=True)
    parser.add_argument("--extractors", required=True)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--largest", type=int, default=1 << 60)
    args = parser.parse_args()
    os.makedirs(args.output, exist_ok=True)
    wanted = set(args.extractors.split(","))
    rows = []
    for name in sorted(os.listdir(SCORES)):
        with open(os.path.join(SCORES, name)) as file:
            golden = json.load(file)
        clip = golden["clip"]
        if clip["width"] * clip["height"] > args.largest:
            continue
        entries = [e for e in golden["results"] if e["extractor"] in wanted and (e.get("frames") or e.get("undefined"))
                   and not declined(clip, e)]
        if not entries:
            continue
        pair = [os.path.join(args.output, clip["name"] + side + ".y4m") for side in ("_ref", "_dis")]
        make(args.maker, clip, pair[0], "none")
        make(args.maker, clip, pair[1], clip["distortion"])
        for number, entry in enumerate(entries):
            rows.append([os.path.basename(pair[0]), os.path.basename(pair[1]), f"{clip['name']}/{number}", feature_of(entry)])
    with open(os.path.join(args.output, "catalogue.csv"), "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["reference", "distorted", "name", "features"])
        writer.writerows(rows)
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()
