// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The errno EIO, for source files that need nothing else from the C library.
internal var inputOutputError: Int32 { EIO }
/// The errno ENOENT, for a chip, line or directory that was not found.
internal var notFoundError: Int32 { ENOENT }
internal var busyError: Int32 { EBUSY }
internal var invalidError: Int32 { EINVAL }
internal var interruptedError: Int32 { EINTR }
internal var noDeviceError: Int32 { ENODEV }
internal var deniedError: Int32 { EACCES }
internal var notPermittedError: Int32 { EPERM }
internal var tooManyOpenError: Int32 { EMFILE }
internal var tooManyOpenInSystemError: Int32 { ENFILE }
