// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// The reason why the virtual bench cannot be served, or why serving ended.
package struct BenchError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Cause: Equatable, Sendable {
    /// The device does not exist because the kernel module is not loaded.
    case missing
    /// Another process serves the device. `holder` describes that process if it is known.
    case busy(holder: String?)
    case noPermission
    /// The path is not a device of the virtual bench.
    case notADevice
    /// The device was removed while it was served.
    case gone
    /// The device's records have another format.
    case garbled
    case system(errno: Int32)
  }

  package let cause: Cause
  package let path: String

  package init(_ cause: Cause, _ path: String) {
    self.cause = cause
    self.path = path
  }

  /// Creates the error for the error number of open(2).
  init(errno number: Int32, _ path: String) {
    self.path = path
    switch Errno(rawValue: number) {
    case .noSuchFileOrDirectory, .notDirectory, .noSuchAddressOrDevice,
      .operationNotSupportedByDevice:
      cause = .missing
    case .resourceBusy: cause = .busy(holder: DeviceHolder.description(of: path))
    case .permissionDenied, .notPermitted: cause = .noPermission
    case .isDirectory: cause = .notADevice
    default: cause = .system(errno: number)
    }
  }

  /// The error and its remedy in one line.
  package var description: String {
    switch cause {
    case .missing:
      "\(path): no virtual bench here: it exists in the guest of `make shell`"
    case .busy(let holder):
      "\(path): \(holder ?? "another process") already serves this virtual bench; end it first"
    case .noPermission:
      "\(path): no permission to serve this virtual bench; try as root"
    case .notADevice:
      "\(path): this is not a virtual bench; the default is \(KernelServer.usualPath)"
    case .gone:
      "\(path): the virtual bench has been removed; load its kernel module and start "
        + "again"
    case .garbled:
      "\(path): the device sends unknown records; build otolith and the kernel module from the "
        + "same sources"
    case .system(let number):
      "\(path): cannot serve this virtual bench: \(Errno(rawValue: number))"
    }
  }
}
