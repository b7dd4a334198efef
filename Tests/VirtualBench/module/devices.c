// SPDX-License-Identifier: GPL-2.0-only
/*
 * sysfs: puts kernel drivers on the buses, with an interrupt line and a mount matrix, which i2c-core's own new_device
 * cannot pass on.
 *
 *   new_device     bus=i2c unit=0 driver=mpu6050 address=0x68 irq=4 trigger=rising mount=0,1,0,-1,0,0,0,0,1
 *                  bus=spi unit=0 driver=spidev hz=10000000 mode=0
 *   delete_device  bus=i2c unit=0 address=0x68
 *                  bus=spi unit=0
 *   fault          i2c 11 3            the next 3 I2C transactions end with -11
 *   adapter        remove 1            or: add 1
 */
#include <linux/acpi.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/property.h>

#include "bench.h"

enum word { ON_BUS, UNIT, DRIVER, ADDRESS, IRQ, TRIGGER, MOUNT, SPEED, MODE, WORDS };

static const char *const word_names[WORDS] = {
	[ON_BUS] = "bus", [UNIT] = "unit", [DRIVER] = "driver", [ADDRESS] = "address", [IRQ] = "irq",
	[TRIGGER] = "trigger", [MOUNT] = "mount", [SPEED] = "hz", [MODE] = "mode",
};

struct bench_device {
	struct list_head link;
	struct i2c_client *client;
	struct spi_device *spi;
	unsigned int unit;
	unsigned int address;
	int irq;
	struct fwnode_handle node;
	struct fwnode_handle *properties;
	char *mount;
	const char *rows[9];
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(devices);

/* Splits `text` at blanks and each part at its first '='. */
static int parse(char *text, char *values[WORDS])
{
	char *part;
	int word;

	memset(values, 0, WORDS * sizeof(*values));
	text = strim(text);
	while ((part = strsep(&text, " "))) {
		char *value = strchr(part, '=');

		if (!*part)
			continue;
		if (!value)
			return -EINVAL;
		*value++ = 0;
		word = match_string(word_names, WORDS, part);
		if (word < 0 || values[word])
			return -EINVAL;
		values[word] = value;
	}
	return values[ON_BUS] && (!strcmp(values[ON_BUS], "i2c") || !strcmp(values[ON_BUS], "spi")) ? 0 : -EINVAL;
}

static int number(char *values[WORDS], enum word word, unsigned int otherwise, unsigned int *result)
{
	*result = otherwise;
	return values[word] ? kstrtouint(values[word], 0, result) : 0;
}

/*
 * The firmware's entry of a device. Some drivers take their interrupt from it by the pin's name only,
 * which they spell in one of two ways.
 */
static const char *const interrupt_names[] = { "INT1", "int1" };

static const struct bench_device *of_node(const struct fwnode_handle *node)
{
	return container_of(node, struct bench_device, node);
}

static bool node_has_property(const struct fwnode_handle *node, const char *name)
{
	return of_node(node)->irq && !strcmp(name, "interrupt-names");
}

static int node_read_strings(const struct fwnode_handle *node, const char *name, const char **values, size_t count)
{
	if (!node_has_property(node, name))
		return -EINVAL;
	if (!values)
		return ARRAY_SIZE(interrupt_names);
	count = min(count, ARRAY_SIZE(interrupt_names));
	memcpy(values, interrupt_names, count * sizeof(*values));
	return count;
}

static int node_irq(const struct fwnode_handle *node, unsigned int index)
{
	return of_node(node)->irq && index < ARRAY_SIZE(interrupt_names) ? of_node(node)->irq : -EINVAL;
}

static const struct fwnode_operations node_operations = {
	.property_present = node_has_property,
	.property_read_string_array = node_read_strings,
	.irq_get = node_irq,
};

static int add_properties(struct bench_device *device, const char *mount)
{
	struct property_entry entries[2] = {};
	char *rest;
	int count = 0;

	if (!mount)
		return 0;
	device->mount = kstrdup(mount, GFP_KERNEL);
	if (!device->mount)
		return -ENOMEM;
	rest = device->mount;
	while (rest && count < 9)
		device->rows[count++] = strsep(&rest, ",");
	if (rest || count != 9)
		return -EINVAL;
	entries[0] = PROPERTY_ENTRY_STRING_ARRAY("mount-matrix", device->rows);
	device->properties = fwnode_create_software_node(entries, NULL);
	return PTR_ERR_OR_ZERO(device->properties);
}

static void free_device(struct bench_device *device)
{
	if (!IS_ERR_OR_NULL(device->properties))
		fwnode_remove_software_node(device->properties);
	kfree(device->mount);
	kfree(device);
}

static void remove_device(struct bench_device *device)
{
	/* An adapter that was unplugged has removed its devices. */
	if (device->client && bench_i2c_adapter(device->unit))
		i2c_unregister_device(device->client);
	if (device->spi)
		spi_unregister_device(device->spi);
	list_del(&device->link);
	free_device(device);
}

static struct bench_device *find(bool is_spi, unsigned int unit, unsigned int address)
{
	struct bench_device *device;

	list_for_each_entry(device, &devices, link) {
		if (!!device->spi == is_spi && device->unit == unit && device->address == address)
			return device;
	}
	return NULL;
}

static int add_i2c_device(struct bench_device *device, const char *driver, const struct software_node *properties)
{
	struct i2c_board_info info = {
		.addr = device->address, .irq = device->irq, .swnode = properties,
		/* Without an interrupt there is no entry: Linux's ak8975 gives a device with one another name. */
		.fwnode = device->irq ? &device->node : NULL,
	};
	/* A driver without a list of names is bound by the entry in devices.asl or devices.dts, which stays. */
	struct acpi_device *companion = acpi_dev_get_first_match_dev("PRP0001", driver, -1);
	struct i2c_adapter *adapter = bench_i2c_adapter(device->unit);

	if (companion)
		info.fwnode = acpi_fwnode_handle(companion);
	acpi_dev_put(companion);
	info.of_node = of_find_node_by_name(NULL, driver);
	if (info.of_node)
		info.fwnode = of_fwnode_handle(info.of_node);
	if (!adapter)
		return -ENODEV;
	strscpy(info.type, driver, sizeof(info.type));
	device->client = i2c_new_client_device(adapter, &info);
	return PTR_ERR_OR_ZERO(device->client);
}

/* Does what spi_new_device does, which cannot pass on the firmware's entry. */
static int add_spi_device(struct bench_device *device, const char *driver, const struct software_node *properties,
			  unsigned int hz, unsigned int mode)
{
	struct spi_device *spi = spi_alloc_device(bench_spi());
	/* spidev has no id of that name, so one that it supports is used. */
	const char *id = strcmp(driver, "spidev") ? driver : "dh2228fv";
	int result = 0;

	if (!spi)
		return -ENOMEM;
	/* All other chip selects of the device are unused, as spi.c of the kernel writes it. */
	for (int i = 1; i < SPI_CS_CNT_MAX; i++)
		spi_set_chipselect(spi, i, (u8)-1);
	spi_set_chipselect(spi, 0, device->unit);
	spi->cs_index_mask = BIT(0);
	spi->max_speed_hz = hz;
	spi->mode = mode;
	spi->irq = device->irq;
	strscpy(spi->modalias, id, sizeof(spi->modalias));
	device_set_node(&spi->dev, device->irq ? &device->node : NULL);
	if (properties)
		result = device_add_software_node(&spi->dev, properties);
	if (!result)
		result = spi_add_device(spi);
	if (result) {
		device_remove_software_node(&spi->dev);
		spi_dev_put(spi);
		return result;
	}
	device->spi = spi;
	return 0;
}

static int add_device(struct bench_device *device, char *values[WORDS])
{
	const struct software_node *properties =
		device->properties ? to_software_node(device->properties) : NULL;
	unsigned int hz, mode;

	fwnode_init(&device->node, &node_operations);
	if (!strcmp(values[ON_BUS], "i2c"))
		return add_i2c_device(device, values[DRIVER], properties);
	if (number(values, SPEED, 1000000, &hz) || number(values, MODE, 0, &mode))
		return -EINVAL;
	return add_spi_device(device, values[DRIVER], properties, hz, mode);
}

static ssize_t new_device_store(struct device *parent, struct device_attribute *attribute,
				const char *text, size_t size)
{
	char *copy = kstrndup(text, size, GFP_KERNEL), *values[WORDS];
	struct bench_device *device = kzalloc(sizeof(*device), GFP_KERNEL);
	unsigned int line;
	int result = -ENOMEM;

	mutex_lock(&lock);
	if (!copy || !device)
		goto out;
	result = parse(copy, values);
	if (result < 0)
		goto out;
	result = -EINVAL;
	if (!values[DRIVER] || number(values, UNIT, 0, &device->unit) ||
	    number(values, ADDRESS, 0, &device->address) || number(values, IRQ, 0, &line))
		goto out;
	if (values[IRQ]) {
		bool falls = values[TRIGGER] && !strcmp(values[TRIGGER], "falling");

		result = bench_gpio_irq(line, falls ? IRQ_TYPE_EDGE_FALLING : IRQ_TYPE_EDGE_RISING);
		if (result < 0)
			goto out;
		device->irq = result;
	}
	result = add_properties(device, values[MOUNT]);
	if (!result)
		result = add_device(device, values);
	if (!result) {
		list_add_tail(&device->link, &devices);
		device = NULL;
	}
out:
	if (device)
		free_device(device);
	mutex_unlock(&lock);
	kfree(copy);
	return result < 0 ? result : size;
}
static DEVICE_ATTR_WO(new_device);

static ssize_t delete_device_store(struct device *parent, struct device_attribute *attribute,
				   const char *text, size_t size)
{
	char *copy = kstrndup(text, size, GFP_KERNEL), *values[WORDS];
	struct bench_device *device = NULL;
	unsigned int unit, address;
	int result = -ENOMEM;

	mutex_lock(&lock);
	if (copy)
		result = parse(copy, values);
	if (!result && (number(values, UNIT, 0, &unit) || number(values, ADDRESS, 0, &address)))
		result = -EINVAL;
	if (!result)
		device = find(!strcmp(values[ON_BUS], "spi"), unit, address);
	if (device)
		remove_device(device);
	else if (!result)
		result = -ENOENT;
	mutex_unlock(&lock);
	kfree(copy);
	return result < 0 ? result : size;
}
static DEVICE_ATTR_WO(delete_device);

static ssize_t fault_store(struct device *parent, struct device_attribute *attribute, const char *text,
			   size_t size)
{
	unsigned int error, count;
	char bus[4];

	if (sscanf(text, "%3s %u %u", bus, &error, &count) != 3 || !error || error > MAX_ERRNO)
		return -EINVAL;
	if (!strcmp(bus, "i2c"))
		bench_fail(OTOLITH_BENCH_I2C, -(int)error, count);
	else if (!strcmp(bus, "spi"))
		bench_fail(OTOLITH_BENCH_SPI, -(int)error, count);
	else
		return -EINVAL;
	return size;
}
static DEVICE_ATTR_WO(fault);

static ssize_t adapter_store(struct device *parent, struct device_attribute *attribute, const char *text,
			     size_t size)
{
	unsigned int unit;
	char verb[8];
	int result;

	if (sscanf(text, "%7s %u", verb, &unit) != 2)
		return -EINVAL;
	if (!strcmp(verb, "remove"))
		result = bench_i2c_unplug(unit);
	else if (!strcmp(verb, "add"))
		result = bench_i2c_plug(unit);
	else
		result = -EINVAL;
	return result < 0 ? result : size;
}
static DEVICE_ATTR_WO(adapter);

static struct attribute *bench_device_attrs[] = {
	&dev_attr_new_device.attr, &dev_attr_delete_device.attr,
	&dev_attr_fault.attr, &dev_attr_adapter.attr, NULL,
};

static const struct attribute_group bench_device_group = { .attrs = bench_device_attrs };

const struct attribute_group *bench_device_groups[] = { &bench_device_group, NULL };

void bench_devices_remove(void)
{
	struct bench_device *device, *next;

	mutex_lock(&lock);
	list_for_each_entry_safe(device, next, &devices, link)
		remove_device(device);
	mutex_unlock(&lock);
}
