/* SPDX-License-Identifier: GPL-2.0-only */
/* What a newer kernel's drivers of sensors use and the guest's kernel, 6.12, lacks or writes in another way. */
#ifndef OLDER_KERNEL_H
#define OLDER_KERNEL_H

#include <linux/export.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/module.h>
#include <linux/regmap.h>

/* Since 6.13 a namespace is a string. */
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns) MODULE_INFO(import_ns, ns)
#undef EXPORT_SYMBOL_NS
#define EXPORT_SYMBOL_NS(symbol, ns) __EXPORT_SYMBOL(symbol, "", ns)
#undef EXPORT_SYMBOL_NS_GPL
#define EXPORT_SYMBOL_NS_GPL(symbol, ns) __EXPORT_SYMBOL(symbol, "GPL", ns)

static inline bool iio_device_claim_direct(struct iio_dev *device)
{
	return !iio_device_claim_direct_mode(device);
}

static inline void iio_device_release_direct(struct iio_dev *device)
{
	iio_device_release_direct_mode(device);
}

static inline int iio_push_to_buffers_with_ts(struct iio_dev *device, void *data, size_t size, s64 time)
{
	return iio_push_to_buffers_with_timestamp(device, data, time);
}

static inline int regmap_assign_bits(struct regmap *map, unsigned int index, unsigned int bits, bool value)
{
	return value ? regmap_set_bits(map, index, bits) : regmap_clear_bits(map, index, bits);
}

#endif
