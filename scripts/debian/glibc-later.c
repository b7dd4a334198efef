// SPDX-License-Identifier: Apache-2.0
//
// Functions that sid's static Swift library takes from a later glibc than bookworm's 2.36, by those that 2.36 has.
// 2.38 brought strlcpy and strlcat, and names for C23's number parsing, which knows the prefix 0b as well; what
// glibc exports twice has a second name in 2.4x's headers alone.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }

unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vsscanf(text, format, list);
  va_end(list);
  return count;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t count = length < size ? length : size - 1;
    memcpy(to, from, count);
    to[count] = 0;
  }
  return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t before = strnlen(to, size);
  return before + strlcpy(to + before, from, size - before);
}

double __frexp(double x, int *exponent) { return frexp(x, exponent); }
float __frexpf(float x, int *exponent) { return frexpf(x, exponent); }
double __ldexp(double x, int exponent) { return ldexp(x, exponent); }
float __ldexpf(float x, int exponent) { return ldexpf(x, exponent); }
double __scalbn(double x, int exponent) { return scalbn(x, exponent); }
float __scalbnf(float x, int exponent) { return scalbnf(x, exponent); }
