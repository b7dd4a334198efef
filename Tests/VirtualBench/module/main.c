// SPDX-License-Identifier: GPL-2.0-only
/*
 * The virtual bench: buses and lines whose chips are simulated by a process. See bench.h and
 * docs/simulation.md.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "bench.h"

static struct platform_device *platform;
static struct dentry *folder;

static int open_log(struct inode *inode, struct file *file)
{
	/*
	 * A line has fewer than 64 bytes. With this size seq_file does not have to enlarge its
	 * buffer by doubling.
	 */
	return single_open_size(file, bench_gpio_log, NULL, 8 << 20);
}

static ssize_t clear_log(struct file *file, const char __user *from, size_t size, loff_t *offset)
{
	bench_gpio_clear_log();
	return size;
}

static const struct file_operations log_operations = {
	.owner = THIS_MODULE,
	.open = open_log,
	.read = seq_read,
	.write = clear_log,
	.llseek = seq_lseek,
	.release = single_release,
};

static int open_frames(struct inode *inode, struct file *file)
{
	return single_open(file, bench_spi_show, NULL);
}

static const struct file_operations frames_operations = {
	.owner = THIS_MODULE,
	.open = open_frames,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static int __init bench_init(void)
{
	struct device *device;
	int result;

	platform = platform_device_register_simple("otolith-bench", -1, NULL, 0);
	if (IS_ERR(platform))
		return PTR_ERR(platform);
	result = bench_gpio_add(&platform->dev);
	if (result)
		goto no_gpio;
	result = bench_i2c_add(&platform->dev);
	if (result)
		goto no_i2c;
	result = bench_spi_add(&platform->dev);
	if (result)
		goto no_spi;
	result = bench_relay_add(&device);
	if (result)
		goto no_relay;
	folder = debugfs_create_dir("otolith_bench", NULL);
	debugfs_create_file("edges", 0600, folder, NULL, &log_operations);
	debugfs_create_file("frames", 0400, folder, NULL, &frames_operations);
	return 0;

no_relay:
	bench_spi_remove();
no_spi:
	bench_i2c_remove();
no_i2c:
	bench_gpio_remove();
no_gpio:
	platform_device_unregister(platform);
	return result;
}

static void __exit bench_exit(void)
{
	debugfs_remove_recursive(folder);
	bench_devices_remove();
	bench_relay_remove();
	bench_spi_remove();
	bench_i2c_remove();
	bench_gpio_remove();
	platform_device_unregister(platform);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("I2C, SPI and GPIO whose chips are a process");
