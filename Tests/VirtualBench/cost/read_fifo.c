// SPDX-License-Identifier: Apache-2.0
// The simplest program that reads the queue of an MPU-6050 every 20 ms: the count, then all whole
// frames in one burst.
#define _GNU_SOURCE
#include "cost.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

enum { FRAME = 14, BATCH_NS = 20000000 };

static double total;
static int64_t newest;

// Reads all whole frames. Returns the number of samples.
static int64_t drain(int bus) {
  uint8_t count[2], frames[1024];
  chip_read(bus, 0x72, count, sizeof count);  // FIFO_COUNT
  int64_t now = cost_now();
  int bytes = count[0] << 8 | count[1];
  int waiting = bytes / FRAME;
  if (bytes > 1024 - FRAME) {
    errno = 0;
    fail("the FIFO overflowed");
  }
  if (waiting == 0) return 0;
  chip_read(bus, 0x74, frames, (uint16_t)(waiting * FRAME));  // FIFO_R_W
  for (int i = 0; i < waiting; i++) {
    newest = now - (int64_t)(waiting - 1 - i) * 1000000;
    total += chip_sum(frames + i * FRAME);
  }
  return waiting;
}

int main(int count, char **words) {
  double seconds = cost_seconds(count, words);
  int bus = chip_open();
  chip_start(bus);
  chip_write(bus, 0x6A, 0x04);  // USER_CTRL: queue emptied
  chip_write(bus, 0x6A, 0x40);  // USER_CTRL: queue on
  chip_write(bus, 0x23, 0xF8);  // FIFO_EN: thermometer, gyroscope's three axes, accelerometer
  int64_t next = cost_now(), begin = next + 1000000000, end = 0, samples = 0;
  struct cost cost = {0};
  for (;;) {
    next += BATCH_NS;
    struct timespec until = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL)) {}
    int64_t taken = drain(bus);
    if (end) samples += taken;
    if (!end && next >= begin) {
      end = next + (int64_t)(seconds * 1e9);
      cost = cost_begin();
    }
    if (end && next >= end) break;
  }
  cost_end(cost, samples);
  chip_write(bus, 0x6B, 0x40);  // PWR_MGMT_1: asleep
  fprintf(stderr, "sum %g, newest %lld\n", total, (long long)newest);
  return 0;
}
