// SPDX-License-Identifier: Apache-2.0
// Resources shared by processes of one machine: memory, packets with descriptors, and the identity
// of the other end. Functions that fail return the negative errno.
#ifndef OTOLITH_PROCESS_H
#define OTOLITH_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Creates anonymous shared memory (memfd_create(2)), zeroed and mapped for reading and writing at
/// `address`. Its size is fixed; with `is_read_only_to_others` only this mapping can write to it
/// (F_SEAL_FUTURE_WRITE, Linux 5.1). Returns the descriptor.
int otolith_memory_make(
  const char *name, size_t size, int is_read_only_to_others, void **address);

/// Maps `size` bytes of such a descriptor. Returns -EINVAL if its size differs, or if it could
/// still shrink, because a reader would then end with a signal.
int otolith_memory_map(int descriptor, size_t size, int writable, void **address);

/// Returns the size of the file behind `descriptor`.
int64_t otolith_memory_size(int descriptor);

void otolith_memory_unmap(void *address, size_t size);

enum { OTOLITH_DESCRIPTORS_MAX = 8 };

/// Sends one packet with descriptors, without waiting and without SIGPIPE.
int64_t otolith_packet_send(
  int socket, const void *bytes, size_t count, const int32_t *descriptors,
  uint32_t descriptor_count);

/// Receives one packet without waiting, with up to 8 descriptors, close-on-exec. Returns -EMSGSIZE
/// if the packet or the descriptors do not fit, and closes the descriptors. Returns 0 at the end of
/// the connection.
int64_t otolith_packet_receive(
  int socket, void *bytes, size_t capacity, int32_t *descriptors, uint32_t *descriptor_count);

/// Returns 1 if the next packet carries descriptors, -1 if there is no packet yet, otherwise 0. The
/// packet is not received and no descriptor is installed, so no descriptor must be closed.
int otolith_packet_carries_descriptors(int socket);

/// Shuts the connection down in both directions, so that nothing more can be sent, and discards
/// unread packets. Returns 1 if that is done, 0 if packets with descriptors are waiting: these are
/// left.
int otolith_packet_discard(int socket);

/// The process at the other end (SO_PEERCRED, unix(7)), as it was when it connected.
typedef struct {
  int32_t process;
  uint32_t user;
  uint32_t group;
} otolith_peer;
int otolith_peer_of(int socket, otolith_peer *peer);

/// Gets the supplementary groups of the process at the other end (SO_PEERGROUPS). Returns the
/// number of groups, or -ERANGE.
int otolith_peer_groups(int socket, uint32_t *groups, uint32_t capacity);

/// Returns the id of the group with this name; -ENOENT if there is no such group.
int64_t otolith_group_id(const char *name);

/// From now on the handler of signal `number` records it and signals `event` (an eventfd, one for
/// all signals, never closed), and does nothing else.
int otolith_signal_note(int number, int event);

/// Ignores signal `number` from now on.
int otolith_signal_ignore(int number);

/// Returns 1 if signal `number` is ignored, as under nohup(1).
int otolith_signal_is_ignored(int number);

/// Unblocks the signals to be recorded in the calling thread: a program may be started with all
/// signals blocked, for instance by a thread of libdispatch.
void otolith_signals_unblock(void);

/// Returns and clears the recorded signals: bit n is signal n.
uint64_t otolith_signals_take(void);

/// Disables huge pages for this process, because they would make a service that runs for months
/// grow (PR_SET_THP_DISABLE).
int otolith_refuse_huge_pages(void);

#endif
