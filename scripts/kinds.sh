# SPDX-License-Identifier: Apache-2.0
#
# Read by scripts/test, scripts/bench and scripts/tables, whose functions are the kinds that `make test KIND=...` and the
# like run. A kind is a function whose first line ends in `##` and a description; SCRIPT --kinds lists both.

set -euo pipefail

kinds_of() { sed -nE 's/^([a-z0-9-]+)\(\) \{ +## (.*)/\1\t\2/p' "$1"; }

# Most kinds build here. Those for which a chroot has a Swift do not need this.
with_swift() { make --no-print-directory prerequisites; }

# run_kinds SCRIPT KIND...: each in turn; nothing runs where one of them is unknown.
run_kinds() {
  local script=$1 kinds kind
  shift
  if [ "${1-}" = --kinds ]; then
    kinds_of "$script"
    return
  fi
  kinds=$(kinds_of "$script" | cut -f 1)
  for kind in "$@"; do
    grep -qxF -e "$kind" <<< "$kinds" || {
      echo "${script##*/}: there is no kind '$kind'; expected one of: ${kinds//$'\n'/, }" >&2
      exit 64 # EX_USAGE
    }
  done
  [ $# != 0 ] || {
    echo "${script##*/}: no kind is given; expected KIND= and one of: ${kinds//$'\n'/, }" >&2
    exit 64
  }
  for kind in "$@"; do "$kind"; done
}
