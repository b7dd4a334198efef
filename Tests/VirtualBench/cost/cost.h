// SPDX-License-Identifier: Apache-2.0
// The cost of reading in this process, and the chip that all programs here read: an MPU-6050 at
// 0x68 on /dev/i2c-0.
#ifndef OTOLITH_COST_H
#define OTOLITH_COST_H

#include <stdint.h>

struct cost {
  // Nanoseconds of processor time of all tasks, in user mode and in the kernel (the first field of
  // schedstat in proc(5)). The time of the calling task is as old as its last wait.
  int64_t processor;
  // The number of system calls if count_syscalls started this program; else -1.
  int64_t calls;
};

// Returns the seconds to measure, from `--seconds S`; ends the program on any other arguments.
double cost_seconds(int count, char **words);

struct cost cost_begin(void);

// Prints the cost since `begin` in one line.
void cost_end(struct cost begin, int64_t samples);

// Returns the processor time of the kernel's threads whose names begin with `name`.
int64_t cost_of_kernel_threads(const char *name);

int64_t cost_now(void);

// Prints `what` and the text of errno, and ends the program.
_Noreturn void fail(const char *what);

// The functions of the chip, which end the program if the bus fails.
int chip_open(void);
void chip_write(int bus, uint8_t reg, uint8_t value);
void chip_read(int bus, uint8_t reg, uint8_t *bytes, uint16_t count);

// Resets and wakes the chip, and sets 1 kHz, +-4 g, +-500 degrees per second and low-pass filter 1.
void chip_start(int bus);

// Returns the sum of a frame's quantities in g, degrees Celsius and rad/s. A frame has 14 bytes,
// big endian: accelerometer, thermometer, gyroscope.
double chip_sum(const uint8_t *frame);

#endif
