// SPDX-License-Identifier: Apache-2.0
internal import KernelSensors
internal import LinuxBus
internal import Registers

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension KernelSensor {
  /// Returns the meaning of `error` for this sensor, and the first thing to check.
  func sentence(for error: ChipError) -> String {
    guard case .bus(let error, let file) = error else {
      return "the kernel's \(name) does not offer this rate or range"
    }
    let words = KernelAttribute(rawValue: file)?.words ?? "its files"
    switch error {
    case .adapterGone:
      return "the kernel's \(name) is gone: it was pulled out, or its driver was removed"
    case .busy:
      return "the kernel's \(name) is in use (\(words)): the kernel lets one program read it; stop "
        + "that program, such as iio-sensor-proxy: sudo systemctl mask --now iio-sensor-proxy"
    case .timeout:
      return "the kernel's \(name) delivers nothing: its interrupt does not arrive, or its hub "
        + "sleeps; see what the driver says: sudo dmesg | grep -i \(name)"
    case .system(EROFS):
      return
        "sysfs is read-only here, so that \(words) of the kernel's \(name) cannot be set; the unit "
        + "of the service keeps it so: start the service without it"
    case .system(EACCES), .system(EPERM):
      return
        "no permission to change \(words) of the kernel's \(name) in \(folder): run as root, or "
        + "give its files to your group: otolith install --print udev"
    case .system(EINVAL):
      return "the kernel's \(name) refuses what was written to \(words), or has no number there"
    case .system(let errno):
      return "\(words) of the kernel's \(name) in \(folder): errno \(errno); see what the driver "
        + "says: sudo dmesg | grep -i \(name)"
    case .noAcknowledge:
      return "the kernel's \(name) gets no answer from its chip: check its power and its wiring"
    case .arbitrationLost, .unsupported, .tooLong:
      return "the kernel's \(name): \(error)"
    }
  }
}
