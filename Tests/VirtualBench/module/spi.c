// SPDX-License-Identifier: GPL-2.0-only
/* An SPI controller with eight chip selects. */
#include <linux/module.h>

#include "bench.h"

static struct spi_controller *controller;
static struct bench_transaction transaction;
/* The last frame, as a diagnostic; torn reads do no harm. */
static struct otolith_bench_frame last;
static u32 last_select, frames;

/* Makes one frame of the transfers from `first` to the one after which the chip select rises. */
static int frame(struct spi_message *message, struct list_head **position)
{
	struct otolith_bench_frame *header = transaction.record + sizeof(struct otolith_bench_record);
	u8 *bytes = (u8 *)(header + 1);
	u32 most = OTOLITH_BENCH_RECORD_MAX - (bytes - (u8 *)transaction.record), count = 0;
	struct list_head *first = *position, *at;
	struct spi_transfer *transfer = NULL;
	int result;

	for (at = first; at != &message->transfers; at = at->next) {
		transfer = list_entry(at, struct spi_transfer, transfer_list);
		if (transfer->len > most - count)
			return -EMSGSIZE;
		if (transfer->tx_buf)
			memcpy(bytes + count, transfer->tx_buf, transfer->len);
		else
			memset(bytes + count, 0, transfer->len);
		count += transfer->len;
		if (transfer->cs_change) {
			at = at->next;
			break;
		}
	}
	*position = at;
	*header = (struct otolith_bench_frame){
		.mode = message->spi->mode, .speed = transfer->speed_hz, .bits = transfer->bits_per_word,
		.length = count,
	};
	last = *header;
	last_select = spi_get_chipselect(message->spi, 0);
	frames++;
	transaction.size = bytes + count - (u8 *)transaction.record;
	transaction.room = count;
	result = bench_relay(&transaction, OTOLITH_BENCH_SPI, spi_get_chipselect(message->spi, 0), 0);
	if (result < 0)
		return result;
	count = 0;
	for (at = first; at != *position; at = at->next) {
		transfer = list_entry(at, struct spi_transfer, transfer_list);
		if (transfer->rx_buf)
			memcpy(transfer->rx_buf, transaction.answer + count, transfer->len);
		count += transfer->len;
	}
	message->actual_length += count;
	return 0;
}

static int transfer_message(struct spi_controller *owner, struct spi_message *message)
{
	struct list_head *position = message->transfers.next;
	int result = 0;

	message->actual_length = 0;
	while (position != &message->transfers && !result)
		result = frame(message, &position);
	message->status = result;
	spi_finalize_current_message(owner);
	return result;
}

int bench_spi_show(struct seq_file *file, void *unused)
{
	seq_printf(file, "count=%u select=%u mode=%u speed=%u bits=%u length=%u\n", frames, last_select, last.mode,
		   last.speed, last.bits, last.length);
	return 0;
}

struct spi_controller *bench_spi(void)
{
	return controller;
}

int bench_spi_add(struct device *parent)
{
	int result = bench_transaction_init(&transaction);

	if (result)
		return result;
	controller = spi_alloc_host(parent, 0);
	if (!controller) {
		bench_transaction_free(&transaction);
		return -ENOMEM;
	}
	controller->bus_num = 0;
	controller->num_chipselect = 8;
	controller->mode_bits = SPI_CPOL | SPI_CPHA;
	controller->bits_per_word_mask = SPI_BPW_MASK(8) | SPI_BPW_MASK(16);
	controller->max_speed_hz = 20000000;
	controller->transfer_one_message = transfer_message;
	result = spi_register_controller(controller);
	if (result) {
		spi_controller_put(controller);
		controller = NULL;
		bench_transaction_free(&transaction);
	}
	return result;
}

void bench_spi_remove(void)
{
	if (!controller)
		return;
	spi_unregister_controller(controller);
	controller = NULL;
	bench_transaction_free(&transaction);
}
