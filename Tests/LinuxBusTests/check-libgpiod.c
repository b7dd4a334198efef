// SPDX-License-Identifier: Apache-2.0
// Runs the GPIO shim over a real libgpiod and a simulated kernel: the functions below replace those
// of the C library. There is one chip, /dev/gpiochip9 "otolith-fake" of four lines; line 2 is
// "IMU_INT", line 3 is in use by "button". Answers follow the kernel's include/uapi/linux/gpio.h,
// in both versions of the interface.
#define _GNU_SOURCE
#include "otolith_gpio.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define CHIP "/dev/gpiochip9"
enum { MAJOR = 254, MINOR = 9 };

static int chip_descriptor = -1;
static int edges_out = -1;
static int line_descriptor = -1;
static int level;
static unsigned long long requested_flags;
static int failures;

static void expect(const char *what, long long got, long long wanted) {
  if (got == wanted) return;
  printf("%s: %lld instead of %lld\n", what, got, wanted);
  failures++;
}

static void expect_text(const char *what, const char *got, const char *wanted) {
  if (!strcmp(got, wanted)) return;
  printf("%s: \"%s\" instead of \"%s\"\n", what, got, wanted);
  failures++;
}

// The simulated kernel.

int lstat(const char *path, struct stat *status) {
  if (!strcmp(path, CHIP)) {
    memset(status, 0, sizeof *status);
    status->st_mode = S_IFCHR | 0660;
    status->st_rdev = makedev(MAJOR, MINOR);
    return 0;
  }
  int (*next)(const char *, struct stat *) = dlsym(RTLD_NEXT, "lstat");
  return next(path, status);
}

int stat(const char *path, struct stat *status) {
  if (!strcmp(path, CHIP)) return lstat(path, status);
  int (*next)(const char *, struct stat *) = dlsym(RTLD_NEXT, "stat");
  return next(path, status);
}

int access(const char *path, int mode) {
  if (strstr(path, "/gpiochip9")) return 0;
  int (*next)(const char *, int) = dlsym(RTLD_NEXT, "access");
  return next(path, mode);
}

char *realpath(const char *path, char *resolved) {
  if (strstr(path, "254:9/subsystem")) {
    const char *bus = "/sys/bus/gpio";
    return resolved ? strcpy(resolved, bus) : strdup(bus);
  }
  char *(*next)(const char *, char *) = dlsym(RTLD_NEXT, "realpath");
  return next(path, resolved);
}

int open(const char *path, int flags, ...) {
  if (!strcmp(path, CHIP)) return chip_descriptor = eventfd(0, EFD_CLOEXEC);
  int ends[2];
  // libgpiod 1.6 compares the node's number with the one in sysfs.
  if (strstr(path, "/gpiochip9/dev") && pipe(ends) == 0) {
    if (write(ends[1], "254:9\n", 6) != 6) abort();
    close(ends[1]);
    return ends[0];
  }
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  return next(path, flags, mode);
}

static int start_edges(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) abort();
  edges_out = ends[1];
  return line_descriptor = ends[0];
}

static int refuse(int error) {
  errno = error;
  return -1;
}

int ioctl(int descriptor, unsigned long number, ...) {
  // As in the kernel: libgpiod passes some numbers through an int, which extends the sign.
  const unsigned request = (unsigned)number;
  va_list rest;
  va_start(rest, number);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (descriptor == line_descriptor && request == GPIOHANDLE_GET_LINE_VALUES_IOCTL) {
    ((struct gpiohandle_data *)argument)->values[0] = (uint8_t)level;
    return 0;
  }
  if (descriptor == line_descriptor && request == GPIO_V2_LINE_GET_VALUES_IOCTL) {
    ((struct gpio_v2_line_values *)argument)->bits = (uint64_t)level;
    return 0;
  }
  if (descriptor != chip_descriptor) return refuse(ENOTTY);
  if (request == GPIO_GET_CHIPINFO_IOCTL) {
    *(struct gpiochip_info *)argument =
      (struct gpiochip_info){.name = "gpiochip9", .label = "otolith-fake", .lines = 4};
    return 0;
  }
  if (request == GPIO_GET_LINEINFO_IOCTL) {
    struct gpioline_info *info = argument;
    if (info->line_offset > 3) return refuse(EINVAL);
    if (info->line_offset == 2) strcpy(info->name, "IMU_INT");
    if (info->line_offset == 3) strcpy(info->consumer, "button");
    info->flags = info->line_offset == 3 ? GPIOLINE_FLAG_KERNEL : 0;
    return 0;
  }
  if (request == GPIO_V2_GET_LINEINFO_IOCTL) {
    struct gpio_v2_line_info *info = argument;
    if (info->offset > 3) return refuse(EINVAL);
    if (info->offset == 2) strcpy(info->name, "IMU_INT");
    if (info->offset == 3) strcpy(info->consumer, "button");
    info->flags = info->offset == 3 ? GPIO_V2_LINE_FLAG_USED : GPIO_V2_LINE_FLAG_INPUT;
    return 0;
  }
  if (request == GPIO_GET_LINEEVENT_IOCTL) {
    struct gpioevent_request *line = argument;
    if (line->lineoffset == 3) return refuse(EBUSY);
    expect("consumer", strcmp(line->consumer_label, "otolith"), 0);
    expect("edges", line->eventflags, GPIOEVENT_REQUEST_RISING_EDGE);
    requested_flags = line->handleflags;
    line->fd = start_edges();
    return 0;
  }
  if (request == GPIO_V2_GET_LINE_IOCTL) {
    struct gpio_v2_line_request *line = argument;
    if (line->offsets[0] == 3) return refuse(EBUSY);
    expect("consumer", strcmp(line->consumer, "otolith"), 0);
    expect("lines", line->num_lines, 1);
    expect("queue", line->event_buffer_size, 256);
    expect("realtime clock", line->config.flags & GPIO_V2_LINE_FLAG_EVENT_CLOCK_REALTIME, 0);
    unsigned long long both = GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING;
    unsigned long long flags = line->config.flags;
    // The library may put the settings of a line into a separate attribute.
    for (unsigned i = 0; i < line->config.num_attrs; i++) {
      if (line->config.attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_FLAGS) {
        flags = line->config.attrs[i].attr.flags;
      }
    }
    expect("edges", flags & both, GPIO_V2_LINE_FLAG_EDGE_RISING);
    requested_flags = flags;
    line->fd = start_edges();
    return 0;
  }
  return refuse(ENOTTY);
}

static void push_edge(unsigned long long nanoseconds, bool is_rising, unsigned sequence) {
  ssize_t written = 0, size = 0;
  if (GENERATION == 1) {
    struct gpioevent_data event = {
      .timestamp = nanoseconds,
      .id = is_rising ? GPIOEVENT_EVENT_RISING_EDGE : GPIOEVENT_EVENT_FALLING_EDGE};
    written = write(edges_out, &event, size = sizeof event);
  } else {
    struct gpio_v2_line_event event = {
      .timestamp_ns = nanoseconds,
      .id = is_rising ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
      .offset = 2,
      .seqno = sequence,
      .line_seqno = sequence};
    written = write(edges_out, &event, size = sizeof event);
  }
  if (written != size) abort();
}

// The tests.

static void without_a_chip(void) {
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
}

static void with_a_chip(void) {
  otolith_gpio_chip *chip = 0;
  otolith_gpio_line_info info;
  int opened = otolith_gpio_chip_open(CHIP, &chip);
  expect("chip", opened, 0);
  if (opened < 0) return;
  expect_text("label", otolith_gpio_chip_label(chip), "otolith-fake");
  expect("lines", otolith_gpio_chip_lines(chip), 4);
  expect("line 2", otolith_gpio_chip_line_info(chip, 2, &info), 0);
  expect_text("name", info.name, "IMU_INT");
  expect_text("no consumer", info.consumer, "");
  expect("unused", info.is_used, 0);
  expect("line 3", otolith_gpio_chip_line_info(chip, 3, &info), 0);
  expect_text("no name", info.name, "");
  expect_text("consumer", info.consumer, "button");
  expect("used", info.is_used, 1);
  expect("no line 4", otolith_gpio_chip_line_info(chip, 4, &info), -EINVAL);
  otolith_gpio_chip_close(chip);
}

static void with_a_line(void) {
  otolith_gpio_line *line = 0;
  expect(
    "busy line",
    otolith_gpio_request(
      CHIP, 3, OTOLITH_GPIO_RISING, OTOLITH_GPIO_BIAS_AS_IS, "otolith", &line),
    -EBUSY);
  int requested = otolith_gpio_request(
    CHIP, 2, OTOLITH_GPIO_RISING, OTOLITH_GPIO_BIAS_PULL_UP, "otolith", &line);
  expect("request", requested, 0);
  if (requested < 0) return;
  unsigned long long pull_up =
    GENERATION == 1 ? GPIOHANDLE_REQUEST_BIAS_PULL_UP : GPIO_V2_LINE_FLAG_BIAS_PULL_UP;
  expect("pull-up", (requested_flags & pull_up) != 0, 1);

  expect("low", otolith_gpio_level(line), 0);
  level = 1;
  expect("high", otolith_gpio_level(line), 1);

  otolith_gpio_edge edges[32];
  expect("nothing waits", otolith_gpio_read(line, edges, 32), 0);
  push_edge(5000000001ull, true, 1);
  push_edge(5001000002ull, false, 3);
  expect("no room", otolith_gpio_read(line, edges, 0), 0);
  expect("room for one", otolith_gpio_read(line, edges, 1), 1);
  expect("time", edges[0].nanoseconds, 5000000001ll);
  expect("rising", edges[0].is_rising, 1);
  expect("sequence", edges[0].sequence, GENERATION == 1 ? 0 : 1);
  expect("the other", otolith_gpio_read(line, edges, 32), 1);
  expect("time", edges[0].nanoseconds, 5001000002ll);
  expect("falling", edges[0].is_rising, 0);
  expect("sequence", edges[0].sequence, GENERATION == 1 ? 0 : 3);
  for (unsigned i = 0; i < 20; i++) push_edge(6000000000ull + i, true, 4 + i);
  expect("a full read", otolith_gpio_read(line, edges, 32), 16);
  expect("oldest first", edges[0].nanoseconds, 6000000000ll);
  expect("the rest", otolith_gpio_read(line, edges, 32), 4);
  expect("newest last", edges[3].nanoseconds, 6000000019ll);
  expect("descriptor does not block", fcntl(otolith_gpio_descriptor(line), F_GETFL) & O_NONBLOCK,
    O_NONBLOCK);
  expect("descriptor is not inherited",
    fcntl(otolith_gpio_descriptor(line), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  int descriptor = otolith_gpio_descriptor(line);
  otolith_gpio_release(line);
  expect("released", fcntl(descriptor, F_GETFD), -1);
}

int main(void) {
  without_a_chip();
  with_a_chip();
  with_a_line();
  return failures != 0;
}
