/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the module. relay.c passes transactions to the process behind /dev/otolith-bench; i2c.c, spi.c and gpio.c
 * are the buses and lines that the kernel sees; devices.c puts kernel drivers on them; main.c makes it all.
 */
#ifndef BENCH_H
#define BENCH_H

#include <linux/device.h>
#include <linux/i2c.h>
#include <linux/seq_file.h>
#include <linux/spi/spi.h>

#include "otolith_bench.h"

/*
 * A transaction on its way to the process and back. The caller fills `record` after the header and
 * reads `answer`.
 */
struct bench_transaction {
	struct list_head link;
	struct completion done;
	bool delivered;
	u32 id;
	int status;
	void *record;
	u32 size;
	void *answer;
	u32 room; /* the number of bytes that the answer must have */
};

int bench_transaction_init(struct bench_transaction *transaction);
void bench_transaction_free(struct bench_transaction *transaction);
/*
 * Returns 0 or an error: -ENXIO if no process has the device open, -ETIMEDOUT if it does not
 * answer. May sleep.
 */
int bench_relay(struct bench_transaction *transaction, u16 kind, u16 unit, s32 value);
/* Makes the next `count` transactions of `kind` fail with `status`. */
void bench_fail(u16 kind, int status, unsigned int count);

int bench_relay_add(struct device **device);
void bench_relay_remove(void);

int bench_i2c_add(struct device *parent);
void bench_i2c_remove(void);
struct i2c_adapter *bench_i2c_adapter(unsigned int unit);
/* Removes the adapter as if it was unplugged, or adds it again. */
int bench_i2c_unplug(unsigned int unit);
int bench_i2c_plug(unsigned int unit);

int bench_spi_add(struct device *parent);
void bench_spi_remove(void);
struct spi_controller *bench_spi(void);
/* Prints the number of frames and the last frame. */
int bench_spi_show(struct seq_file *file, void *unused);

int bench_gpio_add(struct device *parent);
void bench_gpio_remove(void);
/* Sets a line's level; returns when the interrupt's hard handler has run. May sleep. */
void bench_gpio_set(unsigned int line, bool level, s64 chip_time);
/* Returns the interrupt of a line for a trigger of `type`; negative errno on failure. */
int bench_gpio_irq(unsigned int line, unsigned int type);
int bench_gpio_log(struct seq_file *file, void *unused);
void bench_gpio_clear_log(void);

/* The sysfs files new_device, delete_device, fault and adapter. */
extern const struct attribute_group *bench_device_groups[];
void bench_devices_remove(void);

#endif
