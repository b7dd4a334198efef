// SPDX-License-Identifier: Apache-2.0
// What the firmware is given by its board: a bus on which nobody answers. C, so that the compiler of the firmware cannot
// know that and leave the drivers out.
#ifndef OTOLITH_CBOARD_H
#define OTOLITH_CBOARD_H

#include <stdint.h>

/// 0, or what went wrong: always the latter.
int32_t board_write(uint8_t address, const uint8_t *bytes, int32_t count);
int32_t board_read(uint8_t address, uint8_t first, uint8_t *bytes, int32_t count);

#endif
