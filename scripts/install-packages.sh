#!/usr/bin/env bash
# Installs the Debian 12 packages that building and testing vmafbatch needs, as far as they are missing. Asks nothing; does nothing
# where all are there. docs/dependencies.md says what each is for.
#
# usage: scripts/install-packages.sh [--tests]
#   --tests   the browser of the page tests as well
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config git
  libavformat-dev libavcodec-dev libavutil-dev libswscale-dev
  libtbb-dev libsqlite3-dev libsqlitecpp-dev libcsv-dev libcli11-dev nlohmann-json3-dev libspdlog-dev libfmt-dev
  libhwy-dev libboost-context-dev libxxhash-dev libcurl4-openssl-dev libssl-dev libcpp-httplib-dev
  libjs-dygraphs
  libgtest-dev libgmock-dev libbenchmark-dev
  hipcc libamdhip64-dev rocm-device-libs
  ffmpeg sqlite3 python3 clang-format clang-tidy ccache
)

case ${1:-} in
  '') ;;
  --tests) packages+=(chromium chromium-driver) ;;
  *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 2 ;;
esac

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "install-packages.sh: needs root to install: ${missing[*]}; run it as root, or install sudo" >&2
    exit 2
  fi
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
