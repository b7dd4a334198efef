// SPDX-License-Identifier: Apache-2.0
#include "otolith_spi.h"

#include <errno.h>
#include <sys/ioctl.h>

int otolith_spi_configure(int descriptor, uint8_t mode, uint8_t bits_per_word, uint32_t speed) {
  if (ioctl(descriptor, SPI_IOC_WR_MODE, &mode) < 0) return -errno;
  if (ioctl(descriptor, SPI_IOC_WR_BITS_PER_WORD, &bits_per_word) < 0) return -errno;
  if (ioctl(descriptor, SPI_IOC_WR_MAX_SPEED_HZ, &speed) < 0) return -errno;
  return 0;
}

int otolith_spi_transfer(int descriptor, struct spi_ioc_transfer *transfers, uint32_t count) {
  // The count is part of the request number, so it must be a constant.
  int done = count == 1   ? ioctl(descriptor, SPI_IOC_MESSAGE(1), transfers)
             : count == 2 ? ioctl(descriptor, SPI_IOC_MESSAGE(2), transfers)
                          : (errno = EINVAL, -1);
  return done < 0 ? -errno : 0;
}
