// SPDX-License-Identifier: Apache-2.0
// count_syscalls PROGRAM [ARGUMENT...]: runs a program and counts the system calls of all its
// threads. The program reads the count as 8 bytes from the descriptor that OTOLITH_SYSCALL_COUNTER
// names. Counting takes time, so times are measured without it.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Returns the number of the kernel's tracepoint; -1 if the kernel has none or the user may not use
// it.
static long long tracepoint(void) {
  static const char *const roots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
  long long id = -1;
  for (int i = 0; i < 2 && id < 0; i++) {
    char path[100];
    snprintf(path, sizeof path, "%s/events/raw_syscalls/sys_enter/id", roots[i]);
    FILE *file = fopen(path, "re");
    if (!file) continue;
    if (fscanf(file, "%lld", &id) != 1) id = -1;
    fclose(file);
  }
  return id;
}

int main(int count, char **words) {
  if (count < 2) {
    fprintf(stderr, "usage: %s PROGRAM [ARGUMENT...]\n", words[0]);
    return 2;
  }
  long long id = tracepoint();
  if (id < 0) {
    fprintf(stderr, "%s: no tracepoint raw_syscalls; mount -t tracefs tracefs /sys/kernel/tracing\n", words[0]);
    return 1;
  }
  // Threads that are created later are counted as well.
  struct perf_event_attr event = {
    .type = PERF_TYPE_TRACEPOINT, .size = sizeof event, .config = (unsigned long long)id, .inherit = 1};
  long counter = syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
  if (counter < 0) {
    fprintf(stderr, "%s: perf_event_open: %s\n", words[0], strerror(errno));
    return 1;
  }
  char number[32];
  snprintf(number, sizeof number, "%ld", counter);
  setenv("OTOLITH_SYSCALL_COUNTER", number, 1);
  execvp(words[1], words + 1);
  fprintf(stderr, "%s: %s: %s\n", words[0], words[1], strerror(errno));
  return 127;
}
