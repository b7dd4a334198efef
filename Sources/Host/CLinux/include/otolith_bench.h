// SPDX-License-Identifier: Apache-2.0
// The records of /dev/otolith-bench, between the kernel module of the virtual bench
// (Tests/VirtualBench/module) and the one process that simulates its buses and drives its GPIO
// lines. Both sides are compiled with this file.
//
// read(2) returns one whole record, write(2) takes one; numbers have the machine's byte order. If
// no process has the device open, transactions fail with ENXIO; if it does not answer in time, with
// ETIMEDOUT.
#ifndef OTOLITH_BENCH_H
#define OTOLITH_BENCH_H

#include <linux/types.h>

#define OTOLITH_BENCH_PATH "/dev/otolith-bench"

enum {
  OTOLITH_BENCH_RECORD_MAX = 65536,
  OTOLITH_BENCH_MESSAGES_MAX = 42,
  OTOLITH_BENCH_LINES = 32,
};

enum {
  // Read: one I2C transaction with all its messages. `unit` is the index of the adapter among the
  // module's, `value` the number of messages. The message headers follow, then the bytes of the
  // write messages, in order.
  OTOLITH_BENCH_I2C = 1,
  // Read: one SPI frame, from the falling to the rising edge of chip select `unit`. A frame header
  // follows, then its bytes.
  OTOLITH_BENCH_SPI = 2,
  // Written: the answer to record `id`. `value` is 0 or a negative errno. The read bytes follow:
  // for I2C those of all read messages, in order; for SPI as many as the frame's length.
  OTOLITH_BENCH_ANSWER = 3,
  // Written: sets GPIO line `unit` to level `value`, 0 or 1. An edge header follows. Returns when
  // the kernel's interrupt handler has run.
  OTOLITH_BENCH_LINE = 4,
};

struct otolith_bench_record {
  __u32 size;  // of the whole record, including this header
  __u16 kind;
  __u16 unit;
  __u32 id;
  __s32 value;
};

struct otolith_bench_message {
  __u16 address;  // 7 bits
  __u16 flags;    // I2C_M_*
  __u16 length;
  __u16 reserved;
};

struct otolith_bench_frame {
  __u32 mode;   // SPI_MODE_*
  __u32 speed;  // hertz
  __u32 bits;   // per word
  __u32 length;
};

struct otolith_bench_edge {
  __s64 nanoseconds;  // CLOCK_MONOTONIC, when the chip changed the line; only for the log
};

#endif
