// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinuxBusTestSupport.h"

#include <pthread.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>

int otolith_test_thread_name(char *name, size_t size) {
  return -pthread_getname_np(pthread_self(), name, size);
}

bool otolith_test_interrupt_is_blocked(void) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  return sigismember(&mask, SIGINT) == 1;
}

int64_t otolith_test_timer_slack(void) { return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0); }

bool otolith_test_open_as(uint32_t user) {
  setfsgid(user);
  setfsuid(user);
  // setfsuid reports no error. With an impossible user it changes nothing and returns the current
  // one.
  return (uint32_t)setfsuid((uid_t)-1) == user;
}
