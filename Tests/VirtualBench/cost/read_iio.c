// SPDX-License-Identifier: Apache-2.0
// Reads all channels of an MPU-6050 through the buffer of the kernel's driver: read_iio WATERMARK
// [--seconds S]. The driver must be bound; all else is set here. Prints two lines: the cost of
// reading, and that of the driver's interrupt thread.
#define _GNU_SOURCE
#include "cost.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[300];

static void set(const char *name, const char *value) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, value, strlen(value)) < 0) fail(path);
  close(file);
}

static void expect(const char *name, const char *wanted) {
  char path[400], text[64] = "";
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (size < 0) fail(path);
  close(file);
  text[strcspn(text, "\n")] = 0;
  if (strcmp(text, wanted)) {
    fprintf(stderr, "%s: '%s' instead of '%s'\n", path, text, wanted);
    exit(1);
  }
}

// Opens the device called mpu6050.
static int device(void) {
  static const char devices[] = "/sys/bus/iio/devices";
  DIR *names = opendir(devices);
  if (!names) fail(devices);
  struct dirent *entry;
  char node[300] = "";
  while (!node[0] && (entry = readdir(names))) {
    if (strncmp(entry->d_name, "iio:device", 10)) continue;
    char text[64] = "";
    snprintf(folder, sizeof folder, "%s/%s/name", devices, entry->d_name);
    int file = open(folder, O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    if (read(file, text, sizeof text - 1) > 0 && !strcmp(text, "mpu6050\n")) {
      snprintf(folder, sizeof folder, "%s/%s", devices, entry->d_name);
      snprintf(node, sizeof node, "/dev/%s", entry->d_name);
    }
    close(file);
  }
  closedir(names);
  errno = ENOENT;
  if (!node[0]) fail("no IIO device mpu6050");
  int buffer = open(node, O_RDONLY | O_CLOEXEC);
  if (buffer < 0) fail(node);
  return buffer;
}

// A scan: seven big-endian words in this order, followed by the time, which is aligned.
enum { WORDS = 7, STAMP = 16, SCAN = 24 };

static void configure(const char *watermark) {
  static const char *const channels[WORDS] = {"in_accel_x",   "in_accel_y",   "in_accel_z", "in_temp",
                                              "in_anglvel_x", "in_anglvel_y", "in_anglvel_z"};
  set("buffer/enable", "0");
  set("sampling_frequency", "500");
  set("in_accel_scale", "0.001196");
  set("in_anglvel_scale", "0.000266181");
  for (int i = 0; i < WORDS; i++) {
    char name[64], index[8];
    snprintf(name, sizeof name, "scan_elements/%s_en", channels[i]);
    set(name, "1");
    snprintf(name, sizeof name, "scan_elements/%s_type", channels[i]);
    expect(name, "be:s16/16>>0");
    snprintf(name, sizeof name, "scan_elements/%s_index", channels[i]);
    snprintf(index, sizeof index, "%d", i);
    expect(name, index);
  }
  set("scan_elements/in_timestamp_en", "1");
  expect("scan_elements/in_timestamp_type", "le:s64/64>>0");
  set("buffer/length", "512");
  set("buffer/watermark", watermark);
  set("buffer/enable", "1");
}

int main(int count, char **words) {
  int watermark = count > 1 ? atoi(words[1]) : 0;
  if (watermark < 1 || watermark > 256) {
    fprintf(stderr, "usage: %s WATERMARK [--seconds S]\n", words[0]);
    return 2;
  }
  words[1] = words[0];
  double seconds = cost_seconds(count - 1, words + 1);
  int buffer = device();
  char number[8];
  snprintf(number, sizeof number, "%d", watermark);
  configure(number);
  int64_t begin = cost_now() + 1000000000, end = 0, samples = 0, stamp = 0, before = 0;
  double total = 0;
  struct cost cost = {0};
  for (;;) {
    static uint8_t scans[256 * SCAN];
    ssize_t size = read(buffer, scans, (size_t)watermark * SCAN);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) fail("IIO buffer");
    for (ssize_t at = 0; at + SCAN <= size; at += SCAN) {
      total += chip_sum(scans + at);
      memcpy(&stamp, scans + at + STAMP, sizeof stamp);
      if (end) samples++;
    }
    int64_t now = cost_now();
    if (!end && now >= begin) {
      end = now + (int64_t)(seconds * 1e9);
      before = cost_of_kernel_threads("irq/");
      cost = cost_begin();
    }
    if (end && now >= end) break;
  }
  cost_end(cost, samples);
  printf("interrupt thread: %.0f ns per sample\n",
         (double)(cost_of_kernel_threads("irq/") - before) / (double)samples);
  set("buffer/enable", "0");
  fprintf(stderr, "sum %g, newest %lld\n", total, (long long)stamp);
  return 0;
}
