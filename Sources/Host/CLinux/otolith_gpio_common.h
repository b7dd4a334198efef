// SPDX-License-Identifier: Apache-2.0
// Declarations for the implementations of both generations of libgpiod. Swift does not import this
// header.
#ifndef OTOLITH_GPIO_COMMON_H
#define OTOLITH_GPIO_COMMON_H

#include "otolith_gpio.h"

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdlib.h>
#include <string.h>

// Only the 1.x header defines this macro; neither header has a version number.
#ifdef GPIOD_API
#define OTOLITH_GPIOD 1
#else
#define OTOLITH_GPIOD 2
#endif

// Some libraries fail without setting errno; 0 would then mean success.
static inline int otolith_failure(void) { return errno ? -errno : -EIO; }

static inline void otolith_copy_name(char *to, const char *from) {
  to[0] = 0;
  if (from) strncat(to, from, OTOLITH_GPIO_NAME_MAX - 1);
}

static inline int otolith_set_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
  return 0;
}

#endif
