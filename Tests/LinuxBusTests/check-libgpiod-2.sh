#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the GPIO shim against libgpiod 2.x, links and runs it. Debian 12 ships 1.6 only, so the library comes as
# source, inside PyPI's package of its Python binding. Usage: check-libgpiod-2.sh [--if-available] [version]
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

cat >"$work/check.c" <<'C'
#include "otolith_gpio.h"
#include <errno.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, int got, int wanted) {
  if (got == wanted) return;
  printf("%s: %d instead of %d\n", what, got, wanted);
  failures++;
}

int main(void) {
  otolith_gpio_chip *chip = 0;
  otolith_gpio_line *line = 0;
  expect("generation", otolith_gpio_generation(), GENERATION);
  expect("missing chip", otolith_gpio_chip_open("/dev/gpiochip-none", &chip), -ENOENT);
  int null = otolith_gpio_chip_open("/dev/null", &chip);
  expect("/dev/null is refused", null == -ENOTTY || null == -ENODEV, 1);
  expect(
    "request on a missing chip",
    otolith_gpio_request(
      "/dev/gpiochip-none", 0, OTOLITH_GPIO_RISING, OTOLITH_GPIO_BIAS_AS_IS, "otolith", &line),
    -ENOENT);
  expect("nothing opened", chip || line, 0);
  return failures != 0;
}
C

# With the 2.x header first, as on a system that has no other; then with the system's, for comparison.
check() {
  generation=$1
  shift
  ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror "-DGENERATION=$generation" \
    -I"$root/Sources/CLinux/include" -I"$root/Sources/CLinux" \
    "$root/Sources/CLinux/otolith_gpio_v1.c" "$root/Sources/CLinux/otolith_gpio_v2.c" \
    "$work/check.c" -o "$work/check-$generation" "$@"
  "$work/check-$generation"
  echo "GPIO shim: generation $generation compiled, linked and run"
}

check 2 -I"$library/include" -L"$work" -lgpiod2check "-Wl,-rpath,$work"
if printf '#include <gpiod.h>\n#ifndef GPIOD_API\n#error\n#endif\n' |
  ${CC:-cc} -fsyntax-only -x c - 2>/dev/null; then
  check 1 -lgpiod
fi
