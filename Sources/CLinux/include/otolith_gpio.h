// SPDX-License-Identifier: Apache-2.0
// Edges of GPIO lines through libgpiod. Versions 1.6 (Debian 12) and 2.x (Debian 13) share a header
// name and nothing else; this face is the same over both and is chosen when the shim is compiled.
// Failures are the negative errno.
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

/// The name of a line and of its user; names are empty where there are none.
typedef struct {
  char name[OTOLITH_GPIO_NAME_MAX];
  char consumer[OTOLITH_GPIO_NAME_MAX];
  bool is_used;
} otolith_gpio_line_info;

/// One edge, stamped by the kernel in the interrupt handler (CLOCK_MONOTONIC; with 1.6 from kernel
/// 5.7 on).
typedef struct {
  int64_t nanoseconds;
  /// Counts every edge of the line from 1, also those lost to a full queue; 0 where the interface
  /// has no count (1.6).
  uint32_t sequence;
  bool is_rising;
} otolith_gpio_edge;

typedef struct otolith_gpio_chip otolith_gpio_chip;
typedef struct otolith_gpio_line otolith_gpio_line;

/// The generation of libgpiod the shim was compiled for: 1 or 2.
int otolith_gpio_generation(void);

int otolith_gpio_chip_open(const char *path, otolith_gpio_chip **chip);
void otolith_gpio_chip_close(otolith_gpio_chip *chip);
const char *otolith_gpio_chip_label(const otolith_gpio_chip *chip);
uint32_t otolith_gpio_chip_lines(const otolith_gpio_chip *chip);
int otolith_gpio_chip_line_info(
  otolith_gpio_chip *chip, uint32_t offset, otolith_gpio_line_info *info);

/// Requests one line as input with edge detection; the descriptor is non-blocking.
int otolith_gpio_request(
  const char *path, uint32_t offset, otolith_gpio_edges edges, otolith_gpio_bias bias,
  const char *consumer, otolith_gpio_line **line);
void otolith_gpio_release(otolith_gpio_line *line);
int otolith_gpio_descriptor(const otolith_gpio_line *line);

/// Returns the level of the line now: 1 is high, 0 is low.
int otolith_gpio_level(const otolith_gpio_line *line);

/// Takes waiting edges, oldest first, at most `capacity` and 16; returns how many, 0 where none
/// waits.
int otolith_gpio_read(otolith_gpio_line *line, otolith_gpio_edge *edges, uint32_t capacity);

#endif
