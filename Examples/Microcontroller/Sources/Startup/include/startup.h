// SPDX-License-Identifier: Apache-2.0
// The parts below Swift that the firmware uses: registers of peripherals, and the debugger's door
// (semihosting).
#ifndef OTOLITH_STARTUP_H
#define OTOLITH_STARTUP_H

#include <stddef.h>
#include <stdint.h>

/// A peripheral's register: read and written as often as it says here, and in this order.
static inline uint32_t register_read(uintptr_t address) { return *(volatile uint32_t *)address; }
static inline void register_write(uintptr_t address, uint32_t value) { *(volatile uint32_t *)address = value; }

/// Sleeps until something happens that would interrupt.
static inline void wait_for_interrupt(void) { __asm__ volatile("wfi"); }

/// Writes bytes to a file on the machine of the debugger or emulator. `mode` as fopen(3)'s in the
/// order r, rb, r+, r+b, w, wb, ...: 5 is wb. A negative handle: it could not be opened.
int32_t host_open(const char *path, int32_t length, int32_t mode);
int32_t host_write(int32_t handle, const uint8_t *bytes, size_t count);
/// Ends the emulation with a status.
void host_exit(int32_t status);

/// The most bytes of stack that were ever used, and all of them; of memory before it (data and
/// zeroed).
uint32_t stack_used(void);
uint32_t stack_size(void);
uint32_t static_size(void);

/// The firmware itself, called once memory is as a program expects it.
void firmware_main(void);

#endif
