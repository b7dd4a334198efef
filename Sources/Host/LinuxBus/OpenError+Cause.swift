// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension OpenError.Cause {
  /// Maps open-time errnos (open(2); kernel Documentation/i2c/dev-interface, spi/spidev and
  /// userspace-api/gpio for the first requests on the open node).
  package init(errno: Int32, kind: DeviceKind, group: String, holder: String? = nil) {
    switch errno {
    case ENOENT, ENOTDIR: self = .missing
    // A node without its device. libgpiod returns ENODEV for a character device that is not a GPIO
    // chip.
    case ENODEV where kind == .gpioChip || kind == .gpioLine: self = .notThatKindOfDevice
    case ENXIO, ENODEV: self = .missing
    // Containers without access to the device return EPERM.
    case EACCES, EPERM: self = .noPermission(group: group)
    case EBUSY: self = .busy(driver: holder)
    // From flock(2). From pthread_create the same number means too many threads.
    case EWOULDBLOCK where kind == .lock: self = .busy(driver: holder)
    // The node does not support the first request.
    case ENOTTY, EISDIR: self = .notThatKindOfDevice
    case EINVAL, EOPNOTSUPP: self = .unsupported
    default: self = .other
    }
  }
}
