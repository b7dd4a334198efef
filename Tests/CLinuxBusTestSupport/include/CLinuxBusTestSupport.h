// SPDX-License-Identifier: Apache-2.0
// What the tests of LinuxBus ask the kernel about a thread. Not part of any product.
#ifndef OTOLITH_LINUX_BUS_TEST_SUPPORT_H
#define OTOLITH_LINUX_BUS_TEST_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The name of the calling thread (at most 15 bytes and a zero).
int otolith_test_thread_name(char *name, size_t size);
/// Whether SIGINT is blocked in the calling thread.
bool otolith_test_interrupt_is_blocked(void);
/// The calling thread's timer slack in nanoseconds.
int64_t otolith_test_timer_slack(void);
/// Lets the calling thread, and no other, open files as another user (setfsuid(2)). False where
/// this process may not.
bool otolith_test_open_as(uint32_t user);

#endif
