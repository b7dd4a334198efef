// SPDX-License-Identifier: Apache-2.0
// Waits with epoll(7), which registers the descriptors once: ppoll(2) adds itself to and removes
// itself from each descriptor's queue in every call, which for two of them costs 650 instructions
// more per wait. Descriptors that epoll rejects (closed, registered twice, a plain file) are
// polled.
//
// If descriptors repeatedly end the wait long before its deadline, the poller keeps a timer running
// instead of a timeout, which the kernel would start and stop for each wait. The timer expires
// early, some fifty times per second for a deadline of 20 ms, and is then set to the newest
// deadline.
#define _GNU_SOURCE
#include "otolith_system.h"

#include <linux/time_types.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

otolith_waiter otolith_waiter_make(void) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  return (otolith_waiter){.epoll = epoll, .timer = -1};
}

void otolith_waiter_close(otolith_waiter *waiter) {
  if (waiter->epoll >= 0) close(waiter->epoll);
  if (waiter->timer >= 0) close(waiter->timer);
  waiter->epoll = -1;
  waiter->timer = -1;
}

// The timer's index in epoll: after all descriptors.
enum { TIMER = OTOLITH_WAIT_MAX };
// After this many consecutive waits ended by a descriptor, the deadline is unlikely to be reached.
enum { WOKEN_OFTEN = 8 };

// Sets the timer; returns false if it cannot be created or set.
static bool set_timer(otolith_waiter *waiter, int64_t end) {
  if (waiter->timer < 0) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = TIMER};
    waiter->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (waiter->timer >= 0 && epoll_ctl(waiter->epoll, EPOLL_CTL_ADD, waiter->timer, &event) < 0) {
      close(waiter->timer);
      waiter->timer = -1;
    }
    if (waiter->timer < 0) return false;
  }
  // Setting it also clears an expiration; a time of zero would stop it.
  struct itimerspec time = {.it_value = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000}};
  if (timerfd_settime(waiter->timer, TFD_TIMER_ABSTIME, &time, NULL) < 0) return false;
  waiter->timer_end = end;
  return true;
}

static void stop_timer(otolith_waiter *waiter) {
  struct itimerspec never = {0};
  timerfd_settime(waiter->timer, 0, &never, NULL);
  waiter->timer_end = 0;
}

int otolith_waiter_add(otolith_waiter *waiter, int32_t descriptor) {
  if (waiter->count >= OTOLITH_WAIT_MAX) return -ENOSPC;
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = waiter->count};
  waiter->descriptors[waiter->count++] = descriptor;
  if (waiter->epoll >= 0 && epoll_ctl(waiter->epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) {
    otolith_waiter_close(waiter);
  }
  return 0;
}

void otolith_waiter_remove(otolith_waiter *waiter, uint32_t index) {
  if (index >= waiter->count || waiter->descriptors[index] < 0) return;
  if (waiter->epoll >= 0 &&
      epoll_ctl(waiter->epoll, EPOLL_CTL_DEL, waiter->descriptors[index], NULL) < 0) {
    otolith_waiter_close(waiter);
  }
  // poll(2) ignores negative numbers.
  waiter->descriptors[index] = -1;
}

// The events of poll(2) and epoll(7) have the same bits.
static void note(uint32_t index, uint32_t events, uint32_t *readable, uint32_t *failed) {
  if (events & POLLIN) *readable |= 1u << index;
  if (events & (POLLERR | POLLHUP | POLLNVAL)) *failed |= 1u << index;
}

static int poll_all(
  const otolith_waiter *waiter, const struct __kernel_timespec *left, uint32_t *readable,
  uint32_t *failed) {
  struct pollfd polled[OTOLITH_WAIT_MAX];
  for (uint32_t i = 0; i < waiter->count; i++) {
    polled[i] = (struct pollfd){.fd = waiter->descriptors[i], .events = POLLIN};
  }
  struct timespec timeout = {0, 0};
  if (left) {
    timeout.tv_sec = (time_t)left->tv_sec;
    timeout.tv_nsec = (long)left->tv_nsec;
  }
  int ready = ppoll(polled, waiter->count, left ? &timeout : NULL, NULL);
  for (uint32_t i = 0; ready > 0 && i < waiter->count; i++) {
    note(i, (uint32_t)polled[i].revents, readable, failed);
  }
  return ready < 0 ? -errno : 0;
}

// Returns -ENOSYS if the kernel is older than 5.11, or a sandbox does not allow the call:
// epoll_wait(2) has no timeout finer than milliseconds. Called by number, because glibc provides it
// only from 2.35 on.
static int epoll_all(
  const otolith_waiter *waiter, const struct __kernel_timespec *left, uint32_t *readable,
  uint32_t *failed) {
#ifdef SYS_epoll_pwait2
  static atomic_bool is_missing;
  if (atomic_load_explicit(&is_missing, memory_order_relaxed)) return -ENOSYS;
  struct epoll_event events[OTOLITH_WAIT_MAX + 1];
  long ready =
    syscall(SYS_epoll_pwait2, waiter->epoll, events, OTOLITH_WAIT_MAX + 1, left, NULL, (size_t)0);
  if (ready < 0 && (errno == ENOSYS || errno == EPERM)) {
    atomic_store_explicit(&is_missing, true, memory_order_relaxed);
    return -ENOSYS;
  }
  for (long i = 0; i < ready; i++) {
    note(events[i].data.u32, events[i].events, readable, failed);
  }
  return ready < 0 ? -errno : 0;
#else
  (void)waiter, (void)left, (void)readable, (void)failed;
  return -ENOSYS;
#endif
}

// Waits once. If the timer ended the wait, it is included in `readable`.
static int wait_once(
  otolith_waiter *waiter, int64_t deadline, uint32_t *readable, uint32_t *failed) {
  bool has_timer = waiter->woken >= WOKEN_OFTEN && waiter->epoll >= 0 && deadline > 0 &&
                   deadline != INT64_MAX &&
                   ((waiter->timer_end != 0 && waiter->timer_end <= deadline) ||
                    set_timer(waiter, deadline));
  // A timeout is relative, so it is computed again after each interruption.
  struct __kernel_timespec left = {0, 0};
  if (!has_timer && deadline != INT64_MAX) {
    int64_t now = otolith_monotonic_now();
    // A negative deadline is treated as zero: both are in the past, and the difference does not
    // overflow.
    int64_t nanoseconds = deadline > now ? deadline - now : 0;
    left.tv_sec = nanoseconds / 1000000000;
    left.tv_nsec = nanoseconds % 1000000000;
  }
  const struct __kernel_timespec *timeout = has_timer || deadline == INT64_MAX ? NULL : &left;
  if (waiter->epoll < 0) return poll_all(waiter, timeout, readable, failed);
  int result = epoll_all(waiter, timeout, readable, failed);
  if (result != -ENOSYS) return result;
  otolith_waiter_close(waiter);
  return -EINTR;
}

int otolith_waiter_wait(
  otolith_waiter *waiter, int64_t deadline, uint32_t *readable, uint32_t *failed) {
  for (;;) {
    *readable = 0;
    *failed = 0;
    int result = wait_once(waiter, deadline, readable, failed);
    if (result == -EINTR) continue;
    if (result < 0) return result;
    bool has_ended = *readable >> TIMER & 1;
    *readable &= ~(1u << TIMER);
    bool is_woken = *readable | *failed;
    // The timer may have been set for an earlier wait.
    bool is_early = has_ended && (deadline == INT64_MAX || otolith_monotonic_now() < deadline);
    if (has_ended && (!is_early || !set_timer(waiter, deadline))) stop_timer(waiter);
    if (is_woken || !is_early) {
      waiter->woken = is_woken ? waiter->woken + (waiter->woken < WOKEN_OFTEN) : 0;
      return 0;
    }
  }
}
