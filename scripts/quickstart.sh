#!/usr/bin/env bash
# From a fresh Debian 12 to scores: installs the packages that are missing, builds the program, makes the example clips, gets a VMAF
# model where there is a network, scores examples/catalogue.csv, and prints what the database says. Running it again rebuilds nothing
# and scores nothing twice.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=build/release/bin/vmafbatch
database=out/quickstart.db
model=vmaf_v0.6.1
log=out/quickstart.log
mkdir -p out

step() { printf '\n== %s\n' "$*"; }

# statement NAME: the SQL under `-- name: NAME` in examples/queries.sql, without its comment lines.
statement() {
  awk -v wanted="-- name: $1" '/^-- name: /{on = ($0 == wanted); next} on && !/^--/ && NF' examples/queries.sql
}

show() {
  local sql
  sql=$(statement "$1")
  printf '\n%s\n\n' "$sql"
  "$program" query "$database" "$sql" --format table
}

step "packages"
scripts/install-packages.sh
echo "all there"

step "build"
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
if [[ ! -e build/release/build.ninja ]]; then
  cmake --preset release >"$log" || { cat "$log" >&2; exit 2; }
fi
cmake --build --preset release --target vmafbatch

step "example clips"
scripts/make-example-clips.sh
echo "in examples/clips"

# With a model the scores go into a database of their own: a clip's scores under other models would need another --label.
step "a VMAF model"
models=(--no-model)
if "$program" models | grep "^$model " >/dev/null || "$program" models fetch "$model"; then
  models=(--model "$model")
  database=out/quickstart_vmaf.db
else
  echo "goes on without a model: psnr and motion only"
fi

step "score"
# One clip of the catalogue is broken on purpose, so 1 ("some clips failed or are partial") is the right answer here.
set -x
code=0
"$program" score examples/catalogue.csv --feature psnr --feature motion "${models[@]}" --output "$database" || code=$?
{ set +x; } 2>/dev/null
if ((code != 1)); then
  echo "quickstart.sh: vmafbatch score ended with $code; 1 was expected, for the broken clip" >&2
  exit 2
fi
echo "exit code 1: one clip of the catalogue is broken on purpose, the others are scored"

step "the scores"
show scores
if [[ ${models[0]} == --model ]]; then show model; fi
step "one title, several renditions"
show ladder
step "what failed"
show failures

printf '\nThe database is %s; more questions to it are in examples/queries.sql.\n' "$database"
