#!/usr/bin/env bash
# The proof on a GPU: devices, the parity gate over the golden clips and over a 1920x1080 and a 3840x2160 pair, and the speed of
# both. Needs a built program whose module finds a device, python3, and either a C++ compiler or a built make_clips.
#
# usage: scripts/gpu/check.sh [--program PATH] [--maker PATH] [--backend hip|hip-host] [--frames N] [--extractors A,B] [--model FILE] [--work DIR] [--quick]
#   --program  the built program (default: build/release/bin/vmafbatch)
#   --maker    a built tests/golden/make_clips.cpp (default: compiled now)
#   --frames   of the two large pairs (default 48)
#   --extractors  A,B of those with a twin (default: all)
#   --model    a VMAF model file to time as well
#   --work     a folder in memory for the clips (default: a new one in /dev/shm)
#   --quick    golden clips up to 200x200 only, no large pairs
# Exit code 0: every value identical, no fallback.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

program=build/release/bin/vmafbatch maker= backend=hip frames=48 model= work= quick=0
extractors=psnr,float_psnr,float_moment,motion,motion_v2,float_motion,vif,float_vif,adm,float_adm
while (($# > 0)); do
  case $1 in
    --program) program=$2; shift ;;
    --maker) maker=$2; shift ;;
    --backend) backend=$2; shift ;;
    --frames) frames=$2; shift ;;
    --model) model=$2; shift ;;
    --work) work=$2; shift ;;
    --extractors) extractors=$2; shift ;;
    --quick) quick=1 ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 2 ;;
  esac
  shift
done
if [[ -z $work ]]; then
  work=$(mktemp -d /dev/shm/vmafbatch_gpu.XXXXXX) || exit 2
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
if [[ -z $maker ]]; then
  maker=$work/make_clips
  c++ -std=c++20 -O2 tests/golden/make_clips.cpp -o "$maker" || exit 2
fi

code=0
title() { printf '\n== %s\n' "$1"; }

large_pair() { # NAME WIDTH HEIGHT DEPTH
  "$maker" nature "$2" "$3" 420 "$4" "$frames" 29 none >"$work/$1_ref.y4m" &
  "$maker" nature "$2" "$3" 420 "$4" "$frames" 29 quantise:2500 >"$work/$1_dis.y4m" &
}
if ((quick == 0)); then # while the golden clips are compared
  large_pair hd 1920 1080 8
  large_pair uhd 3840 2160 10
fi

title "devices"
"$program" devices || code=1

title "parity: golden clips"
largest=$((quick ? 40000 : 1 << 40))
python3 scripts/gpu/golden_catalogue.py --maker "$maker" --extractors "$extractors" -o "$work/golden" --largest "$largest" || exit 2
"$program" parity "$work/golden/catalogue.csv" --no-model --backends "cpu,$backend" --quiet || code=1

if ((quick == 0)); then
  wait
  features=()
  for name in ${extractors//,/ }; do features+=(--feature "$name"); done
  for pair in hd uhd; do
    title "parity: $pair, $frames frames"
    "$program" parity --reference "$work/${pair}_ref.y4m" --distorted "$work/${pair}_dis.y4m" --no-model "${features[@]}" \
      --backends "cpu,$backend" --quiet || code=1
    for name in ${extractors//,/ } ${model:+model}; do
      what=(--no-model --feature "$name")
      [[ $name == model ]] && what=(--model "$model")
      rm -f "$work/speed.db"
      printf '%-14s ' "$name"
      "$program" score --reference "$work/${pair}_ref.y4m" --distorted "$work/${pair}_dis.y4m" --backend "$backend" "${what[@]}" \
        -o "$work/speed.db" 2>&1 | grep -oE '[0-9]+ frames in .*' || code=1
    done
  done
fi
exit $code
