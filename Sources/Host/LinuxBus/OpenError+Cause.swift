// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension OpenError.Cause {
  /// Creates the cause for an errno of opening (open(2); kernel Documentation/i2c/dev-interface,
  /// spi/spidev and userspace-api/gpio for the first requests on the open node).
  package init(errno: Int32, kind: DeviceKind, group: String, holder: String? = nil) {
    switch errno {
    case ENOENT, ENOTDIR: self = .missing
    // The node exists without its device. libgpiod returns ENODEV for a character device that is
    // not a GPIO chip.
    case ENODEV where kind == .gpioChip || kind == .gpioLine: self = .notThatKindOfDevice
    case ENXIO, ENODEV: self = .missing
    // A container without access to the device returns EPERM.
    case EACCES, EPERM: self = .noPermission(group: group)
    case EBUSY: self = .busy(driver: holder)
    // For a busy lock flock(2) returns this errno. From pthread_create(3) the same errno means too
    // many threads.
    case EWOULDBLOCK where kind == .lock: self = .busy(driver: holder)
    // The device node does not support the first request, so the device is of another kind.
    case ENOTTY, EISDIR: self = .notThatKindOfDevice
    case EINVAL, EOPNOTSUPP: self = .unsupported
    default: self = .other
    }
  }
}
