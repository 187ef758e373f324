#!/usr/bin/env bash
# Makes the clips that examples/catalogue.csv names, with ffmpeg's own picture sources. Clips that are there already are left alone.
#
# usage: make-example-clips.sh [FOLDER]     (default: examples/clips of this project)
set -euo pipefail

folder=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/examples/clips}
mkdir -p "$folder"
cd "$folder"

# make FILE ARGUMENT...: one ffmpeg call that writes FILE. A name of its own until it is whole: an interrupted call leaves no half clip.
make() {
  local file=$1
  shift
  [[ -s $file ]] && return
  echo "making $file"
  ffmpeg -nostdin -hide_banner -loglevel error -y "$@" -an -fflags +bitexact -flags:v +bitexact "unfinished-$file"
  mv "unfinished-$file" "$file"
}

has_encoder() { ffmpeg -hide_banner -loglevel error -h "encoder=$1" 2>/dev/null | grep -q '^Encoder'; }

# reference FILE SOURCE FORMAT: two seconds of a source, lossless.
reference() { make "$1" -f lavfi -i "$2" -t 2 -pix_fmt "$3" -c:v ffv1 -level 3 -g 1; }

reference testsrc.mkv "testsrc2=size=640x360:rate=24" yuv420p
reference mandelbrot.mkv "mandelbrot=size=960x540:rate=24:start_scale=0.3:end_scale=0.02:end_pts=48" yuv420p
reference life.mkv "life=size=320x180:rate=24:seed=7:mold=10:ratio=0.2:death_color=#402040:life_color=#e0f0a0:mold_color=#204060,scale=640:360:flags=neighbor" yuv420p
reference bars.mkv "smptebars=size=720x576:rate=25,noise=alls=6:all_seed=5" yuv422p
reference gradients_10bit.mkv "gradients=size=640x360:rate=24:seed=11:c0=navy:c1=gold:nb_colors=2:x0=0:y0=0:x1=640:y1=360,noise=alls=2:all_seed=3" yuv420p10le
reference odd.mkv "testsrc=size=401x299:rate=24" yuv420p

make testsrc_h264.mp4 -i testsrc.mkv -c:v libx264 -crf 30 -preset veryfast
make life_hevc.mkv -i life.mkv -c:v libx265 -crf 30 -preset veryfast -x265-params log-level=error
make mandelbrot_vp9.webm -i mandelbrot.mkv -c:v libvpx-vp9 -b:v 400k -deadline realtime -cpu-used 6
make bars_mpeg2.ts -i bars.mkv -c:v mpeg2video -profile:v 0 -level:v 5 -pix_fmt yuv422p -q:v 6
make gradients_10bit_hevc.mkv -i gradients_10bit.mkv -c:v libx265 -pix_fmt yuv420p10le -crf 28 -preset veryfast -x265-params log-level=error
make odd_vp9.webm -i odd.mkv -c:v libvpx-vp9 -b:v 200k -deadline realtime -cpu-used 6
for height in 360 270 180; do
  make "mandelbrot_${height}p.mp4" -i mandelbrot.mkv -vf "scale=-2:$height:flags=bicubic" -c:v libx264 -crf 26 -preset veryfast
done

# AV1 where this ffmpeg can write it, else another h264 clip, so that the catalogue's row has its file.
if has_encoder libsvtav1; then
  SVT_LOG=1 make testsrc_av1.mkv -i testsrc.mkv -c:v libsvtav1 -crf 45 -preset 10
elif has_encoder libaom-av1; then
  make testsrc_av1.mkv -i testsrc.mkv -c:v libaom-av1 -crf 45 -cpu-used 8
else
  echo "this ffmpeg has no AV1 encoder: testsrc_av1.mkv becomes an h264 clip"
  make testsrc_av1.mkv -i testsrc.mkv -c:v libx264 -crf 36 -preset veryfast
fi

# Raw planes: nothing in the file tells the size, the catalogue's row does.
make testsrc_raw.yuv -i testsrc.mkv -f rawvideo -pix_fmt yuv420p
make testsrc_raw_h264.yuv -i testsrc_h264.mp4 -f rawvideo -pix_fmt yuv420p

# A download that stopped: the index is there (faststart), the last third of the pictures is not.
make whole.mp4 -i testsrc.mkv -c:v libx264 -crf 24 -preset veryfast -movflags +faststart
if [[ ! -s broken.mp4 ]]; then
  echo "making broken.mp4"
  head -c $(($(stat -c %s whole.mp4) * 2 / 3)) whole.mp4 >unfinished-broken.mp4
  mv unfinished-broken.mp4 broken.mp4
fi
