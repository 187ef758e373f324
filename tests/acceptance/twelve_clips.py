"""A catalogue of twelve small clips in several containers, made by ffmpeg from its own picture sources, for the kill and fault checks.

Among them: a ladder of three renditions of one MP4 (key frames every 25, B frames), a pair by timestamps, a cut by time, skipped frames,
a subsample, 10 bits, a transport stream, raw video, and one pair whose distorted file is damaged in the middle and ends as `partial`.
"""
import csv
import os
import shutil
import subprocess

ENCODERS = ("libx264", "ffv1", "mpeg2video")
SIZE = (112, 80)
SOURCE = "testsrc2=s=112x80:r=25"  # moves, has detail and a counter: no two pictures are equal
NOISE = "noise=alls=14:allf=t:all_seed=7"
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-bf", "2", "-threads", "1"]
COLUMNS = ["name", "reference", "distorted", "width", "height", "pixel_format", "sync", "start", "duration", "skip_reference",
           "skip_distorted", "frames", "subsample", "tag.kind"]

# All of them need several neighbours, the whole clip, or both; and each is quick at this size.
FEATURES = ["psnr=enable_mse=true:enable_apsnr=true", "motion", "motion_v2", "float_motion", "vif", "adm", "float_ssim", "speed_temporal",
            "float_moment", "ssim"]
BOOTSTRAP_MODEL = "vmaf_b_v0.6.3.json"


def missing():
    """What this machine lacks for making the clips, or None."""
    if shutil.which("ffmpeg") is None:
        return "there is no ffmpeg program"
    listed = subprocess.run(["ffmpeg", "-hide_banner", "-encoders"], capture_output=True, text=True, check=True).stdout
    lacking = [encoder for encoder in ENCODERS if f" {encoder} " not in listed]
    return f"this ffmpeg has no encoder {', '.join(lacking)}" if lacking else None


def feature_arguments(features=None):
    """The arguments of `score`, with a bootstrap model where VMAFBATCH_TEST_MODELS names a folder that has it."""
    arguments = [word for feature in features or FEATURES for word in ("--feature", feature)]
    model = os.path.join(os.environ.get("VMAFBATCH_TEST_MODELS", ""), BOOTSTRAP_MODEL)
    return arguments + (["--model", model] if os.path.isfile(model) else ["--no-model"])


def ffmpeg(*arguments):
    command = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise OSError(f"{' '.join(command)}\n{done.stderr.strip()}")


def make(folder, name, frames, *options, pixel_format="yuv420p", source=SOURCE):
    ffmpeg("-f", "lavfi", "-i", source, "-frames:v", str(frames), "-pix_fmt", pixel_format, "-fflags", "+bitexact", "-flags:v", "+bitexact",
           *options, os.path.join(folder, name))
    return name


def damage(folder, name, damaged):
    """A copy whose pictures in the middle are unreadable: their slices' bytes are turned over."""
    with open(os.path.join(folder, name), "rb") as file:
        data = bytearray(file.read())
    middle = len(data) * 6 // 10
    for at in range(middle, middle + 400):
        data[at] ^= 0xFF
    with open(os.path.join(folder, damaged), "wb") as file:
        file.write(data)
    return damaged


def make_catalogue(folder, scale=1.0):
    """Makes the files and the catalogue; `scale` stretches the clips. Gives the catalogue's path."""
    os.makedirs(folder, exist_ok=True)

    def frames(count):
        return max(30, round(count * scale))

    def h264(crf, *more):
        return [*H264, "-crf", str(crf), *more]

    title = make(folder, "title.mp4", frames(110), *h264(12))
    long = make(folder, "long.mp4", frames(160), *h264(12))
    mezzanine = make(folder, "mezzanine.mkv", frames(80), "-c:v", "ffv1", "-g", "1")
    deep = make(folder, "deep.mkv", frames(60), *h264(10), pixel_format="yuv420p10le")
    plain = make(folder, "plain.y4m", frames(70), "-f", "yuv4mpegpipe")
    raw = make(folder, "raw.yuv", frames(70), "-f", "rawvideo")
    stream = make(folder, "stream.ts", frames(75), "-c:v", "mpeg2video", "-qscale:v", "3", "-g", "12", "-bf", "2")
    dropped = ["-vf", "select='not(eq(mod(n\\,9)\\,4))'", "-vsync", "vfr"]  # every ninth picture is not there

    rows = [
        {"name": "ladder_high", "reference": title, "distorted": make(folder, "high.mp4", frames(110), *h264(24))},
        {"name": "ladder_low", "reference": title, "distorted": make(folder, "low.mp4", frames(110), *h264(38))},
        {"name": "ladder_half", "reference": title, "distorted": make(folder, "half.mp4", frames(110), *h264(28, "-s", "56x40"))},
        {"name": "mkv", "reference": mezzanine, "distorted": make(folder, "mkv.mkv", frames(80), *h264(30))},
        {"name": "ten_bits", "reference": deep, "distorted": make(folder, "deep_low.mkv", frames(60), *h264(34), pixel_format="yuv420p10le")},
        {"name": "y4m", "reference": plain, "distorted": make(folder, "noisy.y4m", frames(70), "-vf", NOISE, "-f", "yuv4mpegpipe")},
        {"name": "raw", "reference": raw, "distorted": make(folder, "noisy.yuv", frames(70), "-vf", NOISE, "-f", "rawvideo"),
         "width": SIZE[0], "height": SIZE[1], "pixel_format": "420"},
        {"name": "stream", "reference": stream, "distorted": make(folder, "stream_low.ts", frames(75), "-c:v", "mpeg2video", "-qscale:v", "12",
                                                                  "-g", "12", "-bf", "2"), "subsample": 3},
        {"name": "by_time", "reference": mezzanine, "distorted": make(folder, "dropped.mkv", frames(70), *h264(26), *dropped),
         "sync": "timestamp"},
        {"name": "cut", "reference": long, "distorted": make(folder, "cut.mp4", frames(160), *h264(30)), "start": "1.2", "duration": "4"},
        {"name": "skipped", "reference": long, "distorted": make(folder, "skipped.mp4", frames(160), *h264(27)), "skip_reference": 31,
         "skip_distorted": 31, "frames": frames(100)},
    ]
    whole = make(folder, "whole.mp4", frames(160), *h264(22))
    rows.append({"name": "damaged", "reference": long, "distorted": damage(folder, whole, "damaged.mp4")})
    for row in rows:
        row["tag.kind"] = row["distorted"].rsplit(".", 1)[1]
    path = os.path.join(folder, "catalogue.csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path
