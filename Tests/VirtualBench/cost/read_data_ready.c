// SPDX-License-Identifier: Apache-2.0
// The simplest program that reads an MPU-6050 at each edge of its interrupt pin, on the line GPIO0:
// it waits for the edge, takes it, and reads one frame from the registers. It can be compiled with
// libgpiod 1.6 and 2.x.
#define _GNU_SOURCE
#include "cost.h"

#include <dirent.h>
#include <errno.h>
#include <gpiod.h>
#include <stdio.h>
#include <string.h>

static const char line_name[] = "GPIO0";

// Only the header of 1.x has this macro.
#ifdef GPIOD_API

static struct gpiod_line *line;

static void request(void) {
  line = gpiod_line_find(line_name);
  if (!line) fail(line_name);
  if (gpiod_line_request_rising_edge_events(line, "read_data_ready") < 0) fail(line_name);
}

// Waits for the next edge. Returns its time.
static int64_t wait(void) {
  struct gpiod_line_event event;
  if (gpiod_line_event_wait(line, &(struct timespec){.tv_sec = 1}) != 1) fail("no edge");
  if (gpiod_line_event_read(line, &event) < 0) fail(line_name);
  return (int64_t)event.ts.tv_sec * 1000000000 + event.ts.tv_nsec;
}

#else

static struct gpiod_line_request *line;
static struct gpiod_edge_event_buffer *buffer;

static int request_on(const char *path) {
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) return 0;
  int offset = gpiod_chip_get_line_offset_from_name(chip, line_name);
  if (offset >= 0) {
    unsigned int offsets[1] = {(unsigned int)offset};
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *config = gpiod_line_config_new();
    if (!settings || !config) fail("gpiod");
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_RISING);
    gpiod_line_config_add_line_settings(config, offsets, 1, settings);
    line = gpiod_chip_request_lines(chip, NULL, config);
    if (!line) fail(line_name);
    gpiod_line_config_free(config);
    gpiod_line_settings_free(settings);
  }
  gpiod_chip_close(chip);
  return offset >= 0;
}

static void request(void) {
  DIR *nodes = opendir("/dev");
  struct dirent *node;
  while (nodes && !line && (node = readdir(nodes))) {
    char path[300];
    snprintf(path, sizeof path, "/dev/%s", node->d_name);
    if (!strncmp(node->d_name, "gpiochip", 8)) request_on(path);
  }
  if (nodes) closedir(nodes);
  errno = ENOENT;
  if (!line) fail(line_name);
  buffer = gpiod_edge_event_buffer_new(1);
  if (!buffer) fail("gpiod");
}

// Waits for the next edge. Returns its time.
static int64_t wait(void) {
  if (gpiod_line_request_wait_edge_events(line, 1000000000) != 1) fail("no edge");
  if (gpiod_line_request_read_edge_events(line, buffer, 1) < 0) fail(line_name);
  return (int64_t)gpiod_edge_event_get_timestamp_ns(gpiod_edge_event_buffer_get_event(buffer, 0));
}

#endif

int main(int count, char **words) {
  double seconds = cost_seconds(count, words);
  int bus = chip_open();
  request();
  chip_start(bus);
  chip_write(bus, 0x38, 0x01);  // INT_ENABLE: data ready; the pin pulses for 50 us
  int64_t begin = cost_now() + 1000000000, end = 0, samples = 0, time = 0;
  double total = 0;
  struct cost cost = {0};
  for (;;) {
    uint8_t frame[14];
    time = wait();
    chip_read(bus, 0x3B, frame, sizeof frame);  // ACCEL_XOUT_H and on
    total += chip_sum(frame);
    if (end) samples++;
    if (!end && time >= begin) {
      end = time + (int64_t)(seconds * 1e9);
      cost = cost_begin();
    }
    if (end && time >= end) break;
  }
  cost_end(cost, samples);
  chip_write(bus, 0x6B, 0x40);  // PWR_MGMT_1: asleep
  fprintf(stderr, "sum %g, newest %lld\n", total, (long long)time);
  return 0;
}
