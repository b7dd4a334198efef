// SPDX-License-Identifier: Apache-2.0
//
// Loaded into a program (LD_PRELOAD), it lets one of the program's calls on files fail, as a disk,
// a quota or a signal would: the tests let the first fail, then the second, and so on, until a run
// makes fewer calls than that. SQLite's own tests do so (sqlite.org/testing.html, 3.2).
//
//   FAILING_FOLDER  calls on files in this folder, or of relative names, are counted; those on
//                   sockets of this machine, and on memory and eventfds that processes share, always
//   FAILING_CALL    the number of the call that fails, from 1; 0: none
//   FAILING_ERRNO   what it fails with; 0: it writes half of what it is given
//   FAILING_ON      1: all calls after it fail too, as on a full disk
//   FAILING_KINDS   the letters of the calls that are counted: open, read, write, sync, name,
//                   unlink, truncate, lock; make a descriptor, ask a socket, give and take packets;
//                   p: start a thread
//   FAILING_KILL    1: instead of failing, the process is killed before the call
//   FAILING_REPORT  a file for the number of calls that were counted
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;
static atomic_char tracked[4096];

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

static int is_ours(const char *path) {
  const char *folder = setting("FAILING_FOLDER");
  if (path == NULL || *folder == 0) return 0;
  if (path[0] != '/') return 1;
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int is_tracked(int file) {
  return file >= 0 && file < 4096 && atomic_load(&tracked[file]);
}

// Returns whether this call must fail: 1, or 2 if it must write half.
static int strikes(char kind) {
  if (strchr(setting("FAILING_KINDS"), kind) == NULL) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1;
  long wanted = atol(setting("FAILING_CALL"));
  if (wanted == 0 || number < wanted) return 0;
  if (number > wanted && *setting("FAILING_ON") != '1') return 0;
  if (*setting("FAILING_KILL") == '1') syscall(SYS_kill, getpid(), SIGKILL);
  int error = atoi(setting("FAILING_ERRNO"));
  if (error == 0) return 2;
  errno = error;
  return 1;
}

__attribute__((destructor)) static void report(void) {
  const char *path = setting("FAILING_REPORT");
  if (*path == 0) return;
  char text[32];
  int count = snprintf(text, sizeof text, "%ld", atomic_load(&calls));
  long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, text, count);
  syscall(SYS_close, file);
}

#define REAL(name)                               \
  static __typeof__(&name) real;                 \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int opened(int file, int ours) {
  if (file >= 0 && file < 4096) atomic_store(&tracked[file], ours);
  return file;
}

#define OPEN(name, ...)                                                        \
  {                                                                            \
    mode_t mode = 0;                                                           \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                     \
      va_list list;                                                            \
      va_start(list, flags);                                                   \
      mode = va_arg(list, mode_t);                                             \
      va_end(list);                                                            \
    }                                                                          \
    REAL(name);                                                                \
    int ours = is_ours(path);                                                  \
    if (ours && strikes('o') == 1) return -1;                                  \
    return opened(real(__VA_ARGS__, flags, mode), ours);                       \
  }

int open(const char *path, int flags, ...) OPEN(open, path)
int open64(const char *path, int flags, ...) OPEN(open64, path)
int openat(int folder, const char *path, int flags, ...) OPEN(openat, folder, path)
int openat64(int folder, const char *path, int flags, ...) OPEN(openat64, folder, path)

int close(int file) {
  REAL(close);
  if (file >= 0 && file < 4096) atomic_store(&tracked[file], 0);
  return real(file);
}

#define TRANSFER(kind, name, ...)                                              \
  {                                                                            \
    REAL(name);                                                                \
    if (is_tracked(file)) {                                                    \
      int how = strikes(kind);                                                 \
      if (how == 1) return -1;                                                 \
      if (how == 2 && count > 1) count /= 2;                                   \
    }                                                                          \
    return real(file, bytes, count __VA_ARGS__);                               \
  }

ssize_t write(int file, const void *bytes, size_t count) TRANSFER('w', write)
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place)
    TRANSFER('w', pwrite, , place)
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place)
    TRANSFER('w', pwrite64, , place)
ssize_t read(int file, void *bytes, size_t count) TRANSFER('r', read)
ssize_t pread(int file, void *bytes, size_t count, off_t place) TRANSFER('r', pread, , place)
ssize_t pread64(int file, void *bytes, size_t count, off64_t place) TRANSFER('r', pread64, , place)

#define OF_FILE(kind, name, parameters, ...)                                   \
  int name parameters {                                                        \
    REAL(name);                                                                \
    if (is_tracked(file) && strikes(kind) == 1) return -1;                     \
    return real(__VA_ARGS__);                                                  \
  }

OF_FILE('s', fsync, (int file), file)
OF_FILE('s', fdatasync, (int file), file)
OF_FILE('t', ftruncate, (int file, off_t size), file, size)
OF_FILE('t', ftruncate64, (int file, off64_t size), file, size)
OF_FILE('t', fallocate, (int file, int mode, off_t at, off_t size), file, mode, at, size)
OF_FILE('n', fchmod, (int file, mode_t mode), file, mode)
OF_FILE('l', flock, (int file, int how), file, how)

#define OF_NAME(kind, name, parameters, path, ...)                             \
  int name parameters {                                                        \
    REAL(name);                                                                \
    if (is_ours(path) && strikes(kind) == 1) return -1;                        \
    return real(__VA_ARGS__);                                                  \
  }

OF_NAME('n', mkdir, (const char *path, mode_t mode), path, path, mode)
OF_NAME('u', unlink, (const char *path), path, path)
OF_NAME('n', rename, (const char *from, const char *to), to, from, to)
OF_NAME('n', link, (const char *from, const char *to), to, from, to)
OF_NAME(
    'n', linkat, (int fromFolder, const char *from, int toFolder, const char *to, int flags), to,
    fromFolder, from, toFolder, to, flags)

// Returns whether the caller is the program itself and no library: libdispatch ends the process if
// it cannot create an event.
static int is_program(void *caller) {
  Dl_info of_caller, of_program;
  return dladdr(caller, &of_caller) && dladdr((void *)getauxval(AT_ENTRY), &of_program)
    && of_caller.dli_fbase == of_program.dli_fbase;
}

// Calls on sockets, and on memory and events that processes share, are counted in all cases.
#define OF_SOCKET(kind, type, name, parameters, ...)                           \
  type name parameters {                                                       \
    REAL(name);                                                                \
    if (is_program(__builtin_return_address(0)) && strikes(kind) == 1) return -1; \
    return real(__VA_ARGS__);                                                  \
  }

OF_SOCKET('m', int, socket, (int family, int type, int protocol), family, type, protocol)
OF_SOCKET('m', int, memfd_create, (const char *name, unsigned flags), name, flags)
OF_SOCKET('m', int, eventfd, (unsigned count, int flags), count, flags)
OF_SOCKET(
    'm', int, accept, (int file, struct sockaddr *address, socklen_t *size), file, address, size)
OF_SOCKET(
    'a', int, connect, (int file, const struct sockaddr *address, socklen_t size), file, address,
    size)
OF_SOCKET(
    'a', int, bind, (int file, const struct sockaddr *address, socklen_t size), file, address, size)
OF_SOCKET('a', int, listen, (int file, int count), file, count)
OF_SOCKET(
    'a', int, getsockopt, (int file, int level, int name, void *value, socklen_t *size), file,
    level, name, value, size)
OF_SOCKET('g', ssize_t, sendmsg, (int file, const struct msghdr *packet, int flags), file, packet,
          flags)
OF_SOCKET('g', ssize_t, recvmsg, (int file, struct msghdr *packet, int flags), file, packet, flags)

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  REAL(pthread_create);
  if (strikes('p') == 1) return errno;
  return real(thread, attributes, body, argument);
}
