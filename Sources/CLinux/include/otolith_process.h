// SPDX-License-Identifier: Apache-2.0
// Things that processes of one machine share: memory, packets with descriptors, and the identity of
// the other end. Every function that can fail returns the negative errno.
#ifndef OTOLITH_PROCESS_H
#define OTOLITH_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Makes memory of its own file (memfd_create(2)), zeroed and mapped for reading and writing at
/// `address`. From then on its size never changes; with `is_read_only_to_others` only this mapping
/// can write it (F_SEAL_FUTURE_WRITE, Linux 5.1). Returns the descriptor.
int otolith_memory_make(
  const char *name, size_t size, int is_read_only_to_others, void **address);

/// Maps `size` bytes of such a descriptor. -EINVAL where its size is another or could still shrink,
/// which would end a reader by a signal.
int otolith_memory_map(int descriptor, size_t size, int writable, void **address);

/// The size of what `descriptor` stands for.
int64_t otolith_memory_size(int descriptor);

void otolith_memory_unmap(void *address, size_t size);

enum { OTOLITH_DESCRIPTORS_MAX = 8 };

/// Sends one packet, with descriptors, without waiting and without a signal.
int64_t otolith_packet_send(
  int socket, const void *bytes, size_t count, const int32_t *descriptors,
  uint32_t descriptor_count);

/// Takes one packet without waiting, and up to 8 descriptors, close-on-exec. -EMSGSIZE for a packet
/// or descriptors that do not fit; their descriptors are closed. 0 is the end of the connection.
int64_t otolith_packet_receive(
  int socket, void *bytes, size_t capacity, int32_t *descriptors, uint32_t *descriptor_count);

/// Returns 1 where the next packet carries descriptors, -1 where there is none yet, else 0, without
/// taking it. Nothing is installed, so nothing has to be closed.
int otolith_packet_carries_descriptors(int socket);

/// Ends the connection both ways, so that nothing more can be sent either, and throws away what was
/// not read. 1 where that is done, 0 where descriptors lie there: these are left.
int otolith_packet_discard(int socket);

/// The process at the other end (SO_PEERCRED, unix(7)): as it was when it connected.
typedef struct {
  int32_t process;
  uint32_t user;
  uint32_t group;
} otolith_peer;
int otolith_peer_of(int socket, otolith_peer *peer);

/// Its other groups (SO_PEERGROUPS); how many, or -ERANGE.
int otolith_peer_groups(int socket, uint32_t *groups, uint32_t capacity);

/// The id of the group of this name; -ENOENT where there is none.
int64_t otolith_group_id(const char *name);

/// From now on signal `number` is noted, and rings `event` (an eventfd, one for all signals, never
/// closed): nothing else is done in the handler.
int otolith_signal_note(int number, int event);

/// From now on signal `number` does nothing.
int otolith_signal_ignore(int number);

/// Returns 1 where signal `number` does nothing, as under nohup(1).
int otolith_signal_is_ignored(int number);

/// Lets the calling thread take the signals that are to be noted: a program may be started with all
/// of them blocked, as by a thread of libdispatch.
void otolith_signals_unblock(void);

/// Takes the signals that were noted: bit n is signal n.
uint64_t otolith_signals_take(void);

/// No huge pages for this process: a service that lives for months must not grow by them
/// (PR_SET_THP_DISABLE).
int otolith_refuse_huge_pages(void);

#endif
