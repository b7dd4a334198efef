// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
// File offsets have 64 bits on 32-bit machines too; otherwise calls fail for files with large inode
// numbers or directory offsets (EOVERFLOW, stat(2)).
#define _FILE_OFFSET_BITS 64
#include "otolith_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

int64_t otolith_monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  // The time starts at boot, so 64 bits are sufficient for 292 years.
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int otolith_event_open(void) {
  int event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return event < 0 ? -errno : event;
}

int otolith_event_signal(int event) {
  const uint64_t one = 1;
  for (;;) {
    if (write(event, &one, sizeof one) == (ssize_t)sizeof one) return 0;
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) return -errno;
  }
}

int64_t otolith_event_drain(int event) {
  uint64_t count = 0;
  for (;;) {
    if (read(event, &count, sizeof count) == (ssize_t)sizeof count) {
      return count > INT64_MAX ? INT64_MAX : (int64_t)count;
    }
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) return -errno;
  }
}

int otolith_set_timer_slack(uint64_t nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, (unsigned long)nanoseconds, 0, 0, 0) < 0 ? -errno : 0;
}

struct start {
  void (*body)(void *);
  void *context;
  char name[16];
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  pthread_setname_np(pthread_self(), start.name);
  start.body(start.context);
  return NULL;
}

int otolith_thread_start(
  void (*body)(void *context), void *context, const char *name, int priority,
  otolith_thread *thread) {
  struct start *start = calloc(1, sizeof *start);
  if (!start) return -ENOMEM;
  start->body = body;
  start->context = context;
  // The kernel stores 15 bytes; pthread_setname_np rejects longer names instead of truncating them.
  strncpy(start->name, name, sizeof start->name - 1);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (priority > 0) {
    struct sched_param parameters = {.sched_priority = priority};
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    int error = pthread_attr_setschedparam(&attributes, &parameters);
    if (error) {
      pthread_attr_destroy(&attributes);
      free(start);
      return -error;
    }
  }
  // A new thread inherits the signal mask: with all signals blocked before, it can never receive
  // Ctrl-C.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t id;
  int error = pthread_create(&id, &attributes, run, start);
  thread->realtime_denied = 0;
  if (error && priority > 0) {
    thread->realtime_denied = error;
    error = pthread_create(&id, NULL, run, start);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error) {
    free(start);
    return -error;
  }
  thread->id = (uint64_t)id;
  return 0;
}

int otolith_thread_join(uint64_t id) { return -pthread_join((pthread_t)id, NULL); }

int otolith_thread_detach(uint64_t id) { return -pthread_detach((pthread_t)id); }

int otolith_thread_is_current(uint64_t id) { return pthread_equal((pthread_t)id, pthread_self()) != 0; }

int otolith_list(
  const char *directory, void (*each)(const char *name, void *context), void *context) {
  DIR *stream = opendir(directory);
  if (!stream) return -errno;
  struct dirent *entry;
  while ((entry = readdir(stream))) {
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) each(entry->d_name, context);
  }
  closedir(stream);
  return 0;
}

static int last_component(const char *path, char *name, size_t size) {
  const char *slash = strrchr(path, '/');
  const char *last = slash ? slash + 1 : path;
  if (strlen(last) >= size) return -ENAMETOOLONG;
  strcpy(name, last);
  return 0;
}

int otolith_link_name(const char *path, char *name, size_t size) {
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) return -errno;
  target[length] = 0;
  return last_component(target, name, size);
}

int otolith_real_name(const char *path, char *name, size_t size) {
  char target[PATH_MAX];
  if (!realpath(path, target)) return -errno;
  return last_component(target, name, size);
}

static void describe(const struct stat *status, otolith_node *node) {
  node->group = status->st_gid;
  node->mode = status->st_mode;
  node->links = status->st_nlink;
  node->major = major(status->st_rdev);
  node->minor = minor(status->st_rdev);
}

int otolith_node_at(const char *path, otolith_node *node) {
  struct stat status;
  if (stat(path, &status) < 0) return -errno;
  describe(&status, node);
  return 0;
}

int otolith_node_of(int descriptor, otolith_node *node) {
  struct stat status;
  if (fstat(descriptor, &status) < 0) return -errno;
  describe(&status, node);
  return 0;
}

int otolith_group_name(uint32_t group, char *name, size_t size) {
  char buffer[4096];
  struct group entry, *found = NULL;
  int error = getgrgid_r(group, &entry, buffer, sizeof buffer, &found);
  if (error) return -error;
  if (!found) return -ENOENT;
  if (strlen(entry.gr_name) >= size) return -ENAMETOOLONG;
  strcpy(name, entry.gr_name);
  return 0;
}

static int set_lock(int descriptor, short type, int64_t start) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = 1};
  while (fcntl(descriptor, F_OFD_SETLK, &lock) < 0) {
    if (errno != EINTR) return -errno;
  }
  return 0;
}

/// Returns the start of the bytes of which one is locked too: its offset is the ID of the process
/// that holds the lock.
static int64_t holders(uint8_t slot) { return ((int64_t)slot + 1) << 32; }

int otolith_lock_take(int descriptor, uint8_t slot) {
  int result = set_lock(descriptor, F_WRLCK, slot);
  if (result < 0) return result;
  // This lock is only for the error text of other processes; the main lock is valid without it.
  set_lock(descriptor, F_WRLCK, holders(slot) + getpid());
  return 0;
}

int32_t otolith_lock_holder(int descriptor, uint8_t slot) {
  struct flock lock = {
    .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = holders(slot), .l_len = (int64_t)1 << 32};
  if (fcntl(descriptor, F_OFD_GETLK, &lock) < 0 || lock.l_type == F_UNLCK) return 0;
  int64_t process = lock.l_start - holders(slot);
  return process > 0 && process <= INT32_MAX ? (int32_t)process : 0;
}

void otolith_lock_release(int descriptor, uint8_t slot) {
  set_lock(descriptor, F_UNLCK, holders(slot) + getpid());
  set_lock(descriptor, F_UNLCK, slot);
}

int otolith_is_linked(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}
