// SPDX-License-Identifier: Apache-2.0
// The sizes, offsets and numbers of the kernel's structures that the shims use, typed from its
// headers (include/uapi of Linux 6.1: linux/i2c.h, i2c-dev.h, spi/spidev.h, gpio.h). They are
// asserted for the processor that this is compiled for. If there are two numbers, the first is for
// 32 bits.
#define _GNU_SOURCE
#include "otolith_bench.h"
#include "otolith_gpio.h"
#include "otolith_i2c.h"
#include "otolith_process.h"
#include "otolith_spi.h"
#include "otolith_system.h"

#include <linux/gpio.h>
#include <linux/i2c-dev.h>
#include <linux/time_types.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define BITS(narrow, wide) (sizeof(void *) == 4 ? (narrow) : (wide))
#define IS(what, number) _Static_assert((what) == (number), #what " is not " #number)
#define SIZE(type, number) IS(sizeof(type), number)
#define PLACE(type, member, number) IS(offsetof(type, member), number)

// I2C_RDWR makes one transaction of several messages.
SIZE(struct i2c_msg, BITS(12, 16));
PLACE(struct i2c_msg, addr, 0);
PLACE(struct i2c_msg, flags, 2);
PLACE(struct i2c_msg, len, 4);
PLACE(struct i2c_msg, buf, 8);
SIZE(struct i2c_rdwr_ioctl_data, BITS(8, 16));
PLACE(struct i2c_rdwr_ioctl_data, msgs, 0);
PLACE(struct i2c_rdwr_ioctl_data, nmsgs, BITS(4, 8));
IS(I2C_M_RD, 0x0001);
IS(I2C_RDWR, 0x0707);
IS(I2C_RDWR_IOCTL_MAX_MSGS, 42);

// libi2c's calls use I2C_SMBUS, with I2C_SLAVE before it. I2C_FUNCS fills an unsigned long.
SIZE(struct i2c_smbus_ioctl_data, BITS(12, 16));
PLACE(struct i2c_smbus_ioctl_data, read_write, 0);
PLACE(struct i2c_smbus_ioctl_data, command, 1);
PLACE(struct i2c_smbus_ioctl_data, size, 4);
PLACE(struct i2c_smbus_ioctl_data, data, 8);
SIZE(union i2c_smbus_data, 34);
IS(I2C_SMBUS_BLOCK_MAX, 32);
IS(OTOLITH_SMBUS_BLOCK_MAX, 32);
IS(I2C_SLAVE, 0x0703);
IS(I2C_FUNCS, 0x0705);
IS(I2C_SMBUS, 0x0720);
SIZE(unsigned long, BITS(4, 8));

// In spidev, pointers have 64 bits on all processors.
SIZE(struct spi_ioc_transfer, 32);
PLACE(struct spi_ioc_transfer, tx_buf, 0);
PLACE(struct spi_ioc_transfer, rx_buf, 8);
PLACE(struct spi_ioc_transfer, len, 16);
PLACE(struct spi_ioc_transfer, speed_hz, 20);
PLACE(struct spi_ioc_transfer, delay_usecs, 24);
PLACE(struct spi_ioc_transfer, bits_per_word, 26);
PLACE(struct spi_ioc_transfer, cs_change, 27);
PLACE(struct spi_ioc_transfer, pad, 31);
IS(SPI_IOC_MESSAGE(1), 0x40206B00);
IS(SPI_IOC_MESSAGE(2), 0x40406B00);
IS(SPI_IOC_WR_MODE, 0x40016B01);
IS(SPI_IOC_WR_BITS_PER_WORD, 0x40016B03);
IS(SPI_IOC_WR_MAX_SPEED_HZ, 0x40046B04);
IS(OTOLITH_SPI_MODE_0, 0);
IS(OTOLITH_SPI_MODE_3, 3);

// The first version of the GPIO interface, which libgpiod 1.6 uses.
SIZE(struct gpiochip_info, 68);
SIZE(struct gpioline_info, 72);
SIZE(struct gpioevent_request, 48);
SIZE(struct gpioevent_data, 16);
PLACE(struct gpioevent_data, id, 8);
IS(GPIO_GET_CHIPINFO_IOCTL, 0x8044B401);
IS(GPIO_GET_LINEINFO_IOCTL, 0xC048B402);
IS(GPIO_GET_LINEEVENT_IOCTL, 0xC030B404);
IS(GPIOHANDLE_GET_LINE_VALUES_IOCTL, 0xC040B408);

// The second version of the GPIO interface, which libgpiod 2 uses.
SIZE(struct gpio_v2_line_info, 256);
SIZE(struct gpio_v2_line_request, 592);
PLACE(struct gpio_v2_line_request, config, 288);
PLACE(struct gpio_v2_line_request, num_lines, 560);
PLACE(struct gpio_v2_line_request, event_buffer_size, 564);
PLACE(struct gpio_v2_line_request, fd, 588);
SIZE(struct gpio_v2_line_event, 48);
PLACE(struct gpio_v2_line_event, timestamp_ns, 0);
PLACE(struct gpio_v2_line_event, id, 8);
PLACE(struct gpio_v2_line_event, line_seqno, 20);
IS(GPIO_V2_GET_LINEINFO_IOCTL, 0xC100B405);
IS(GPIO_V2_GET_LINE_IOCTL, 0xC250B407);
IS(GPIO_V2_LINE_GET_VALUES_IOCTL, 0xC010B40E);

// epoll_pwait2(2) has the same number on all processors, and a time of 64 bits.
IS(SYS_epoll_pwait2, 441);
SIZE(struct __kernel_timespec, 16);

// SO_PEERCRED of unix(7).
SIZE(struct ucred, 12);

// The interface of the shims for Swift, and the records that the virtual bench's module reads.
SIZE(otolith_gpio_edge, 16);
SIZE(otolith_poller, 24);
SIZE(otolith_peer, 12);
SIZE(struct otolith_bench_record, 16);
SIZE(struct otolith_bench_message, 8);
SIZE(struct otolith_bench_frame, 16);
SIZE(struct otolith_bench_edge, 8);
