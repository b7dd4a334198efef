// SPDX-License-Identifier: Apache-2.0
// Clock, events, waiting, threads, locks, directories. Every function that can fail returns the
// negative errno, as system calls themselves do: the thread-local errno could change before Swift
// reads it.
#ifndef OTOLITH_SYSTEM_H
#define OTOLITH_SYSTEM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Nanoseconds of CLOCK_MONOTONIC, the clock of the kernel's GPIO edges.
int64_t otolith_monotonic_now(void);

/// A new eventfd, non-blocking and close-on-exec (eventfd(2)).
int otolith_event_open(void);

/// Adds 1. A full counter is as good as rung, so EAGAIN counts as success.
int otolith_event_ring(int event);

/// Takes the counter; 0 where it was not rung.
int64_t otolith_event_drain(int event);

enum { OTOLITH_WAIT_MAX = 8 };

/// The descriptors that a waiter waits on.
typedef struct {
  /// An epoll instance that has them all; negative where ppoll(2) has to be given them each time.
  int epoll;
  /// A timer that is left running from wait to wait; negative before it is needed, and where it
  /// could not be made.
  int timer;
  /// When it ends, and how many waits in a row were ended by a descriptor.
  int64_t timer_end;
  uint32_t woken;
  uint32_t count;
  /// A negative one is passed over.
  int32_t descriptors[OTOLITH_WAIT_MAX];
} otolith_waiter;

/// On nothing.
otolith_waiter otolith_waiter_make(void);

/// Adds a descriptor; 0, or -ENOSPC.
int otolith_waiter_add(otolith_waiter *waiter, int32_t descriptor);

/// Passes over descriptor `index` from now on.
void otolith_waiter_remove(otolith_waiter *waiter, uint32_t index);

void otolith_waiter_close(otolith_waiter *waiter);

/// Sleeps until a descriptor is readable or CLOCK_MONOTONIC reaches `deadline` (INT64_MAX:
/// forever). Bit i of `readable` and `failed` stands for descriptors[i]; failed means POLLERR,
/// POLLHUP or POLLNVAL.
int otolith_waiter_wait(
  otolith_waiter *waiter, int64_t deadline, uint32_t *readable, uint32_t *failed);

/// Timer slack of the calling thread in nanoseconds (PR_SET_TIMERSLACK, prctl(2)); 0 restores the
/// default.
int otolith_set_timer_slack(uint64_t nanoseconds);

/// A joinable thread.
typedef struct {
  uint64_t id;
  /// 0: SCHED_FIFO as asked (or not asked for). Else the errno that denied it; the thread runs as a
  /// normal one.
  int32_t realtime_denied;
} otolith_thread;

/// Starts `body(context)` with all signals blocked. `priority` 0 is a normal thread, 1...99 is
/// SCHED_FIFO.
int otolith_thread_start(
  void (*body)(void *context), void *context, const char *name, int priority,
  otolith_thread *thread);
int otolith_thread_join(uint64_t id);
int otolith_thread_detach(uint64_t id);
// Whether the caller runs on this thread.
int otolith_thread_is_current(uint64_t id);

/// Calls `each` with every name in a directory but the two dotted ones.
int otolith_list(
  const char *directory, void (*each)(const char *name, void *context), void *context);

/// The last component of what a symbolic link points to.
int otolith_link_name(const char *path, char *name, size_t size);

/// The last component of a path after following every symbolic link.
int otolith_real_name(const char *path, char *name, size_t size);

/// Group, permissions, link count and device number of a node.
typedef struct {
  uint32_t group;
  uint32_t mode;
  uint64_t links;
  uint32_t major;
  uint32_t minor;
} otolith_node;
int otolith_node_at(const char *path, otolith_node *node);
int otolith_node_of(int descriptor, otolith_node *node);

/// The name of a group (getgrgid_r(3)).
int otolith_group_name(uint32_t group, char *name, size_t size);

/// Locks `slot` of what is open for writing (fcntl(2), F_OFD_SETLK), not waiting: -EAGAIN where
/// another open file has it.
int otolith_lock_take(int descriptor, uint8_t slot);
/// The process that has the lock, by its number where it took it; 0: unknown. The kernel itself
/// does not say: another byte is locked, and its place is the number.
int32_t otolith_lock_holder(int descriptor, uint8_t slot);
/// Gives the lock back, also where a child between fork and exec still has the descriptor.
void otolith_lock_release(int descriptor, uint8_t slot);
/// 0 where what is open is in no directory any more.
int otolith_is_linked(int descriptor);

#endif
