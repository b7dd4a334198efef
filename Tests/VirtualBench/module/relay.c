// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device /dev/otolith-bench: the process reads transactions from it, and writes answers and
 * line levels.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "bench.h"

static unsigned int timeout_ms = 2000;
module_param(timeout_ms, uint, 0644);
MODULE_PARM_DESC(timeout_ms, "how long an answer may take");

static DEFINE_MUTEX(lock);
static DECLARE_WAIT_QUEUE_HEAD(readable);
/*
 * The transactions that wait to be read, and those that wait for their answers. The lock guards
 * both.
 */
static LIST_HEAD(queue);
static LIST_HEAD(delivered);
static bool attached;
static u32 next_id;
static struct {
	int status;
	unsigned int count;
} faults[OTOLITH_BENCH_SPI + 1];

int bench_transaction_init(struct bench_transaction *transaction)
{
	init_completion(&transaction->done);
	INIT_LIST_HEAD(&transaction->link);
	transaction->record = vmalloc(OTOLITH_BENCH_RECORD_MAX);
	transaction->answer = vmalloc(OTOLITH_BENCH_RECORD_MAX);
	if (transaction->record && transaction->answer)
		return 0;
	bench_transaction_free(transaction);
	return -ENOMEM;
}

void bench_transaction_free(struct bench_transaction *transaction)
{
	vfree(transaction->record);
	vfree(transaction->answer);
	transaction->record = NULL;
	transaction->answer = NULL;
}

void bench_fail(u16 kind, int status, unsigned int count)
{
	mutex_lock(&lock);
	faults[kind].status = status;
	faults[kind].count = count;
	mutex_unlock(&lock);
}

int bench_relay(struct bench_transaction *transaction, u16 kind, u16 unit, s32 value)
{
	struct otolith_bench_record *header = transaction->record;

	mutex_lock(&lock);
	if (faults[kind].count) {
		int status = faults[kind].status;

		faults[kind].count--;
		mutex_unlock(&lock);
		return status;
	}
	if (!attached) {
		mutex_unlock(&lock);
		return -ENXIO;
	}
	reinit_completion(&transaction->done);
	transaction->id = ++next_id;
	transaction->status = -ETIMEDOUT;
	*header = (struct otolith_bench_record){
		.size = transaction->size, .kind = kind, .unit = unit, .id = transaction->id, .value = value,
	};
	list_add_tail(&transaction->link, &queue);
	mutex_unlock(&lock);
	wake_up(&readable);

	wait_for_completion_timeout(&transaction->done, msecs_to_jiffies(timeout_ms));
	mutex_lock(&lock);
	/* With or without an answer, the transaction must not be found any more. */
	list_del_init(&transaction->link);
	mutex_unlock(&lock);
	return transaction->status;
}

static void finish(struct bench_transaction *transaction, int status)
{
	transaction->status = status;
	list_del_init(&transaction->link);
	complete(&transaction->done);
}

static ssize_t relay_read(struct file *file, char __user *to, size_t size, loff_t *offset)
{
	struct bench_transaction *first;
	ssize_t count;

	mutex_lock(&lock);
	while (list_empty(&queue)) {
		mutex_unlock(&lock);
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(readable, !list_empty(&queue)))
			return -ERESTARTSYS;
		mutex_lock(&lock);
	}
	first = list_first_entry(&queue, struct bench_transaction, link);
	count = first->size;
	if (size < count)
		count = -EMSGSIZE;
	else if (copy_to_user(to, first->record, count))
		count = -EFAULT;
	else
		list_move_tail(&first->link, &delivered);
	mutex_unlock(&lock);
	return count;
}

static int answer(const struct otolith_bench_record *header, const char __user *bytes)
{
	struct bench_transaction *transaction;
	u32 count = header->size - sizeof(*header);
	int result = -ENOENT; /* the answer came too late, or twice */

	mutex_lock(&lock);
	list_for_each_entry(transaction, &delivered, link) {
		if (transaction->id != header->id)
			continue;
		result = 0;
		if (header->value < 0 && header->value >= -MAX_ERRNO)
			finish(transaction, header->value);
		else if (header->value || count != transaction->room)
			result = -EINVAL;
		else if (copy_from_user(transaction->answer, bytes, count))
			result = -EFAULT;
		else
			finish(transaction, 0);
		break;
	}
	mutex_unlock(&lock);
	return result;
}

static int set_line(const struct otolith_bench_record *header, const char __user *bytes)
{
	struct otolith_bench_edge edge;

	if (header->size != sizeof(*header) + sizeof(edge) || header->unit >= OTOLITH_BENCH_LINES ||
	    (header->value & ~1))
		return -EINVAL;
	if (copy_from_user(&edge, bytes, sizeof(edge)))
		return -EFAULT;
	bench_gpio_set(header->unit, header->value, edge.nanoseconds);
	return 0;
}

static ssize_t relay_write(struct file *file, const char __user *from, size_t size, loff_t *offset)
{
	struct otolith_bench_record header;
	int result = -EINVAL;

	if (size < sizeof(header) || size > OTOLITH_BENCH_RECORD_MAX)
		return -EINVAL;
	if (copy_from_user(&header, from, sizeof(header)))
		return -EFAULT;
	if (header.size != size)
		return -EINVAL;
	if (header.kind == OTOLITH_BENCH_ANSWER)
		result = answer(&header, from + sizeof(header));
	else if (header.kind == OTOLITH_BENCH_LINE)
		result = set_line(&header, from + sizeof(header));
	return result < 0 ? result : size;
}

static __poll_t relay_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &readable, table);
	return list_empty(&queue) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static int relay_open(struct inode *inode, struct file *file)
{
	int result = 0;

	mutex_lock(&lock);
	if (attached)
		result = -EBUSY;
	attached = true;
	mutex_unlock(&lock);
	return result < 0 ? result : stream_open(inode, file);
}

static int relay_release(struct inode *inode, struct file *file)
{
	struct bench_transaction *transaction, *next;

	mutex_lock(&lock);
	attached = false;
	list_splice_init(&queue, &delivered);
	list_for_each_entry_safe(transaction, next, &delivered, link)
		finish(transaction, -ENXIO);
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = relay_open,
	.release = relay_release,
	.read = relay_read,
	.write = relay_write,
	.poll = relay_poll,
};

static struct miscdevice relay = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "otolith-bench",
	.fops = &operations,
	.groups = bench_device_groups,
};

int bench_relay_add(struct device **device)
{
	int result = misc_register(&relay);

	*device = relay.this_device;
	return result;
}

void bench_relay_remove(void)
{
	misc_deregister(&relay);
}
