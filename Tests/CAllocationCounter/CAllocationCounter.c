// SPDX-License-Identifier: Apache-2.0
#include "CAllocationCounter.h"

#include <malloc.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// glibc's own functions, under the names that it provides for replacements of malloc.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local uint64_t of_thread;
static _Atomic uint64_t of_process;

static void count(void) {
  of_thread += 1;
  atomic_fetch_add_explicit(&of_process, 1, memory_order_relaxed);
}

uint64_t otolith_allocations_of_thread(void) { return of_thread; }

uint64_t otolith_allocations_of_process(void) {
  return atomic_load_explicit(&of_process, memory_order_relaxed);
}

// Thread Sanitizer replaces malloc itself, and this replacement would be called before it is ready.
// So nothing is counted with it.
#if !__has_feature(thread_sanitizer)

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

#endif

uint64_t otolith_bytes_in_use(void) { return mallinfo2().uordblks; }
