// SPDX-License-Identifier: Apache-2.0
// spidev (kernel Documentation/spi/spidev). Swift does not import the SPI_IOC_* macros. Functions
// that fail return the negative errno.
#ifndef OTOLITH_SPI_H
#define OTOLITH_SPI_H

#include <linux/spi/spidev.h>
#include <stdint.h>

// Swift does not import macros with shifts, but it imports enum constants.
enum {
  OTOLITH_SPI_MODE_0 = SPI_MODE_0,
  OTOLITH_SPI_MODE_3 = SPI_MODE_3,
};

/// Sets mode, word length and clock, in this order.
int otolith_spi_configure(int descriptor, uint8_t mode, uint8_t bits_per_word, uint32_t speed);

/// Transfers one frame, during one chip select: SPI_IOC_MESSAGE(count), with a count of 1 or 2.
int otolith_spi_transfer(int descriptor, struct spi_ioc_transfer *transfers, uint32_t count);

#endif
