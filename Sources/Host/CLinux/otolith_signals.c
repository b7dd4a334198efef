// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "otolith_process.h"
#include "otolith_system.h"

#include <signal.h>
#include <stdatomic.h>

static _Atomic int signal_event = -1;
static _Atomic uint64_t signals_noted;
// All signals that were ever requested to be recorded.
static _Atomic uint64_t signals_wanted;

// The handler uses only system calls that signal-safety(7) lists, and lock-free atomics.
static void note(int number) {
  int before = errno;
  atomic_fetch_or(&signals_noted, UINT64_C(1) << number);
  int event = atomic_load(&signal_event);
  if (event >= 0) otolith_event_signal(event);
  errno = before;
}

static int set(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, NULL) < 0 ? -errno : 0;
}

int otolith_signal_note(int number, int event) {
  if (number < 1 || number > 63) return -EINVAL;
  atomic_store(&signal_event, event);
  atomic_fetch_or(&signals_wanted, UINT64_C(1) << number);
  return set(number, note);
}

int otolith_signal_ignore(int number) { return set(number, SIG_IGN); }

int otolith_signal_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void otolith_signals_unblock(void) {
  uint64_t wanted = atomic_load(&signals_wanted);
  sigset_t signals;
  sigemptyset(&signals);
  for (int number = 1; number < 64; number++)
    if (wanted >> number & 1) sigaddset(&signals, number);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

uint64_t otolith_signals_take(void) { return atomic_exchange(&signals_noted, 0); }
