#!/usr/bin/env bash
# Everything that must hold before a change is taken: the suite in the release build, under AddressSanitizer and
# UndefinedBehaviorSanitizer, the plain-thread tests under ThreadSanitizer, format, clang-tidy, the architecture checks, and the golden
# scores through the command line. Goes on after a failure; the last line counts like ctest's. Exit code 0: all passed.
#
# usage: scripts/test.sh [--quick] [--jobs N]
#   --quick    release build and its suite without the large golden clips, format and architecture only
#   --jobs N   processes at a time (default: the number of cores)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

quick=0
jobs=$(nproc)
while (($# > 0)); do
  case $1 in
    --quick) quick=1 ;;
    --jobs) jobs=${2:?--jobs needs a number}; shift ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 2 ;;
  esac
  shift
done

total=0
failed=()
logs=out/test
mkdir -p "$logs"

# step NAME COMMAND...: one check that counts as one test; its output is shown where it fails.
step() {
  local name=$1 log start=$SECONDS
  shift
  log=$logs/${name// /_}.log
  total=$((total + 1))
  if "$@" >"$log" 2>&1; then
    printf '%-44s passed  %4d s\n' "$name" $((SECONDS - start))
  else
    printf '%-44s FAILED  %4d s\n' "$name" $((SECONDS - start))
    tail -n 60 "$log"
    failed+=("$name")
    return 1
  fi
}

# suite NAME COMMAND...: a ctest call; each of its tests counts.
suite() {
  local name=$1 log start=$SECONDS code=0 summary
  shift
  log=$logs/${name// /_}.log
  "$@" >"$log" 2>&1 || code=$?
  summary=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1)
  if [[ $summary =~ passed,\ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    total=$((total + BASH_REMATCH[2]))
    printf '%-44s %d of %d passed  %4d s\n' "$name" $((BASH_REMATCH[2] - BASH_REMATCH[1])) "${BASH_REMATCH[2]}" $((SECONDS - start))
    ((BASH_REMATCH[1] == 0)) && return
    grep -E '^\s*[0-9]+/[0-9]+ Test.*(Failed|Timeout|Exception|Not Run)' "$log" | head -n 40
    tail -n 60 "$log"
    while read -r test; do failed+=("$name: $test"); done < <(sed -nE '/\(Skipped\)$/!s/^\s*[0-9]+ - (\S.*) \([^()]+\)$/\1/p' "$log")
  else
    total=$((total + 1))
    failed+=("$name: no tests ran (exit $code)")
    tail -n 60 "$log"
  fi
}

# build PRESET OPTION...: configures with the options, and builds.
build() { cmake --preset "$@" && cmake --build --preset "$1" -j "$jobs"; }

sources() { git ls-files -co --exclude-standard -- src cli tests bench | grep -E '\.(h|cpp|cu)$' || true; }

check_format() { sources | xargs -r clang-format --dry-run -Werror; }

# One clang-tidy per file of src/ and cli/ that the release build compiles. The vector files are left out: Highway compiles each once per
# target from inside its own macros, so most of what is found there is Highway's, and each costs a minute.
check_tidy() {
  local files
  files=$(git ls-files -co --exclude-standard -- src cli | grep '\.cpp$' | xargs grep -L 'hwy/foreach_target.h' | while read -r file; do
    grep -q "\"file\": \"$PWD/$file\"" build/release/compile_commands.json && echo "$file"
  done)
  [[ -n $files ]] || { echo "no source to check"; return 1; }
  printf '%s\n' "$files" | xargs -P "$jobs" -n 1 clang-tidy -p build/release --quiet
}

# The golden scores through the command line, for the extractors that the program has: size, depth, chroma and edge cases in small clips.
check_golden() {
  local program=$PWD/build/release/bin/vmafbatch clip name names all=1 code=0
  local -a clips=(nature_177x179_420_8_blur nature_352x288_444_8_quantise noise_192x176_420_10 nature_16x16_420_8_blur) registered=()
  names=$(python3 -c 'import glob, json; print(*sorted({e["extractor"] for f in glob.glob("tests/golden/scores/*.json") for e in json.load(open(f))["results"]}))')
  for name in $names; do
    if "$program" features --describe "$name" >/dev/null 2>&1; then registered+=("$name"); else all=0; fi
  done
  ((${#registered[@]} > 0)) || { echo "the program has none of: $names"; return 1; }
  for clip in "${clips[@]}"; do
    if ((all)); then
      python3 tests/golden/check.py --vmafbatch "$program" --jobs "$jobs" --clip "$clip" || code=1
    else
      for name in "${registered[@]}"; do
        python3 tests/golden/check.py --vmafbatch "$program" --jobs "$jobs" --clip "$clip" --extractor "$name" || code=1
      done
    fi
  done
  return $code
}

# ThreadSanitizer of GCC 12 stops where the kernel spreads addresses too far; without randomisation it always runs.
fixed_addresses() {
  if setarch "$(uname -m)" -R true 2>/dev/null; then setarch "$(uname -m)" -R "$@"; else "$@"; fi
}

step "packages" scripts/install-packages.sh --tests || exit 2
export VMAFBATCH_BROWSER=required  # tests of the pages fail where they cannot run, instead of being skipped
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1
fi

step "clang-format" check_format
# The AMD module's compiler is a Debian package: its code objects and their arithmetic are always checked.
if step "build release" build release -DVMAFBATCH_HIP_AMD=ON; then
  if ((quick)); then
    suite "suite release" ctest --preset release -j "$jobs" -E 'Golden.*(3840x2160|1920x1080)'
  else
    suite "suite release" ctest --preset release -j "$jobs"
    step "golden scores by command line" check_golden
    step "clang-tidy" check_tidy
  fi
fi
if ((!quick)); then
  if step "build asan-ubsan" build asan-ubsan; then
    UBSAN_OPTIONS=print_stacktrace=1 suite "suite asan-ubsan" ctest --preset asan-ubsan -j "$jobs"
  fi
  if step "build tsan" build tsan; then
    suite "suite tsan" fixed_addresses ctest --preset tsan -j "$jobs" -L tsan
  fi
fi

echo
if ((${#failed[@]} > 0)); then
  printf 'failed: %s\n' "${failed[@]}"
fi
printf '%d%% tests passed, %d tests failed out of %d (%d s)\n' \
  $(((total - ${#failed[@]}) * 100 / total)) "${#failed[@]}" "$total" "$SECONDS"
((${#failed[@]} == 0))
