// SPDX-License-Identifier: Apache-2.0
package import Registers

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A file of a kernel's sensor that the driver uses. An error of the driver has the number of the
/// file instead of a register.
package enum KernelAttribute: UInt8, CaseIterable, Sendable {
  case node
  case clock
  case elements
  case rate
  case scale
  case trigger
  case length
  case watermark
  case enable
  case value

  /// The file's name in the sensor's folder, as used in messages.
  package var words: String {
    switch self {
    case .node: "its device node"
    case .clock: "current_timestamp_clock"
    case .elements: "scan_elements"
    case .rate: "sampling_frequency"
    case .scale: "scale"
    case .trigger: "trigger/current_trigger"
    case .length: "buffer/length"
    case .watermark: "buffer/watermark"
    case .enable: "buffer/enable"
    case .value: "its values"
    }
  }

  /// Returns the error of a system call on this file.
  package func error(_ errno: Int32) -> ChipError {
    let error: BusError =
      switch errno {
      case ENODEV, ESHUTDOWN: .adapterGone
      case ENXIO, EREMOTEIO: .noAcknowledge
      case EBUSY: .busy
      case ETIMEDOUT: .timeout
      default: .system(errno: errno)
      }
    return .bus(error, register: rawValue)
  }
}
