// SPDX-License-Identifier: Apache-2.0
// The implementation for libgpiod 2.x, the kernel's second GPIO interface, from Linux 5.10 on.
#include "otolith_gpio_common.h"

#if OTOLITH_GPIOD == 2

struct otolith_gpio_chip {
  struct gpiod_chip *chip;
  struct gpiod_chip_info *info;
};

struct otolith_gpio_line {
  struct gpiod_line_request *request;
  // The buffer is allocated once, so that reading edges does not allocate.
  struct gpiod_edge_event_buffer *buffer;
  unsigned int offset;
};

int otolith_gpio_generation(void) { return 2; }

int otolith_gpio_chip_open(const char *path, otolith_gpio_chip **chip) {
  struct otolith_gpio_chip *made = calloc(1, sizeof *made);
  if (!made) return -ENOMEM;
  errno = 0;
  made->chip = gpiod_chip_open(path);
  made->info = made->chip ? gpiod_chip_get_info(made->chip) : NULL;
  if (!made->info) {
    int result = otolith_failure();
    gpiod_chip_close(made->chip);
    free(made);
    return result;
  }
  *chip = made;
  return 0;
}

void otolith_gpio_chip_close(otolith_gpio_chip *chip) {
  gpiod_chip_info_free(chip->info);
  gpiod_chip_close(chip->chip);
  free(chip);
}

const char *otolith_gpio_chip_label(const otolith_gpio_chip *chip) {
  return gpiod_chip_info_get_label(chip->info);
}

uint32_t otolith_gpio_chip_lines(const otolith_gpio_chip *chip) {
  return (uint32_t)gpiod_chip_info_get_num_lines(chip->info);
}

int otolith_gpio_chip_line_info(
  otolith_gpio_chip *chip, uint32_t offset, otolith_gpio_line_info *info) {
  errno = 0;
  struct gpiod_line_info *line = gpiod_chip_get_line_info(chip->chip, offset);
  if (!line) return otolith_failure();
  otolith_copy_name(info->name, gpiod_line_info_get_name(line));
  otolith_copy_name(info->consumer, gpiod_line_info_get_consumer(line));
  info->is_used = gpiod_line_info_is_used(line);
  gpiod_line_info_free(line);
  return 0;
}

// Fills the configuration; the library copies its arguments.
static int configure(
  struct gpiod_line_settings *settings, struct gpiod_line_config *lines, uint32_t offset,
  otolith_gpio_edges edges, otolith_gpio_bias bias) {
  enum gpiod_line_edge edge = GPIOD_LINE_EDGE_BOTH;
  switch (edges) {
    case OTOLITH_GPIO_RISING: edge = GPIOD_LINE_EDGE_RISING; break;
    case OTOLITH_GPIO_FALLING: edge = GPIOD_LINE_EDGE_FALLING; break;
    case OTOLITH_GPIO_BOTH: break;
  }
  enum gpiod_line_bias pull = GPIOD_LINE_BIAS_AS_IS;
  switch (bias) {
    case OTOLITH_GPIO_BIAS_AS_IS: break;
    case OTOLITH_GPIO_BIAS_DISABLED: pull = GPIOD_LINE_BIAS_DISABLED; break;
    case OTOLITH_GPIO_BIAS_PULL_UP: pull = GPIOD_LINE_BIAS_PULL_UP; break;
    case OTOLITH_GPIO_BIAS_PULL_DOWN: pull = GPIOD_LINE_BIAS_PULL_DOWN; break;
  }
  const unsigned int offsets[1] = {offset};
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0) return -1;
  if (gpiod_line_settings_set_edge_detection(settings, edge) < 0) return -1;
  if (gpiod_line_settings_set_bias(settings, pull) < 0) return -1;
  if (gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0) return -1;
  return gpiod_line_config_add_line_settings(lines, offsets, 1, settings);
}

int otolith_gpio_request(
  const char *path, uint32_t offset, otolith_gpio_edges edges, otolith_gpio_bias bias,
  const char *consumer, otolith_gpio_line **line) {
  struct otolith_gpio_line *made = calloc(1, sizeof *made);
  if (!made) return -ENOMEM;
  made->offset = offset;
  errno = 0;
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) {
    int result = otolith_failure();
    free(made);
    return result;
  }
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  made->buffer = gpiod_edge_event_buffer_new(OTOLITH_GPIO_EDGES_MAX);
  int result = 0;
  if (!settings || !lines || !request || !made->buffer) {
    result = -ENOMEM;
  } else if (configure(settings, lines, offset, edges, bias) < 0) {
    result = otolith_failure();
  } else {
    gpiod_request_config_set_consumer(request, consumer);
    // The queue has room for a quarter of a second of edges at 1 kHz, for a reader that is late.
    gpiod_request_config_set_event_buffer_size(request, 256);
    made->request = gpiod_chip_request_lines(chip, request, lines);
    result = made->request
               ? otolith_set_nonblocking(gpiod_line_request_get_fd(made->request))
               : otolith_failure();
  }
  gpiod_request_config_free(request);
  gpiod_line_config_free(lines);
  gpiod_line_settings_free(settings);
  gpiod_chip_close(chip);
  if (result < 0) {
    otolith_gpio_release(made);
    return result;
  }
  *line = made;
  return 0;
}

void otolith_gpio_release(otolith_gpio_line *line) {
  if (line->request) gpiod_line_request_release(line->request);
  gpiod_edge_event_buffer_free(line->buffer);
  free(line);
}

int otolith_gpio_descriptor(const otolith_gpio_line *line) {
  return gpiod_line_request_get_fd(line->request);
}

int otolith_gpio_level(const otolith_gpio_line *line) {
  errno = 0;
  enum gpiod_line_value level = gpiod_line_request_get_value(line->request, line->offset);
  return level == GPIOD_LINE_VALUE_ERROR ? otolith_failure() : level == GPIOD_LINE_VALUE_ACTIVE;
}

int otolith_gpio_read(otolith_gpio_line *line, otolith_gpio_edge *edges, uint32_t capacity) {
  if (capacity == 0) return 0;
  if (capacity > OTOLITH_GPIO_EDGES_MAX) capacity = OTOLITH_GPIO_EDGES_MAX;
  errno = 0;
  int count = gpiod_line_request_read_edge_events(line->request, line->buffer, capacity);
  if (count < 0) return errno == EAGAIN ? 0 : otolith_failure();
  for (int i = 0; i < count; i++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->buffer, i);
    edges[i] = (otolith_gpio_edge){
      .nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event),
      .sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event),
      .is_rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
    };
  }
  return count;
}

#endif
