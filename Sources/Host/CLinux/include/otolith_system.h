// SPDX-License-Identifier: Apache-2.0
// Clock, events, polling, threads, locks, directories. Functions that fail return the negative
// errno in the result, because the thread-local errno could change before Swift reads it.
#ifndef OTOLITH_SYSTEM_H
#define OTOLITH_SYSTEM_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Returns the time of CLOCK_MONOTONIC in nanoseconds, the clock of the kernel's GPIO edges.
int64_t otolith_monotonic_now(void);

/// Creates an eventfd, non-blocking and close-on-exec (eventfd(2)).
int otolith_event_open(void);

/// Adds 1 to the counter of an eventfd. EAGAIN counts as success, because a full counter wakes a
/// waiting thread too.
int otolith_event_signal(int event);

/// Returns the counter of an eventfd and sets it to 0. Returns 0 if it was not signalled.
int64_t otolith_event_drain(int event);

/// The state of a poller in the kernel. The caller has the descriptors in an array of pollfd, one
/// slot for each, with the events to wait for. A negative descriptor is skipped. A wait sets
/// `revents`.
typedef struct {
  /// An epoll instance with all descriptors; negative if ppoll(2) must be used, with the whole list
  /// for each wait.
  int epoll;
  /// A timer that keeps running from one wait to the next; negative if there is no timer or it
  /// could not be created.
  int timer;
  /// The timer's end time, and the number of consecutive waits that were ended by a descriptor.
  int64_t timer_end;
  uint32_t woken;
} otolith_poller;

/// Creates a poller without descriptors. With `has_timer` it uses one descriptor more, and waits
/// that descriptors often end take less time.
otolith_poller otolith_poller_make(bool has_timer);

void otolith_poller_close(otolith_poller *poller);

/// Adds the descriptor of slot `index`.
void otolith_poller_add(otolith_poller *poller, const struct pollfd *slot, uint32_t index);

/// Changes the events to wait for in slot `index`.
void otolith_poller_change(otolith_poller *poller, const struct pollfd *slot, uint32_t index);

/// Removes a descriptor, which must still be open.
void otolith_poller_remove(otolith_poller *poller, int32_t descriptor);

/// Waits until a descriptor is ready or CLOCK_MONOTONIC reaches `deadline` (INT64_MAX: forever).
/// Returns the number of slots with events, at most 64 where epoll is used.
int otolith_poller_wait(
  otolith_poller *poller, struct pollfd *slots, uint32_t count, int64_t deadline);

/// Sets the timer slack of the calling thread in nanoseconds (PR_SET_TIMERSLACK, prctl(2)); 0
/// restores the default.
int otolith_set_timer_slack(uint64_t nanoseconds);

/// A joinable thread.
typedef struct {
  uint64_t id;
  /// 0 if the thread runs with the requested priority, otherwise the errno that denied SCHED_FIFO;
  /// then it runs with normal priority.
  int32_t realtime_denied;
} otolith_thread;

/// Starts `body(context)` on a thread with all signals blocked. `priority` 0 is a normal thread,
/// 1...99 is SCHED_FIFO.
int otolith_thread_start(
  void (*body)(void *context), void *context, const char *name, int priority,
  otolith_thread *thread);
int otolith_thread_join(uint64_t id);
int otolith_thread_detach(uint64_t id);
// Returns 1 if the caller runs on this thread, otherwise 0.
int otolith_thread_is_current(uint64_t id);

/// Calls `each` with every name in a directory except "." and "..".
int otolith_list(
  const char *directory, void (*each)(const char *name, void *context), void *context);

/// Gets the last component of a symbolic link's target.
int otolith_link_name(const char *path, char *name, size_t size);

/// Gets the last component of a path after resolving all symbolic links.
int otolith_real_name(const char *path, char *name, size_t size);

/// The group, permissions, link count and device number of a node.
typedef struct {
  uint32_t group;
  uint32_t mode;
  uint64_t links;
  uint32_t major;
  uint32_t minor;
} otolith_node;
int otolith_node_at(const char *path, otolith_node *node);
int otolith_node_of(int descriptor, otolith_node *node);

/// Gets the name of a group (getgrgid_r(3)).
int otolith_group_name(uint32_t group, char *name, size_t size);

/// Locks `slot` of the file open for writing (fcntl(2), F_OFD_SETLK), without waiting: -EAGAIN if
/// another open file description holds the lock.
int otolith_lock_take(int descriptor, uint8_t slot);
/// Returns the id of the process that holds the lock, if that process has recorded it; 0 if
/// unknown. The kernel does not report the owner of such locks, so the owner locks a second byte
/// whose offset is its process id.
int32_t otolith_lock_holder(int descriptor, uint8_t slot);
/// Releases the lock, even if a child process between fork and exec still has the descriptor.
void otolith_lock_release(int descriptor, uint8_t slot);
/// Returns 0 if the open file has been removed from every directory.
int otolith_is_linked(int descriptor);

#endif
