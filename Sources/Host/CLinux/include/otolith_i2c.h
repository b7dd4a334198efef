// SPDX-License-Identifier: Apache-2.0
// i2c-dev (kernel Documentation/i2c/dev-interface) and the SMBus calls of libi2c. Functions that
// fail return the negative errno.
#ifndef OTOLITH_I2C_H
#define OTOLITH_I2C_H

#include <linux/i2c.h>
#include <stdint.h>

// Swift does not import macros with casts, but it imports enum constants.
enum {
  /// i2c-dev rejects longer messages (drivers/i2c/i2c-dev.c; dev-interface does not give the
  /// number).
  OTOLITH_I2C_MESSAGE_MAX = 8192,
  OTOLITH_SMBUS_BLOCK_MAX = I2C_SMBUS_BLOCK_MAX,
};

/// Gets the kinds of transfer that the adapter supports (I2C_FUNCS).
int otolith_i2c_functionality(int descriptor, uint64_t *functionality);

/// Transfers all messages as one transaction, with a repeated START between them (I2C_RDWR).
int otolith_i2c_transfer(int descriptor, struct i2c_msg *messages, uint32_t count);

/// Sets the address for the following SMBus calls (I2C_SLAVE). Returns -EBUSY if a kernel driver is
/// bound to the address.
int otolith_i2c_select(int descriptor, uint8_t address);

int otolith_smbus_write_quick(int descriptor);
int otolith_smbus_read_byte(int descriptor);
int otolith_smbus_write_byte(int descriptor, uint8_t value);
int otolith_smbus_read_byte_data(int descriptor, uint8_t command);
int otolith_smbus_write_byte_data(int descriptor, uint8_t command, uint8_t value);
int otolith_smbus_read_word_data(int descriptor, uint8_t command);
int otolith_smbus_write_word_data(int descriptor, uint8_t command, uint16_t word);
/// Read or write at most 32 bytes. The read returns the number of received bytes.
int otolith_smbus_read_block(int descriptor, uint8_t command, uint8_t *bytes, uint8_t count);
int otolith_smbus_write_block(
  int descriptor, uint8_t command, const uint8_t *bytes, uint8_t count);

#endif
