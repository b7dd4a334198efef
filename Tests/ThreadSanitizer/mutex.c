// SPDX-License-Identifier: Apache-2.0
//
// This library is loaded before a program that is built with Thread Sanitizer. If two threads take
// a Swift Mutex at once, one waits within Swift's library, which is not built with the sanitizer.
// The sanitizer would see no order between the threads, and report a race for each value that a
// mutex protects. The functions below report the order to it, at the address that the exchange of
// the fast path uses.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// These functions are missing in programs that are not built with the sanitizer and inherit this
// library.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define HANDLE __attribute__((swift_context)) void *handle
#define SWIFT __attribute__((swiftcall))

// The symbols of Synchronization._MutexHandle's methods in Swift 6.3: _lockSlow(_: UInt32),
// _tryLockSlow(), _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t thread, HANDLE);
typedef SWIFT bool (*try_lock_function)(HANDLE);
typedef SWIFT void (*unlock_function)(HANDLE);

SWIFT void otolith_lock(uint32_t thread, HANDLE) __asm__(LOCK);
SWIFT bool otolith_try_lock(HANDLE) __asm__(TRY_LOCK);
SWIFT void otolith_unlock(HANDLE) __asm__(UNLOCK);

static lock_function lock_slow;
static try_lock_function try_lock_slow;
static unlock_function unlock_slow;

__attribute__((constructor)) static void find(void) {
  lock_slow = (lock_function)dlsym(RTLD_NEXT, LOCK);
  try_lock_slow = (try_lock_function)dlsym(RTLD_NEXT, TRY_LOCK);
  unlock_slow = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void otolith_lock(uint32_t thread, HANDLE) {
  lock_slow(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool otolith_try_lock(HANDLE) {
  bool is_locked = try_lock_slow(handle);
  if (is_locked && __tsan_acquire) __tsan_acquire(handle);
  return is_locked;
}

SWIFT void otolith_unlock(HANDLE) {
  if (__tsan_release) __tsan_release(handle);
  unlock_slow(handle);
}
