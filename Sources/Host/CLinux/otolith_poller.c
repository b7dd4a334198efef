// SPDX-License-Identifier: Apache-2.0
// A wait uses epoll(7), with which descriptors are registered once. ppoll(2) adds itself to each
// descriptor's queue and removes itself again in every call, which takes 650 instructions more per
// wait for two descriptors. ppoll(2) is used only if epoll rejects a descriptor (closed, registered
// twice, a plain file).
//
// If descriptors repeatedly end the wait long before its deadline, a poller that has a timer keeps
// the timer running. The alternative is a timeout, which the kernel would start and stop for each
// wait. The timer expires early, about fifty times per second for a deadline of 20 ms, and is then
// set to the newest deadline.
#define _GNU_SOURCE
#include "otolith_system.h"

#include <linux/time_types.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// The index of the timer in epoll, which is after those of all descriptors.
#define TIMER UINT32_MAX
// The largest number of descriptors that one wait reports.
enum { EVENTS = 64 };
// After this many consecutive waits ended by a descriptor, the deadline is unlikely to be reached.
enum { WOKEN_OFTEN = 8 };

otolith_poller otolith_poller_make(bool has_timer) {
  otolith_poller poller = {.epoll = epoll_create1(EPOLL_CLOEXEC), .timer = -1};
  if (!has_timer || poller.epoll < 0) return poller;
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = TIMER};
  poller.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (poller.timer >= 0 && epoll_ctl(poller.epoll, EPOLL_CTL_ADD, poller.timer, &event) < 0) {
    close(poller.timer);
    poller.timer = -1;
  }
  return poller;
}

void otolith_poller_close(otolith_poller *poller) {
  if (poller->epoll >= 0) close(poller->epoll);
  if (poller->timer >= 0) close(poller->timer);
  poller->epoll = -1;
  poller->timer = -1;
}

// Sets the timer; returns false if it cannot be set.
static bool set_timer(otolith_poller *poller, int64_t end) {
  // Setting the timer also clears an expiration. A time of zero would stop it.
  struct itimerspec time = {.it_value = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000}};
  if (timerfd_settime(poller->timer, TFD_TIMER_ABSTIME, &time, NULL) < 0) return false;
  poller->timer_end = end;
  return true;
}

static void stop_timer(otolith_poller *poller) {
  struct itimerspec never = {0};
  timerfd_settime(poller->timer, 0, &never, NULL);
  poller->timer_end = 0;
}

void otolith_poller_add(otolith_poller *poller, const struct pollfd *slot, uint32_t index) {
  struct epoll_event event = {.events = (uint32_t)slot->events, .data.u32 = index};
  if (poller->epoll >= 0 && epoll_ctl(poller->epoll, EPOLL_CTL_ADD, slot->fd, &event) < 0) {
    otolith_poller_close(poller);
  }
}

void otolith_poller_change(otolith_poller *poller, const struct pollfd *slot, uint32_t index) {
  struct epoll_event event = {.events = (uint32_t)slot->events, .data.u32 = index};
  if (poller->epoll >= 0 && epoll_ctl(poller->epoll, EPOLL_CTL_MOD, slot->fd, &event) < 0) {
    otolith_poller_close(poller);
  }
}

void otolith_poller_remove(otolith_poller *poller, int32_t descriptor) {
  if (poller->epoll >= 0 && epoll_ctl(poller->epoll, EPOLL_CTL_DEL, descriptor, NULL) < 0) {
    otolith_poller_close(poller);
  }
}

static int poll_all(
  struct pollfd *slots, uint32_t count, const struct __kernel_timespec *left) {
  struct timespec timeout = {0, 0};
  if (left) {
    timeout.tv_sec = (time_t)left->tv_sec;
    timeout.tv_nsec = (long)left->tv_nsec;
  }
  int ready = ppoll(slots, count, left ? &timeout : NULL, NULL);
  return ready < 0 ? -errno : ready;
}

// Returns -ENOSYS if the kernel is older than 5.11, or a sandbox does not allow the call:
// epoll_wait(2) would have a timeout in milliseconds only. epoll_pwait2 is called by its number,
// because glibc has it only from 2.35 on. The next wait reports descriptors beyond EVENTS.
static int epoll_all(
  const otolith_poller *poller, struct pollfd *slots, uint32_t count,
  const struct __kernel_timespec *left, bool *has_ended) {
#ifdef SYS_epoll_pwait2
  static atomic_bool is_missing;
  if (atomic_load_explicit(&is_missing, memory_order_relaxed)) return -ENOSYS;
  struct epoll_event events[EVENTS];
  long found = syscall(SYS_epoll_pwait2, poller->epoll, events, EVENTS, left, NULL, (size_t)0);
  if (found < 0 && (errno == ENOSYS || errno == EPERM)) {
    atomic_store_explicit(&is_missing, true, memory_order_relaxed);
    return -ENOSYS;
  }
  if (found < 0) return -errno;
  int ready = 0;
  for (long i = 0; i < found; i++) {
    uint32_t index = events[i].data.u32;
    if (index == TIMER) {
      *has_ended = true;
    } else if (index < count) {
      // The events of poll(2) and epoll(7) have the same bits.
      slots[index].revents = (short)events[i].events;
      ready++;
    }
  }
  return ready;
#else
  (void)poller, (void)slots, (void)count, (void)left, (void)has_ended;
  return -ENOSYS;
#endif
}

// Waits once. `has_ended` returns whether the timer ended the wait.
static int wait_once(
  otolith_poller *poller, struct pollfd *slots, uint32_t count, int64_t deadline,
  bool *has_ended) {
  bool has_timer = poller->woken >= WOKEN_OFTEN && poller->timer >= 0 && deadline > 0 &&
                   deadline != INT64_MAX &&
                   ((poller->timer_end != 0 && poller->timer_end <= deadline) ||
                    set_timer(poller, deadline));
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
  if (poller->epoll < 0) return poll_all(slots, count, timeout);
  int result = epoll_all(poller, slots, count, timeout, has_ended);
  if (result != -ENOSYS) return result;
  otolith_poller_close(poller);
  return -EINTR;
}

int otolith_poller_wait(
  otolith_poller *poller, struct pollfd *slots, uint32_t count, int64_t deadline) {
  for (;;) {
    for (uint32_t i = 0; i < count; i++) slots[i].revents = 0;
    bool has_ended = false;
    int ready = wait_once(poller, slots, count, deadline, &has_ended);
    if (ready == -EINTR) continue;
    if (ready < 0) return ready;
    // The timer may have been set for an earlier wait.
    bool is_early = has_ended && (deadline == INT64_MAX || otolith_monotonic_now() < deadline);
    if (has_ended && (!is_early || !set_timer(poller, deadline))) stop_timer(poller);
    if (ready > 0 || !is_early) {
      poller->woken = ready > 0 ? poller->woken + (poller->woken < WOKEN_OFTEN) : 0;
      return ready;
    }
  }
}
