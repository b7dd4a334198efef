// SPDX-License-Identifier: Apache-2.0
// spidev (kernel Documentation/spi/spidev). The SPI_IOC_* macros do not reach Swift. Failures are
// the negative errno.
#ifndef OTOLITH_SPI_H
#define OTOLITH_SPI_H

#include <linux/spi/spidev.h>
#include <stdint.h>

// Macros of shifts do not reach Swift; constants of an enum do.
enum {
  OTOLITH_SPI_MODE_0 = SPI_MODE_0,
  OTOLITH_SPI_MODE_3 = SPI_MODE_3,
};

/// Sets mode, word length and clock, in this order.
int otolith_spi_configure(int descriptor, uint8_t mode, uint8_t bits_per_word, uint32_t speed);

/// SPI_IOC_MESSAGE(count), count 1 or 2: one frame of the chip select.
int otolith_spi_transfer(int descriptor, struct spi_ioc_transfer *transfers, uint32_t count);

#endif
