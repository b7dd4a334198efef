// SPDX-License-Identifier: Apache-2.0
// The start-up code before the firmware and the exit from the emulator: a Cortex-M0 (QEMU's
// microbit) or 32-bit RISC-V (QEMU's virt).
#include "CBoard.h"

int32_t board_write(uint8_t address, const uint8_t *bytes, int32_t count) {
  (void)address, (void)bytes, (void)count;
  return -1;
}

int32_t board_read(uint8_t address, uint8_t first, uint8_t *bytes, int32_t count) {
  (void)address, (void)first, (void)bytes, (void)count;
  return -1;
}

// Returns 0 if all results are correct, else the number of the check that failed.
extern int32_t linked_firmware(void);

// These symbols are defined in linked.ld.
extern uint32_t data_source[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];

#if defined(__arm__)

// Ends the program by semihosting (Arm, "Semihosting for AArch32 and AArch64", SYS_EXIT_EXTENDED),
// with reason 0x20026.
__attribute__((noreturn)) static void leave(int32_t status) {
  uint32_t block[2] = {0x20026, (uint32_t)status};
  register uint32_t operation __asm__("r0") = 0x20;
  register uint32_t *parameter __asm__("r1") = block;
  __asm__ volatile("bkpt 0xAB" : : "r"(operation), "r"(parameter) : "memory");
  for (;;) {
  }
}

#elif defined(__riscv)

// Ends the program with the test device of QEMU's virt machine (hw/misc/sifive_test.c).
__attribute__((noreturn)) static void leave(int32_t status) {
  *(volatile uint32_t *)0x100000 = status == 0 ? 0x5555 : (uint32_t)status << 16 | 0x3333;
  for (;;) {
  }
}

#endif

#if defined(__arm__) || defined(__riscv)

__attribute__((noreturn)) void board_begin(void) {
  // Without volatile the loops would become calls of memcpy and memset, which may use memory that
  // is not yet initialised.
  volatile uint32_t *to = data_start;
  for (const uint32_t *from = data_source; to < data_end; from++) *to++ = *from;
  for (to = bss_start; to < bss_end; to++) *to = 0;
  leave(linked_firmware());
}

#endif

#if defined(__arm__)

__attribute__((noreturn)) static void board_fault(void) { leave(255); }

// The vector table: initial stack pointer, reset, NMI and hard fault (ARMv6-M Architecture
// Reference Manual, B1.5.2).
__attribute__((section(".vectors"), used)) const void *const board_vectors[4] = {
  stack_top, (const void *)board_begin, (const void *)board_fault, (const void *)board_fault};

#elif defined(__riscv)

__attribute__((naked, section(".vectors"), used)) void board_reset(void) {
  __asm__ volatile("la sp, stack_top\n j board_begin");
}

#endif
