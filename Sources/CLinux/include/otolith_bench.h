// SPDX-License-Identifier: Apache-2.0
// The records of /dev/otolith-bench, between the kernel module of the virtual bench
// (Tests/VirtualBench/module) and the one process that answers for its buses and drives its GPIO
// lines. Both sides are compiled from this file.
//
// read(2) gives one whole record, write(2) takes one; numbers are those of the machine. Where no
// process has the device open, transactions end with ENXIO; where it does not answer in time, with
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
  // Read: one I2C transaction, all its messages. `unit` is the adapter's place among the module's,
  // `value` the number of messages. Their headers follow, then the bytes of those that write, in
  // order.
  OTOLITH_BENCH_I2C = 1,
  // Read: one SPI frame, from the fall of the chip select `unit` to its rise. A frame's header
  // follows, then its bytes.
  OTOLITH_BENCH_SPI = 2,
  // Written: the answer to record `id`. `value` is 0 or a negative errno. The bytes that were read
  // follow: on I2C those of all messages that read, in order; on SPI as many as the frame has.
  OTOLITH_BENCH_ANSWER = 3,
  // Written: GPIO line `unit` goes to level `value`, 0 or 1. An edge's header follows. Returns when
  // the kernel's interrupt handler has run.
  OTOLITH_BENCH_LINE = 4,
};

struct otolith_bench_record {
  __u32 size;  // of all, this header included
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
  __s64 nanoseconds;  // CLOCK_MONOTONIC, when the chip changed the line; for the log only
};

#endif
