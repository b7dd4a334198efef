// SPDX-License-Identifier: Apache-2.0
#include "otolith_i2c.h"

#include <errno.h>
#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <sys/ioctl.h>

int otolith_i2c_functionality(int descriptor, uint64_t *functionality) {
  unsigned long mask = 0;
  if (ioctl(descriptor, I2C_FUNCS, &mask) < 0) return -errno;
  *functionality = mask;
  return 0;
}

int otolith_i2c_transfer(int descriptor, struct i2c_msg *messages, uint32_t count) {
  struct i2c_rdwr_ioctl_data transfer = {.msgs = messages, .nmsgs = count};
  int done = ioctl(descriptor, I2C_RDWR, &transfer);
  if (done < 0) return -errno;
  // The return value is the number of completed messages: fewer is a failed transfer, even without
  // an errno.
  return (uint32_t)done == count ? 0 : -EIO;
}

int otolith_i2c_select(int descriptor, uint8_t address) {
  return ioctl(descriptor, I2C_SLAVE, (unsigned long)address) < 0 ? -errno : 0;
}

// libi2c returns the negative errno itself from version 4 on.
int otolith_smbus_write_quick(int descriptor) {
  return i2c_smbus_write_quick(descriptor, I2C_SMBUS_WRITE);
}

int otolith_smbus_read_byte(int descriptor) { return i2c_smbus_read_byte(descriptor); }

int otolith_smbus_write_byte(int descriptor, uint8_t value) {
  return i2c_smbus_write_byte(descriptor, value);
}

int otolith_smbus_read_byte_data(int descriptor, uint8_t command) {
  return i2c_smbus_read_byte_data(descriptor, command);
}

int otolith_smbus_write_byte_data(int descriptor, uint8_t command, uint8_t value) {
  return i2c_smbus_write_byte_data(descriptor, command, value);
}

int otolith_smbus_read_word_data(int descriptor, uint8_t command) {
  return i2c_smbus_read_word_data(descriptor, command);
}

int otolith_smbus_write_word_data(int descriptor, uint8_t command, uint16_t word) {
  return i2c_smbus_write_word_data(descriptor, command, word);
}

int otolith_smbus_read_block(int descriptor, uint8_t command, uint8_t *bytes, uint8_t count) {
  // libi2c copies as many bytes as the adapter reports, possibly more than `bytes` can hold.
  uint8_t block[I2C_SMBUS_BLOCK_MAX] = {0};
  if (count > I2C_SMBUS_BLOCK_MAX) return -EMSGSIZE;
  int read = i2c_smbus_read_i2c_block_data(descriptor, command, count, block);
  if (read < 0) return read;
  if (read > count) read = count;
  for (int i = 0; i < read; i++) bytes[i] = block[i];
  return read;
}

int otolith_smbus_write_block(
  int descriptor, uint8_t command, const uint8_t *bytes, uint8_t count) {
  if (count > I2C_SMBUS_BLOCK_MAX) return -EMSGSIZE;
  return i2c_smbus_write_i2c_block_data(descriptor, command, count, bytes);
}
