// SPDX-License-Identifier: Apache-2.0
// Functions with which the tests of LinuxBus read or set the kernel's state of a thread. Not part
// of any product.
#ifndef OTOLITH_LINUX_BUS_TEST_SUPPORT_H
#define OTOLITH_LINUX_BUS_TEST_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns the name of the calling thread (at most 15 bytes and a zero).
int otolith_test_thread_name(char *name, size_t size);
/// Returns whether SIGINT is blocked in the calling thread.
bool otolith_test_interrupt_is_blocked(void);
/// Returns the calling thread's timer slack in nanoseconds.
int64_t otolith_test_timer_slack(void);
/// Makes only the calling thread open files as another user (setfsuid(2)). Returns false if this
/// process may not do that.
bool otolith_test_open_as(uint32_t user);

#endif
