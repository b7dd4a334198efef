// SPDX-License-Identifier: Apache-2.0
// Counts heap allocations by standing in front of the C library's. For tests only: whatever is linked with this has
// its malloc, calloc, realloc, memalign, aligned_alloc and posix_memalign counted, Swift's objects included.
#ifndef OTOLITH_ALLOCATION_COUNTER_H
#define OTOLITH_ALLOCATION_COUNTER_H

#include <stdint.h>

// Allocations of the calling thread since it began.
uint64_t otolith_allocations_of_thread(void);

// Allocations of all threads since the process began.
uint64_t otolith_allocations_of_process(void);

// Bytes that malloc has given out and not got back, of all threads (mallinfo(3), uordblks).
uint64_t otolith_bytes_in_use(void);

#endif
