// SPDX-License-Identifier: Apache-2.0
// From reset to `firmware_main`: the vector table, the memory, the floating point unit.
// Armv7-M Architecture Reference Manual (DDI 0403E): B1.5.3 vectors, B3.2.20 CPACR.
#include "startup.h"

// Places that the linker script names.
extern uint32_t __data_load[], __data_start[], __data_end[], __bss_start[], __bss_end[];
extern uint32_t __stack_bottom[], __stack_top[];

/// The fill of stack that was never used.
#define UNUSED 0xC5C5C5C5u

__attribute__((noreturn, used)) void reset_handler(void) {
  // Full access to the floating point unit, before any code that may use it. A Cortex-M0 and a
  // Cortex-M3 have none.
  *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;
  __asm__ volatile("dsb\nisb");
  const uint32_t *from = __data_load;
  for (uint32_t *to = __data_start; to < __data_end;) *to++ = *from++;
  for (uint32_t *to = __bss_start; to < __bss_end;) *to++ = 0;
  // Up to where this function's own frame may be.
  uint32_t here;
  for (volatile uint32_t *to = __stack_bottom; to < &here - 64; to++) *to = UNUSED;
  firmware_main();
  host_exit(0);
  for (;;) wait_for_interrupt();
}

/// A trap of Swift's, a bad address, an instruction that is none: it stops, and says so where a
/// debugger listens.
__attribute__((noreturn, used)) static void fault_handler(void) {
  host_exit(70);
  for (;;) wait_for_interrupt();
}

__attribute__((section(".vectors"), used)) void (*const vectors[16])(void) = {
    (void (*)(void))__stack_top,  // the stack's first address
    reset_handler,
    fault_handler,  // NMI
    fault_handler,  // hard fault
    fault_handler, fault_handler, fault_handler,  // memory, bus, usage
    0, 0, 0, 0,
    fault_handler,  // SVC
    fault_handler, 0, fault_handler, fault_handler,  // debug, PendSV, SysTick: not used here
};

uint32_t stack_size(void) { return (uint32_t)((uintptr_t)__stack_top - (uintptr_t)__stack_bottom); }

uint32_t stack_used(void) {
  const volatile uint32_t *word = __stack_bottom;
  while (word < __stack_top && *word == UNUSED) word++;
  return (uint32_t)((uintptr_t)__stack_top - (uintptr_t)word);
}

uint32_t static_size(void) {
  return (uint32_t)((uintptr_t)__data_end - (uintptr_t)__data_start + (uintptr_t)__bss_end - (uintptr_t)__bss_start);
}

/// Semihosting (Arm's "Semihosting for AArch32 and AArch64"): a breakpoint with a number that a
/// debugger knows. Without a debugger it is a fault, so it is used by the emulator's firmware
/// alone.
static int32_t host_call(uint32_t operation, const void *arguments) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return (int32_t)r0;
}

int32_t host_open(const char *path, int32_t length, int32_t mode) {
  const uint32_t arguments[3] = {(uint32_t)(uintptr_t)path, (uint32_t)mode, (uint32_t)length};
  return host_call(0x01, arguments);
}

int32_t host_write(int32_t handle, const uint8_t *bytes, size_t count) {
  const uint32_t arguments[3] = {(uint32_t)handle, (uint32_t)(uintptr_t)bytes, (uint32_t)count};
  return host_call(0x05, arguments);
}

void host_exit(int32_t status) {
  // SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit.
  const uint32_t arguments[2] = {0x20026, (uint32_t)status};
  host_call(0x20, arguments);
}
