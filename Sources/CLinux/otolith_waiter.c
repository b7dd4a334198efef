// SPDX-License-Identifier: Apache-2.0
// Waits by epoll(7), which is told once what it waits on: ppoll(2) enters and leaves each
// descriptor's queue anew, for two of them 650 instructions more a wait. What epoll refuses (a
// closed descriptor, one that is there twice, a plain file) is polled.
#define _GNU_SOURCE
#include "otolith_system.h"

#include <linux/time_types.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

otolith_waiter otolith_waiter_make(void) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  return (otolith_waiter){.epoll = epoll};
}

void otolith_waiter_close(otolith_waiter *waiter) {
  if (waiter->epoll >= 0) close(waiter->epoll);
  waiter->epoll = -1;
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

// -ENOSYS where the kernel is older than 5.11, or a sandbox does not know the call: epoll_wait(2)
// alone has no finer timeout than milliseconds. Called by its number, as glibc has it only since
// 2.35.
static int epoll_all(
  const otolith_waiter *waiter, const struct __kernel_timespec *left, uint32_t *readable,
  uint32_t *failed) {
#ifdef SYS_epoll_pwait2
  static atomic_bool is_missing;
  if (atomic_load_explicit(&is_missing, memory_order_relaxed)) return -ENOSYS;
  struct epoll_event events[OTOLITH_WAIT_MAX];
  long ready =
    syscall(SYS_epoll_pwait2, waiter->epoll, events, OTOLITH_WAIT_MAX, left, NULL, (size_t)0);
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

int otolith_waiter_wait(
  const otolith_waiter *waiter, int64_t deadline, uint32_t *readable, uint32_t *failed) {
  *readable = 0;
  *failed = 0;
  for (;;) {
    // The timeout is relative, so it is taken anew after each interruption.
    struct __kernel_timespec left = {0, 0};
    if (deadline != INT64_MAX) {
      int64_t now = otolith_monotonic_now();
      // A deadline below zero is as long past as one at zero, and does not overflow the difference.
      int64_t nanoseconds = deadline > now ? deadline - now : 0;
      left.tv_sec = nanoseconds / 1000000000;
      left.tv_nsec = nanoseconds % 1000000000;
    }
    const struct __kernel_timespec *timeout = deadline != INT64_MAX ? &left : NULL;
    int result = waiter->epoll >= 0 ? epoll_all(waiter, timeout, readable, failed) : -ENOSYS;
    if (result == -ENOSYS) result = poll_all(waiter, timeout, readable, failed);
    if (result != -EINTR) return result;
  }
}
