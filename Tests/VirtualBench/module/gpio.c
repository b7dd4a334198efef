// SPDX-License-Identifier: GPL-2.0-only
/* 32 lines whose levels the process sets, with interrupts on their edges, raised in hard-interrupt context. */
#include <linux/gpio/driver.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/irqdomain.h>
#include <linux/module.h>
#include <linux/vmalloc.h>

#include "bench.h"

struct edge {
	s64 chip;
	s64 raised;
	u8 line;
	u8 level;
};

#define LOG_MAX 131072

static const char *const names[OTOLITH_BENCH_LINES] = {
	"GPIO0",  "GPIO1",  "GPIO2",  "GPIO3",  "GPIO4",  "GPIO5",  "GPIO6",  "GPIO7",
	"GPIO8",  "GPIO9",  "GPIO10", "GPIO11", "GPIO12", "GPIO13", "GPIO14", "GPIO15",
	"GPIO16", "GPIO17", "GPIO18", "GPIO19", "GPIO20", "GPIO21", "GPIO22", "GPIO23",
	"GPIO24", "GPIO25", "GPIO26", "GPIO27", "GPIO28", "GPIO29", "GPIO30", "GPIO31",
};

static struct gpio_chip chip;
static unsigned long levels, outputs, started;
static unsigned int types[OTOLITH_BENCH_LINES];
/* One edge is raised at a time; the irq_work takes it from `current_edge`. */
static DEFINE_MUTEX(raising);
static struct edge current_edge;
static struct edge *edge_log;
static u32 logged;

static void raise(struct irq_work *work)
{
	unsigned int line = current_edge.line;
	unsigned int wanted = current_edge.level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING;

	current_edge.raised = ktime_get_ns();
	/*
	 * While a handler runs, handle_edge_irq keeps one edge; edges of a line without a
	 * handler are not kept.
	 */
	if (test_bit(line, &started) && types[line] & wanted)
		generic_handle_domain_irq(chip.irq.domain, line);
}

static struct irq_work raiser = IRQ_WORK_INIT_HARD(raise);

void bench_gpio_set(unsigned int line, bool level, s64 chip_time)
{
	mutex_lock(&raising);
	if (test_bit(line, &levels) != level) {
		assign_bit(line, &levels, level);
		current_edge = (struct edge){ .chip = chip_time, .line = line, .level = level };
		irq_work_queue(&raiser);
		irq_work_sync(&raiser);
		edge_log[logged++ % LOG_MAX] = current_edge;
	}
	mutex_unlock(&raising);
}

int bench_gpio_log(struct seq_file *file, void *unused)
{
	u32 i;

	mutex_lock(&raising);
	for (i = logged > LOG_MAX ? logged - LOG_MAX : 0; i < logged; i++) {
		const struct edge *edge = &edge_log[i % LOG_MAX];

		seq_printf(file, "%u %u %lld %lld\n", edge->line, edge->level, edge->chip, edge->raised);
	}
	mutex_unlock(&raising);
	return 0;
}

void bench_gpio_clear_log(void)
{
	mutex_lock(&raising);
	logged = 0;
	mutex_unlock(&raising);
}

static int get_direction(struct gpio_chip *gc, unsigned int line)
{
	return test_bit(line, &outputs) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int direction_input(struct gpio_chip *gc, unsigned int line)
{
	clear_bit(line, &outputs);
	return 0;
}

static int get(struct gpio_chip *gc, unsigned int line)
{
	return test_bit(line, &levels);
}

static void set(struct gpio_chip *gc, unsigned int line, int value)
{
	assign_bit(line, &levels, value);
}

static int direction_output(struct gpio_chip *gc, unsigned int line, int value)
{
	set_bit(line, &outputs);
	set(gc, line, value);
	return 0;
}

static void irq_mask(struct irq_data *data)
{
	gpiochip_disable_irq(&chip, irqd_to_hwirq(data));
}

static void irq_unmask(struct irq_data *data)
{
	gpiochip_enable_irq(&chip, irqd_to_hwirq(data));
}

static unsigned int irq_startup(struct irq_data *data)
{
	gpiochip_enable_irq(&chip, irqd_to_hwirq(data));
	set_bit(irqd_to_hwirq(data), &started);
	return 0;
}

static void irq_shutdown(struct irq_data *data)
{
	clear_bit(irqd_to_hwirq(data), &started);
	gpiochip_disable_irq(&chip, irqd_to_hwirq(data));
}

static void irq_ack(struct irq_data *data)
{
}

/* Interrupts on levels are not supported: a model reports only when its pin becomes active. */
static int irq_set_type(struct irq_data *data, unsigned int type)
{
	if (type & ~IRQ_TYPE_EDGE_BOTH)
		return -EINVAL;
	types[irqd_to_hwirq(data)] = type;
	irq_set_handler_locked(data, type ? handle_edge_irq : handle_bad_irq);
	return 0;
}

static const struct irq_chip line_chip = {
	.name = "otolith-bench",
	.irq_startup = irq_startup,
	.irq_shutdown = irq_shutdown,
	.irq_ack = irq_ack,
	.irq_mask = irq_mask,
	.irq_unmask = irq_unmask,
	.irq_set_type = irq_set_type,
	.flags = IRQCHIP_IMMUTABLE,
	GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

int bench_gpio_irq(unsigned int line, unsigned int type)
{
	int irq, result;

	if (line >= OTOLITH_BENCH_LINES)
		return -EINVAL;
	irq = irq_create_mapping(chip.irq.domain, line);
	if (!irq)
		return -ENXIO;
	result = irq_set_irq_type(irq, type);
	return result < 0 ? result : irq;
}

int bench_gpio_add(struct device *parent)
{
	int result;

	edge_log = vzalloc(array_size(LOG_MAX, sizeof(*edge_log)));
	if (!edge_log)
		return -ENOMEM;
	chip.label = "otolith-bench";
	chip.parent = parent;
	chip.owner = THIS_MODULE;
	chip.base = -1;
	chip.ngpio = OTOLITH_BENCH_LINES;
	chip.names = names;
	chip.get_direction = get_direction;
	chip.direction_input = direction_input;
	chip.direction_output = direction_output;
	chip.get = get;
	chip.set = set;
	gpio_irq_chip_set_chip(&chip.irq, &line_chip);
	chip.irq.default_type = IRQ_TYPE_NONE;
	chip.irq.handler = handle_bad_irq;
	result = gpiochip_add_data(&chip, NULL);
	if (result)
		vfree(edge_log);
	return result;
}

void bench_gpio_remove(void)
{
	irq_work_sync(&raiser);
	gpiochip_remove(&chip);
	vfree(edge_log);
}
