// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cost.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "not as expected");
  exit(1);
}

int64_t cost_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double cost_seconds(int count, char **words) {
  double seconds = 10;
  if (count == 3 && !strcmp(words[1], "--seconds")) seconds = atof(words[2]);
  if ((count != 1 && count != 3) || !(seconds > 0)) {
    fprintf(stderr, "usage: %s [--seconds S]\n", words[0]);
    exit(2);
  }
  return seconds;
}

// Returns the first number in a file; -1 if there is none.
static int64_t number_in(const char *path) {
  char text[64] = "";
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  return size > 0 ? strtoll(text, NULL, 10) : -1;
}

static int64_t processor(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) fail("/proc/self/task");
  int64_t sum = 0;
  struct dirent *task;
  while ((task = readdir(tasks))) {
    if (task->d_name[0] == '.') continue;
    char path[300];
    snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", task->d_name);
    int64_t one = number_in(path);
    if (one < 0) fail(path);
    sum += one;
  }
  closedir(tasks);
  return sum;
}

static int64_t calls(void) {
  const char *descriptor = getenv("OTOLITH_SYSCALL_COUNTER");
  int64_t count = 0;
  if (!descriptor || read(atoi(descriptor), &count, sizeof count) != (ssize_t)sizeof count) {
    return -1;
  }
  return count;
}

struct cost cost_begin(void) {
  struct cost cost = {.processor = processor()};
  cost.calls = calls();
  return cost;
}

void cost_end(struct cost begin, int64_t samples) {
  // The counters are read before all else, because they continue to count.
  int64_t calls_now = calls();
  int64_t processor_now = processor();
  if (samples < 1) {
    errno = 0;
    fail("no sample came");
  }
  printf("samples %lld, %.0f ns per sample", (long long)samples,
         (double)(processor_now - begin.processor) / (double)samples);
  if (begin.calls >= 0) {
    // One of the calls was the read of the counter itself.
    printf(", %.3f system calls per sample", (double)(calls_now - begin.calls - 1) / (double)samples);
  }
  printf("\n");
}

int64_t cost_of_kernel_threads(const char *name) {
  DIR *processes = opendir("/proc");
  if (!processes) fail("/proc");
  int64_t sum = 0;
  struct dirent *process;
  while ((process = readdir(processes))) {
    char path[300], text[64] = "";
    snprintf(path, sizeof path, "/proc/%s/comm", process->d_name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0 || strncmp(text, name, strlen(name))) continue;
    snprintf(path, sizeof path, "/proc/%s/schedstat", process->d_name);
    int64_t one = number_in(path);
    if (one > 0) sum += one;
  }
  closedir(processes);
  return sum;
}

int chip_open(void) {
  int bus = open("/dev/i2c-0", O_RDWR | O_CLOEXEC);
  if (bus < 0) fail("/dev/i2c-0");
  return bus;
}

void chip_write(int bus, uint8_t reg, uint8_t value) {
  uint8_t bytes[2] = {reg, value};
  struct i2c_msg message = {.addr = 0x68, .len = sizeof bytes, .buf = bytes};
  struct i2c_rdwr_ioctl_data transfer = {.msgs = &message, .nmsgs = 1};
  if (ioctl(bus, I2C_RDWR, &transfer) < 0) fail("write to 0x68");
}

void chip_read(int bus, uint8_t reg, uint8_t *bytes, uint16_t count) {
  struct i2c_msg messages[2] = {
    {.addr = 0x68, .len = 1, .buf = &reg},
    {.addr = 0x68, .flags = I2C_M_RD, .len = count, .buf = bytes},
  };
  struct i2c_rdwr_ioctl_data transfer = {.msgs = messages, .nmsgs = 2};
  if (ioctl(bus, I2C_RDWR, &transfer) < 0) fail("read from 0x68");
}

// The registers are those of Register Map 4.2, sections 4.2 to 4.5 and 4.28.
void chip_start(int bus) {
  chip_write(bus, 0x6B, 0x80);  // PWR_MGMT_1: reset
  usleep(100000);
  chip_write(bus, 0x6B, 0x01);  // PWR_MGMT_1: awake, clock of the gyroscope
  usleep(100000);
  chip_write(bus, 0x19, 0x00);  // SMPLRT_DIV: 1 kHz
  chip_write(bus, 0x1A, 0x01);  // CONFIG: DLPF 1
  chip_write(bus, 0x1B, 0x08);  // GYRO_CONFIG: +-500 degrees per second
  chip_write(bus, 0x1C, 0x08);  // ACCEL_CONFIG: +-4 g
}

static double word(const uint8_t *bytes) { return (int16_t)(bytes[0] << 8 | bytes[1]); }

double chip_sum(const uint8_t *frame) {
  const double g = 1.0 / 8192, radians = 3.14159265358979323846 / 180 / 65.5;
  return word(frame) * g + word(frame + 2) * g + word(frame + 4) * g + word(frame + 6) / 340 + 36.53 +
         word(frame + 8) * radians + word(frame + 10) * radians + word(frame + 12) * radians;
}
