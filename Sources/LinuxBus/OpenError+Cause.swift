// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension OpenError.Cause {
  /// The table of open-time errnos (open(2); kernel Documentation/i2c/dev-interface, spi/spidev and
  /// userspace-api/gpio for the first requests on the open node).
  package init(errno: Int32, kind: DeviceKind, group: String, holder: String? = nil) {
    switch errno {
    case ENOENT, ENOTDIR: self = .missing
    // A node whose device is gone. libgpiod says ENODEV for a character device that is no GPIO
    // chip.
    case ENODEV where kind == .gpioChip || kind == .gpioLine: self = .notThatKindOfDevice
    case ENXIO, ENODEV: self = .missing
    // EPERM is what a container without the device says.
    case EACCES, EPERM: self = .noPermission(group: group)
    case EBUSY: self = .busy(driver: holder)
    // What flock(2) says. From pthread_create the same number means too many threads.
    case EWOULDBLOCK where kind == .lock: self = .busy(driver: holder)
    // The node does not know the first request.
    case ENOTTY, EISDIR: self = .notThatKindOfDevice
    case EINVAL, EOPNOTSUPP: self = .unsupported
    default: self = .other
    }
  }
}
