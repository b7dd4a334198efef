# SPDX-License-Identifier: Apache-2.0
#
# Runs the steps of a list such as .ci/run, which reads this file:
#
#   step NAME COMMAND...              the list ends where it fails
#   try NAME COMMAND...               for a step that keeps up with real time while others compute: where it fails,
#                                     `again` runs it once more
#   start NAME [HOW] COMMAND...       in the background, until `await NAME`. HOW is `apart` for a command that compiles,
#                                     or `idle` for one that also takes only the processor time that others leave
#   await NAME                        shows what it printed; the list ends where it failed
#   try_await NAME                    the same, but where it failed `again` runs it once more
#   again                             the steps that failed so far, one at a time
#   in_turn NAME COMMAND...           the command of a `start`: pairs of a name and a command in one word, each `idle`,
#                                     until one fails
#   finish_steps                      the times of all
#
# With `--plan` the list is printed, and nothing runs.

set -euo pipefail
exec < /dev/null
is_plan=
[ "${1-}" != --plan ] || is_plan=yes

logs=$(mktemp -d)
background=()
# shellcheck disable=SC2317 # called by the trap
end_background() {
  local name
  for name in ${background[@]+"${background[@]}"}; do kill -- "-$(cat "$logs/$name.pid")" 2> /dev/null || true; done
  rm -rf "$logs"
}
trap end_background EXIT

# planned VERB NAME COMMAND...: true where the list is only printed, which this does.
planned() {
  [ -n "$is_plan" ] || return 1
  if [ "${3-}" = in_turn ]; then
    printf '%-10s %s\n' "$1" "$2"
    printf -- '  in turn  %-44s %s\n' "${@:4}"
  else
    printf '%-10s %-44s %s\n' "$1" "$2" "${*:3}"
  fi
}

timings=()
paid=0
# timed SECONDS NAME: with the processor time since the last one.
timed() {
  local now
  times > "$logs/times"
  now=$(awk -F'[ms ]+' 'NR == 2 { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$logs/times")
  timings+=("$(printf '%5d s, %4d s of processor  %s' "$1" $((now - paid)) "$2")")
  paid=$now
}

# failed NAME SECONDS LOG: ends the list; what failed stands last.
failed() {
  printf '%s\n' ${timings[@]+"${timings[@]}"} >&2
  scripts/failed-tests "$3" >&2
  echo "== $1: FAILED after $2 s" >&2
  exit 1
}

step() {
  local name=$1 start=$SECONDS
  shift
  planned step "$name" "$@" && return
  echo "== $name"
  "$@" 2>&1 | tee "$logs/step" || failed "$name" $((SECONDS - start)) "$logs/step"
  timed $((SECONDS - start)) "$name"
}

tried=()
# tried_once NAME LOG COMMAND...
tried_once() {
  echo "== $1: failed while others ran; once more when they have ended"
  scripts/failed-tests "$2"
  tried+=("$1" "$(printf '%q ' "${@:3}")")
}

try() {
  local name=$1 start=$SECONDS
  shift
  planned try "$name" "$@" && return
  echo "== $name"
  "$@" 2>&1 | tee "$logs/step" || tried_once "$name" "$logs/step" "$@"
  timed $((SECONDS - start)) "$name"
}

again() {
  local index
  local -a command
  planned again 'the steps that failed when tried' && return
  for ((index = 0; index < ${#tried[@]}; index += 2)); do
    eval "command=(${tried[index + 1]})"
    step "${tried[index]}, alone" "${command[@]}"
  done
}

# SwiftPM locks a scratch folder, so what runs in the background has one of its own; for one module cache two compilers
# would race.
apart() {
  local modules=$logs/modules-$BASHPID
  SWIFTPM_MODULECACHE_OVERRIDE=$modules CLANG_MODULE_CACHE_PATH=$modules "$@"
}
idle() { apart chrt --idle 0 "$@"; }

in_turn() {
  local begin
  local -a command
  while [ $# -gt 0 ]; do
    begin=$SECONDS
    read -ra command <<< "$2"
    echo "-- $1"
    idle "${command[@]}" || return
    echo "-- $1: $((SECONDS - begin)) s"
    shift 2
  done
}

declare -A commands
start() {
  local name=$1
  shift
  if planned start "$name" "$@"; then return; fi
  set -m
  {
    SECONDS=0
    status=0
    "$@" || status=$?
    echo "$SECONDS" > "$logs/$name.seconds"
    exit "$status"
  } > "$logs/$name" 2>&1 &
  echo $! > "$logs/$name.pid"
  set +m
  background+=("$name")
  # `again` runs it alone, with the caches of all others.
  case $1 in apart | idle) shift ;; esac
  commands[$name]=$(printf '%q ' "$@")
}

# ended NAME: waits for it, and shows what it printed; its status and seconds are in `status` and `seconds`.
ended() {
  local other kept=()
  echo "== $1"
  status=0
  wait "$(cat "$logs/$1.pid")" || status=$?
  for other in "${background[@]}"; do [ "$other" = "$1" ] || kept+=("$other"); done
  background=(${kept[@]+"${kept[@]}"})
  cat "$logs/$1"
  seconds=$(cat "$logs/$1.seconds")
}

await() {
  local begin=$SECONDS status seconds
  planned await "$1" && return
  ended "$1"
  [ "$status" = 0 ] || failed "$1" "$seconds" "$logs/$1"
  timed $((SECONDS - begin)) "$1, of $seconds s next to the steps before"
}

try_await() {
  local begin=$SECONDS status seconds
  local -a command
  planned try_await "$1" && return
  ended "$1"
  if [ "$status" != 0 ]; then
    eval "command=(${commands[$1]})"
    tried_once "$1" "$logs/$1" "${command[@]}"
  fi
  timed $((SECONDS - begin)) "$1, of $seconds s next to the steps before"
}

finish_steps() {
  [ -z "$is_plan" ] || return 0
  echo "== all passed in $SECONDS s"
  printf '%s\n' "${timings[@]}"
}
