// SPDX-License-Identifier: Apache-2.0
// Counts heap allocations by replacing the functions of the C library. For tests only: a program
// that is linked with this has its calls of malloc, calloc, realloc, memalign, aligned_alloc and
// posix_memalign counted, including those for Swift's objects.
#ifndef OTOLITH_ALLOCATION_COUNTER_H
#define OTOLITH_ALLOCATION_COUNTER_H

#include <stdint.h>

// The number of allocations of the calling thread since it began.
uint64_t otolith_allocations_of_thread(void);

// The number of allocations of all threads since the process began.
uint64_t otolith_allocations_of_process(void);

// The number of bytes that malloc has allocated and that are not freed, of all threads
// (mallinfo(3), uordblks).
uint64_t otolith_bytes_in_use(void);

#endif
