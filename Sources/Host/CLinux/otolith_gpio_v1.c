// SPDX-License-Identifier: Apache-2.0
// The implementation for libgpiod 1.6, the kernel's first GPIO interface. Its queue holds 16 edges
// per line and drops newer ones.
#include "otolith_gpio_common.h"

#if OTOLITH_GPIOD == 1

struct otolith_gpio_chip {
  struct gpiod_chip *chip;
};

struct otolith_gpio_line {
  // The line belongs to the chip, so the chip must stay open.
  struct gpiod_chip *chip;
  struct gpiod_line *line;
  int descriptor;
};

int otolith_gpio_generation(void) { return 1; }

int otolith_gpio_chip_open(const char *path, otolith_gpio_chip **chip) {
  errno = 0;
  struct gpiod_chip *opened = gpiod_chip_open(path);
  if (!opened) return otolith_failure();
  *chip = calloc(1, sizeof **chip);
  if (!*chip) {
    gpiod_chip_close(opened);
    return -ENOMEM;
  }
  (*chip)->chip = opened;
  return 0;
}

void otolith_gpio_chip_close(otolith_gpio_chip *chip) {
  gpiod_chip_close(chip->chip);
  free(chip);
}

const char *otolith_gpio_chip_label(const otolith_gpio_chip *chip) {
  return gpiod_chip_label(chip->chip);
}

uint32_t otolith_gpio_chip_lines(const otolith_gpio_chip *chip) {
  return gpiod_chip_num_lines(chip->chip);
}

int otolith_gpio_chip_line_info(
  otolith_gpio_chip *chip, uint32_t offset, otolith_gpio_line_info *info) {
  errno = 0;
  struct gpiod_line *line = gpiod_chip_get_line(chip->chip, offset);
  if (!line) return otolith_failure();
  otolith_copy_name(info->name, gpiod_line_name(line));
  otolith_copy_name(info->consumer, gpiod_line_consumer(line));
  info->is_used = gpiod_line_is_used(line);
  return 0;
}

int otolith_gpio_request(
  const char *path, uint32_t offset, otolith_gpio_edges edges, otolith_gpio_bias bias,
  const char *consumer, otolith_gpio_line **line) {
  struct otolith_gpio_line *made = calloc(1, sizeof *made);
  if (!made) return -ENOMEM;
  struct gpiod_line_request_config config = {.consumer = consumer};
  int result = 0;
  switch (edges) {
    case OTOLITH_GPIO_RISING: config.request_type = GPIOD_LINE_REQUEST_EVENT_RISING_EDGE; break;
    case OTOLITH_GPIO_FALLING: config.request_type = GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE; break;
    case OTOLITH_GPIO_BOTH: config.request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES; break;
  }
  switch (bias) {
    case OTOLITH_GPIO_BIAS_AS_IS: break;
    case OTOLITH_GPIO_BIAS_DISABLED: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    case OTOLITH_GPIO_BIAS_PULL_UP: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case OTOLITH_GPIO_BIAS_PULL_DOWN: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
  }
  errno = 0;
  made->chip = gpiod_chip_open(path);
  if (!made->chip) {
    result = otolith_failure();
    free(made);
    return result;
  }
  made->line = gpiod_chip_get_line(made->chip, offset);
  if (!made->line || gpiod_line_request(made->line, &config, 0) < 0) {
    result = otolith_failure();
  } else {
    made->descriptor = gpiod_line_event_get_fd(made->line);
    result = made->descriptor < 0 ? otolith_failure() : otolith_set_nonblocking(made->descriptor);
  }
  if (result < 0) {
    gpiod_chip_close(made->chip);  // also releases the line
    free(made);
    return result;
  }
  *line = made;
  return 0;
}

void otolith_gpio_release(otolith_gpio_line *line) {
  gpiod_chip_close(line->chip);  // also releases the line
  free(line);
}

int otolith_gpio_descriptor(const otolith_gpio_line *line) { return line->descriptor; }

int otolith_gpio_level(const otolith_gpio_line *line) {
  errno = 0;
  int level = gpiod_line_get_value(line->line);
  return level < 0 ? otolith_failure() : level;
}

/// Returns the time in nanoseconds, limited to 64 bits. Before Linux 5.7 edges have wall-clock
/// times, which may have any value.
static int64_t nanoseconds(const struct timespec *time) {
  int64_t scaled, sum;
  if (__builtin_mul_overflow((int64_t)time->tv_sec, (int64_t)1000000000, &scaled)
      || __builtin_add_overflow(scaled, (int64_t)time->tv_nsec, &sum)) {
    return time->tv_sec < 0 ? INT64_MIN : INT64_MAX;
  }
  return sum;
}

int otolith_gpio_read(otolith_gpio_line *line, otolith_gpio_edge *edges, uint32_t capacity) {
  struct gpiod_line_event events[OTOLITH_GPIO_EDGES_MAX];
  if (capacity == 0) return 0;
  if (capacity > OTOLITH_GPIO_EDGES_MAX) capacity = OTOLITH_GPIO_EDGES_MAX;
  errno = 0;
  int count = gpiod_line_event_read_fd_multiple(line->descriptor, events, capacity);
  if (count < 0) return errno == EAGAIN ? 0 : otolith_failure();
  for (int i = 0; i < count; i++) {
    edges[i] = (otolith_gpio_edge){
      .nanoseconds = nanoseconds(&events[i].ts),
      .is_rising = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE,
    };
  }
  return count;
}

#endif
