#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the GPIO shim against libgpiod 2.x, links it and runs it over a played kernel
# (check-libgpiod.c); then over 1.6, where the system has that. Debian 12 ships 1.6 only, so 2.x
# comes as source, inside PyPI's package of its Python binding.
# Usage: check-libgpiod-2.sh [--if-available] [version]
# --if-available: exit 0 where the source cannot be fetched. Without it that is a failure.
set -eu

lenient=no
[ "${1:-}" = --if-available ] && { lenient=yes; shift; }
version=${1:-2.2.0}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unavailable() {
  echo "libgpiod 2 not checked: $1" >&2
  [ "$lenient" = yes ] && exit 0
  exit 1
}

pip=$(command -v pip3 || command -v pip) || unavailable "no pip"
"$pip" download "gpiod==$version" --no-binary :all: --no-deps -d "$work" >"$work/pip.log" 2>&1 ||
  unavailable "pip cannot fetch gpiod $version: $(tail -n 1 "$work/pip.log")"
tar -xzf "$work/gpiod-$version.tar.gz" -C "$work"
library=$work/gpiod-$version

${CC:-cc} -shared -fPIC -D_GNU_SOURCE "-DGPIOD_VERSION_STR=\"$version\"" \
  -I"$library/include" -I"$library/lib" "$library"/lib/*.c -o "$work/libgpiod2check.so"

check() {
  generation=$1
  shift
  ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror "-DGENERATION=$generation" \
    -I"$root/Sources/CLinux/include" -I"$root/Sources/CLinux" \
    "$root/Sources/CLinux/otolith_gpio_v1.c" "$root/Sources/CLinux/otolith_gpio_v2.c" \
    "$root/Tests/LinuxBusTests/check-libgpiod.c" -rdynamic -o "$work/check-$generation" "$@"
  "$work/check-$generation"
  echo "GPIO shim: generation $generation compiled, linked and run"
}

check 2 -I"$library/include" -L"$work" -lgpiod2check "-Wl,-rpath,$work"
if printf '#include <gpiod.h>\n#ifndef GPIOD_API\n#error\n#endif\n' |
  ${CC:-cc} -fsyntax-only -x c - 2>/dev/null; then
  check 1 -lgpiod
fi
