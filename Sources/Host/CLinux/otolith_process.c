// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
// File offsets have 64 bits on 32-bit machines too; otherwise calls fail for files with large inode
// numbers or directory offsets (EOVERFLOW, stat(2)).
#define _FILE_OFFSET_BITS 64
#include "otolith_process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

int otolith_memory_make(
  const char *name, size_t size, int is_read_only_to_others, void **address) {
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -errno;
  void *memory = MAP_FAILED;
  int seals = F_SEAL_SHRINK | F_SEAL_GROW | (is_read_only_to_others ? F_SEAL_FUTURE_WRITE : 0);
  if (ftruncate(descriptor, (off_t)size) == 0) {
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  // The memory is sealed after it was mapped, so that only this mapping can write.
  if (memory == MAP_FAILED || fcntl(descriptor, F_ADD_SEALS, seals | F_SEAL_SEAL) != 0) {
    int number = errno;
    if (memory != MAP_FAILED) munmap(memory, size);
    close(descriptor);
    return -number;
  }
  *address = memory;
  return descriptor;
}

int64_t otolith_memory_size(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) != 0 ? -errno : status.st_size;
}

int otolith_memory_map(int descriptor, size_t size, int writable, void **address) {
  int64_t actual = otolith_memory_size(descriptor);
  if (actual < 0) return (int)actual;
  int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0) return -errno;
  if (actual != (int64_t)size || size == 0 || !(seals & F_SEAL_SHRINK)) return -EINVAL;
  void *memory =
    mmap(NULL, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return -errno;
  *address = memory;
  return 0;
}

void otolith_memory_unmap(void *address, size_t size) { munmap(address, size); }

union control {
  struct cmsghdr header;
  char room[CMSG_SPACE(OTOLITH_DESCRIPTORS_MAX * sizeof(int32_t))];
};

int64_t otolith_packet_send(
  int socket, const void *bytes, size_t count, const int32_t *descriptors,
  uint32_t descriptor_count) {
  struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  union control control;
  if (descriptor_count > OTOLITH_DESCRIPTORS_MAX) return -EINVAL;
  if (descriptor_count > 0) {
    size_t length = descriptor_count * sizeof(int32_t);
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(length);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(length);
    memcpy(CMSG_DATA(header), descriptors, length);
  }
  for (;;) {
    ssize_t sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno != EINTR) return -errno;
  }
}

int64_t otolith_packet_receive(
  int socket, void *bytes, size_t capacity, int32_t *descriptors, uint32_t *descriptor_count) {
  struct iovec piece = {.iov_base = bytes, .iov_len = capacity};
  union control control;
  struct msghdr message = {
    .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor_count = 0;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  uint32_t count = 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t length = header->cmsg_len - CMSG_LEN(0);
    for (size_t offset = 0; offset + sizeof(int32_t) <= length; offset += sizeof(int32_t)) {
      int32_t descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + offset, sizeof descriptor);
      if (count < OTOLITH_DESCRIPTORS_MAX) {
        descriptors[count++] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    for (uint32_t index = 0; index < count; index++) close(descriptors[index]);
    return -EMSGSIZE;
  }
  *descriptor_count = count;
  return received;
}

int otolith_packet_carries_descriptors(int socket) {
  char byte;
  struct iovec piece = {.iov_base = &byte, .iov_len = 1};
  // The message has no room for descriptors, so the kernel only reports whether there are any.
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_PEEK);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return errno == EAGAIN ? -1 : 0;
  return (message.msg_flags & MSG_CTRUNC) != 0;
}

int otolith_packet_discard(int socket) {
  shutdown(socket, SHUT_RDWR);
  // With this option each packet carries its sender's credentials, which distinguish an empty
  // packet from the end of the connection.
  int on = 1;
  if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) return 0;
  // The loop ends, because the sender's buffer limits the waiting packets to a few hundred.
  for (int packet = 0; packet < 65536; packet++) {
    int is_peek = 1;
    for (;;) {
      char byte;
      union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(struct ucred))];
      } sender;
      struct iovec piece = {.iov_base = &byte, .iov_len = 1};
      struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &sender,
        .msg_controllen = sizeof sender};
      ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | (is_peek ? MSG_PEEK : 0));
      if (received < 0 && errno == EAGAIN) return 1;
      // The other end did not read all data. The kernel reports this once, before the packets.
      if (received < 0 && (errno == EINTR || errno == ECONNRESET)) continue;
      if (received < 0 || (message.msg_flags & MSG_CTRUNC)) return 0;
      if (!CMSG_FIRSTHDR(&message)) return 1;
      if (!is_peek) break;
      is_peek = 0;
    }
  }
  return 0;
}

int otolith_peer_of(int socket, otolith_peer *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -errno;
  peer->process = credentials.pid;
  peer->user = credentials.uid;
  peer->group = credentials.gid;
  return 0;
}

int otolith_peer_groups(int socket, uint32_t *groups, uint32_t capacity) {
  socklen_t size = capacity * sizeof *groups;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0) return -errno;
  return (int)(size / sizeof *groups);
}

int64_t otolith_group_id(const char *name) {
  struct group entry, *found = NULL;
  char *room = NULL;
  // The buffer grows, because a group with many members needs a large one, and getgrnam_r(3) does
  // not return the required size.
  for (size_t size = 1024; size <= 1 << 20; size *= 4) {
    char *larger = realloc(room, size);
    if (!larger) break;
    room = larger;
    int error = getgrnam_r(name, &entry, room, size, &found);
    if (error != ERANGE) {
      int64_t id = error ? -error : found ? (int64_t)found->gr_gid : -ENOENT;
      free(room);
      return id;
    }
  }
  free(room);
  return -ENOMEM;
}

int otolith_refuse_huge_pages(void) {
  return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0 ? -errno : 0;
}
