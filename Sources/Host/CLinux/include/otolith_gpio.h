// SPDX-License-Identifier: Apache-2.0
// Edges of GPIO lines through libgpiod. Versions 1.6 (Debian 12) and 2.x (Debian 13) share only the
// name of their header; this interface is the same for both, and its implementation is selected
// when the shim is compiled. Functions that fail return the negative errno.
#ifndef OTOLITH_GPIO_H
#define OTOLITH_GPIO_H

#include <stdbool.h>
#include <stdint.h>

enum { OTOLITH_GPIO_NAME_MAX = 64, OTOLITH_GPIO_EDGES_MAX = 16 };

typedef enum {
  OTOLITH_GPIO_RISING = 1,
  OTOLITH_GPIO_FALLING = 2,
  OTOLITH_GPIO_BOTH = 3,
} otolith_gpio_edges;

typedef enum {
  OTOLITH_GPIO_BIAS_AS_IS = 0,
  OTOLITH_GPIO_BIAS_DISABLED = 1,
  OTOLITH_GPIO_BIAS_PULL_UP = 2,
  OTOLITH_GPIO_BIAS_PULL_DOWN = 3,
} otolith_gpio_bias;

/// The name of a line and of its user; an empty name means no name.
typedef struct {
  char name[OTOLITH_GPIO_NAME_MAX];
  char consumer[OTOLITH_GPIO_NAME_MAX];
  bool is_used;
} otolith_gpio_line_info;

/// One edge, with a time stamp from the kernel's interrupt handler (CLOCK_MONOTONIC; with libgpiod
/// 1.6 from Linux 5.7 on).
typedef struct {
  int64_t nanoseconds;
  /// The number of the edge, counted from 1, including edges that a full queue lost; 0 if the
  /// interface has no count (1.6).
  uint32_t sequence;
  bool is_rising;
} otolith_gpio_edge;

typedef struct otolith_gpio_chip otolith_gpio_chip;
typedef struct otolith_gpio_line otolith_gpio_line;

/// Returns the generation of libgpiod for which the shim was compiled: 1 or 2.
int otolith_gpio_generation(void);

int otolith_gpio_chip_open(const char *path, otolith_gpio_chip **chip);
void otolith_gpio_chip_close(otolith_gpio_chip *chip);
const char *otolith_gpio_chip_label(const otolith_gpio_chip *chip);
uint32_t otolith_gpio_chip_lines(const otolith_gpio_chip *chip);
int otolith_gpio_chip_line_info(
  otolith_gpio_chip *chip, uint32_t offset, otolith_gpio_line_info *info);

/// Requests one line as an input with edge detection; its descriptor is non-blocking.
int otolith_gpio_request(
  const char *path, uint32_t offset, otolith_gpio_edges edges, otolith_gpio_bias bias,
  const char *consumer, otolith_gpio_line **line);
void otolith_gpio_release(otolith_gpio_line *line);
int otolith_gpio_descriptor(const otolith_gpio_line *line);

/// Returns the current level of the line: 1 is high, 0 is low.
int otolith_gpio_level(const otolith_gpio_line *line);

/// Reads waiting edges, oldest first, at most `capacity` and at most 16. Returns their number, 0 if
/// no edge is waiting.
int otolith_gpio_read(otolith_gpio_line *line, otolith_gpio_edge *edges, uint32_t capacity);

#endif
