// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adapter 0 takes transactions of any form; adapter 1 takes SMBus transfers only. Both have the
 * same chips.
 */
#include <linux/unaligned.h>
#include <linux/module.h>
#include <linux/workqueue.h>

#include "bench.h"

struct bench_adapter {
	struct i2c_adapter adapter;
	struct bench_transaction transaction;
	struct work_struct removal;
	bool registered;
	bool unplugged;
};

static struct bench_adapter adapters[2];
static struct device *bench_parent;

static struct bench_adapter *of(struct i2c_adapter *adapter)
{
	return container_of(adapter, struct bench_adapter, adapter);
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	struct bench_adapter *bench = of(adapter);
	struct bench_transaction *transaction = &bench->transaction;
	struct otolith_bench_message *headers = transaction->record + sizeof(struct otolith_bench_record);
	u8 *bytes = (u8 *)(headers + count);
	u32 size = bytes - (u8 *)transaction->record, room = 0;
	int result;
	int i;

	if (bench->unplugged)
		return -ENODEV;
	if (count > OTOLITH_BENCH_MESSAGES_MAX)
		return -EOPNOTSUPP;
	for (i = 0; i < count; i++)
		*(messages[i].flags & I2C_M_RD ? &room : &size) += messages[i].len;
	if (size > OTOLITH_BENCH_RECORD_MAX ||
	    room > OTOLITH_BENCH_RECORD_MAX - sizeof(struct otolith_bench_record))
		return -EOPNOTSUPP;
	for (i = 0; i < count; i++) {
		headers[i] = (struct otolith_bench_message){
			.address = messages[i].addr, .length = messages[i].len,
			/* The flag on the buffer's memory is not part of the transfer. */
			.flags = messages[i].flags & ~I2C_M_DMA_SAFE,
		};
		if (messages[i].flags & I2C_M_RD)
			continue;
		memcpy(bytes, messages[i].buf, messages[i].len);
		bytes += messages[i].len;
	}
	transaction->size = size;
	transaction->room = room;
	result = bench_relay(transaction, OTOLITH_BENCH_I2C, bench - adapters, count);
	if (result < 0)
		return result;
	bytes = transaction->answer;
	for (i = 0; i < count; i++) {
		if (!(messages[i].flags & I2C_M_RD))
			continue;
		memcpy(messages[i].buf, bytes, messages[i].len);
		bytes += messages[i].len;
	}
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

/* Converts each kind of SMBus transfer to messages (SMBus 2.0, section 5.5). */
static int smbus_transfer(struct i2c_adapter *adapter, u16 address, unsigned short flags, char direction,
			  u8 command, int kind, union i2c_smbus_data *data)
{
	bool reads = direction == I2C_SMBUS_READ;
	u8 out[I2C_SMBUS_BLOCK_MAX + 1] = { command };
	u8 in[I2C_SMBUS_BLOCK_MAX] = { 0 };
	struct i2c_msg messages[2] = {
		{ .addr = address, .buf = out, .len = 1 },
		{ .addr = address, .buf = in, .flags = I2C_M_RD },
	};
	int first = 0, count = 1;
	int result;

	switch (kind) {
	case I2C_SMBUS_QUICK:
		messages[0].len = 0;
		messages[0].flags = reads ? I2C_M_RD : 0;
		break;
	case I2C_SMBUS_BYTE:
		first = reads;
		messages[1].len = 1;
		break;
	case I2C_SMBUS_BYTE_DATA:
		messages[1].len = 1;
		break;
	case I2C_SMBUS_WORD_DATA:
		messages[1].len = 2;
		break;
	case I2C_SMBUS_I2C_BLOCK_DATA:
		if (!data->block[0] || data->block[0] > I2C_SMBUS_BLOCK_MAX)
			return -EINVAL;
		messages[1].len = data->block[0];
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (reads && !first && kind != I2C_SMBUS_QUICK)
		count = 2;
	if (!reads && messages[1].len && kind != I2C_SMBUS_BYTE) {
		messages[0].len = 1 + messages[1].len;
		if (kind == I2C_SMBUS_BYTE_DATA)
			out[1] = data->byte;
		else if (kind == I2C_SMBUS_WORD_DATA)
			put_unaligned_le16(data->word, out + 1);
		else
			memcpy(out + 1, data->block + 1, messages[1].len);
	}
	result = transfer(adapter, messages + first, count);
	if (result < 0)
		return result;
	if (reads && kind == I2C_SMBUS_WORD_DATA)
		data->word = get_unaligned_le16(in);
	else if (reads && kind == I2C_SMBUS_I2C_BLOCK_DATA)
		memcpy(data->block + 1, in, messages[1].len);
	else if (reads && kind != I2C_SMBUS_QUICK)
		data->byte = in[0];
	return 0;
}

static u32 smbus_functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_SMBUS_QUICK | I2C_FUNC_SMBUS_BYTE | I2C_FUNC_SMBUS_BYTE_DATA |
	       I2C_FUNC_SMBUS_WORD_DATA | I2C_FUNC_SMBUS_I2C_BLOCK;
}

static const struct i2c_algorithm smbus_algorithm = {
	.smbus_xfer = smbus_transfer,
	.functionality = smbus_functionality,
};

/*
 * i2c_del_adapter waits until the last process has closed the node, so it needs a separate thread.
 */
static void remove_adapter(struct work_struct *work)
{
	i2c_del_adapter(&container_of(work, struct bench_adapter, removal)->adapter);
}

struct i2c_adapter *bench_i2c_adapter(unsigned int unit)
{
	if (unit >= ARRAY_SIZE(adapters) || !adapters[unit].registered)
		return NULL;
	return &adapters[unit].adapter;
}

int bench_i2c_plug(unsigned int unit)
{
	struct bench_adapter *bench;
	int result;

	if (unit >= ARRAY_SIZE(adapters))
		return -EINVAL;
	bench = &adapters[unit];
	if (bench->registered)
		return -EEXIST;
	flush_work(&bench->removal);
	memset(&bench->adapter, 0, sizeof(bench->adapter));
	bench->adapter.owner = THIS_MODULE;
	bench->adapter.nr = unit;
	bench->adapter.algo = unit ? &smbus_algorithm : &algorithm;
	bench->adapter.dev.parent = bench_parent;
	snprintf(bench->adapter.name, sizeof(bench->adapter.name), "otolith bench %s",
		 unit ? "SMBus" : "I2C");
	bench->unplugged = false;
	result = i2c_add_numbered_adapter(&bench->adapter);
	bench->registered = !result;
	return result;
}

int bench_i2c_unplug(unsigned int unit)
{
	struct bench_adapter *bench;

	if (!bench_i2c_adapter(unit))
		return -ENODEV;
	bench = &adapters[unit];
	bench->unplugged = true;
	bench->registered = false;
	schedule_work(&bench->removal);
	return 0;
}

int bench_i2c_add(struct device *parent)
{
	unsigned int unit;
	int result;

	bench_parent = parent;
	for (unit = 0; unit < ARRAY_SIZE(adapters); unit++) {
		INIT_WORK(&adapters[unit].removal, remove_adapter);
		result = bench_transaction_init(&adapters[unit].transaction);
		if (!result)
			result = bench_i2c_plug(unit);
		if (result) {
			bench_i2c_remove();
			return result;
		}
	}
	return 0;
}

void bench_i2c_remove(void)
{
	unsigned int unit;

	for (unit = 0; unit < ARRAY_SIZE(adapters); unit++) {
		if (adapters[unit].removal.func)
			flush_work(&adapters[unit].removal);
		if (adapters[unit].registered)
			i2c_del_adapter(&adapters[unit].adapter);
		adapters[unit].registered = false;
		bench_transaction_free(&adapters[unit].transaction);
	}
}
