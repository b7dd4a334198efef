// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// EIO, for code that needs nothing else from the C library.
internal var inputOutputError: Int32 { EIO }
/// ENOENT, for a chip, line or directory that was not found.
internal var notFoundError: Int32 { ENOENT }
/// EBUSY.
internal var busyError: Int32 { EBUSY }
/// EINVAL.
internal var invalidError: Int32 { EINVAL }
/// EINTR.
internal var interruptedError: Int32 { EINTR }
/// ENODEV.
internal var noDeviceError: Int32 { ENODEV }
/// EACCES.
internal var deniedError: Int32 { EACCES }
/// EPERM.
internal var notPermittedError: Int32 { EPERM }
/// EMFILE.
internal var tooManyOpenError: Int32 { EMFILE }
/// ENFILE.
internal var tooManyOpenInSystemError: Int32 { ENFILE }
/// EAGAIN, which pthread_create(3) returns when no more threads can be created.
internal var noThreadError: Int32 { EAGAIN }
/// ENOMEM.
internal var noMemoryError: Int32 { ENOMEM }
