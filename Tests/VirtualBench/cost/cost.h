// SPDX-License-Identifier: Apache-2.0
// What the reading of this process costs, and the chip that all programs here read: an MPU-6050 at 0x68 on /dev/i2c-0.
#ifndef OTOLITH_COST_H
#define OTOLITH_COST_H

#include <stdint.h>

struct cost {
  // Nanoseconds of processor time of all tasks, in user mode and in the kernel (proc(5), schedstat: first field). Of the
  // task that asks it is as old as its last wait.
  int64_t processor;
  // System calls, where count_syscalls started this program; else -1.
  int64_t calls;
};

// Seconds to measure, from `--seconds S`; ends the program where that is not how it is called.
double cost_seconds(int count, char **words);

struct cost cost_begin(void);

// Prints what happened since `begin`, in one line.
void cost_end(struct cost begin, int64_t samples);

// Processor time of the kernel's threads whose name begins with `name`.
int64_t cost_of_kernel_threads(const char *name);

int64_t cost_now(void);

// Prints `what` and errno's text, and ends the program.
_Noreturn void fail(const char *what);

// The chip. All end the program where the bus fails.
int chip_open(void);
void chip_write(int bus, uint8_t reg, uint8_t value);
void chip_read(int bus, uint8_t reg, uint8_t *bytes, uint16_t count);

// Reset, awake, 1 kHz, +-4 g, +-500 degrees per second, low-pass filter 1.
void chip_start(int bus);

// The sum of a frame's quantities in g, degrees Celsius and rad/s: 14 bytes, big endian, accelerometer, thermometer,
// gyroscope.
double chip_sum(const uint8_t *frame);

#endif
