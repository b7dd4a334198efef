#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the GPIO shim against libgpiod 2.x, links it and runs it over a simulated kernel
# (check-libgpiod.c); then over 1.6, if the system has that.
# Usage: check-libgpiod-2.sh [--if-available] [version]
# With --if-available the exit status is 0 if the source of 2.x cannot be fetched; otherwise that is
# an error.
set -eu

lenient=
[ "${1:-}" = --if-available ] && { lenient=$1; shift; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

LIBGPIOD_VERSION=${1:-2.2.0} "$here/build-over-libgpiod" ${lenient:+"$lenient"} "$work" "$here/check-libgpiod.c"
for generation in 2 1; do
  [ -e "$work/check-libgpiod-$generation" ] || continue
  "$work/check-libgpiod-$generation"
  echo "GPIO shim: generation $generation compiled, linked and run"
done
