// SPDX-License-Identifier: Apache-2.0
// The board of the firmware: a bus on which no chip answers. It is written in C, so that the
// compiler of the firmware cannot know that and remove the drivers.
#ifndef OTOLITH_CBOARD_H
#define OTOLITH_CBOARD_H

#include <stdint.h>

/// Returns 0 or an error; here it is always an error.
int32_t board_write(uint8_t address, const uint8_t *bytes, int32_t count);
int32_t board_read(uint8_t address, uint8_t first, uint8_t *bytes, int32_t count);

#endif
