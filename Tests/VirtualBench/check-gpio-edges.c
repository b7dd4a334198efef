// SPDX-License-Identifier: Apache-2.0
// Reads edges of a line through the GPIO shim, with the libgpiod for which it is compiled, and
// prints one per line:
//   check-gpio-edges CHIP OFFSET rising|falling|both COUNT [SECONDS]
//   LEVEL NANOSECONDS SEQUENCE
// The level is the one after the edge and the time is that of CLOCK_MONOTONIC. The sequence number
// is 0 with libgpiod 1.6, which does not count. "ready" on standard error says that edges are
// counted from then on. The exit status is 1 if fewer than COUNT edges come within SECONDS (10 by
// default).
#define _GNU_SOURCE
#include "otolith_gpio.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **words) {
  static const char *const names[] = {"rising", "falling", "both"};
  otolith_gpio_edges which = 0;
  for (int i = 0; count >= 5 && i < 3; i++) {
    if (!strcmp(words[3], names[i])) which = (otolith_gpio_edges)(i + 1);
  }
  if (count < 5 || count > 6 || which == 0) {
    fprintf(stderr, "usage: %s CHIP OFFSET rising|falling|both COUNT [SECONDS]\n", words[0]);
    return 2;
  }
  long wanted = atol(words[4]), got = 0;
  int64_t end = now() + (int64_t)((count > 5 ? atof(words[5]) : 10) * 1e9);
  otolith_gpio_line *line = NULL;
  int result = otolith_gpio_request(
    words[1], (uint32_t)atol(words[2]), which, OTOLITH_GPIO_BIAS_AS_IS, "check-gpio-edges", &line);
  if (result < 0) {
    fprintf(stderr, "%s line %s: %s\n", words[1], words[2], strerror(-result));
    return 1;
  }
  fprintf(stderr, "ready, libgpiod %d\n", otolith_gpio_generation());
  while (got < wanted) {
    int64_t left = end - now();
    struct pollfd polled = {.fd = otolith_gpio_descriptor(line), .events = POLLIN};
    if (left <= 0 || poll(&polled, 1, (int)(left / 1000000) + 1) < 0) break;
    otolith_gpio_edge edges[OTOLITH_GPIO_EDGES_MAX];
    int taken = otolith_gpio_read(line, edges, OTOLITH_GPIO_EDGES_MAX);
    if (taken < 0) {
      fprintf(stderr, "%s line %s: %s\n", words[1], words[2], strerror(-taken));
      return 1;
    }
    for (int i = 0; i < taken && got < wanted; i++, got++) {
      printf("%d %" PRId64 " %" PRIu32 "\n", edges[i].is_rising ? 1 : 0, edges[i].nanoseconds,
             edges[i].sequence);
    }
  }
  otolith_gpio_release(line);
  if (got < wanted) fprintf(stderr, "%ld edges of %ld came\n", got, wanted);
  return got < wanted;
}
