// SPDX-License-Identifier: Apache-2.0

/// The domain of every error passed to a handler.
public let CMErrorDomain = "CMErrorDomain"

/// An error code of `CMErrorDomain`.
public struct CMError: RawRepresentable, Equatable, Hashable, Sendable {
  public var rawValue: UInt32
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// No error.
public var CMErrorNULL: CMError { CMError(100) }
/// The compass is not calibrated: rotate the device about all its axes.
public var CMErrorDeviceRequiresMovement: CMError { CMError(101) }
/// True north needs a location or a declination, and the board file has neither.
public var CMErrorTrueNorthNotAvailable: CMError { CMError(102) }
public var CMErrorUnknown: CMError { CMError(103) }
public var CMErrorMotionActivityNotAvailable: CMError { CMError(104) }
public var CMErrorMotionActivityNotAuthorized: CMError { CMError(105) }
public var CMErrorMotionActivityNotEntitled: CMError { CMError(106) }
public var CMErrorInvalidParameter: CMError { CMError(107) }
public var CMErrorInvalidAction: CMError { CMError(108) }
/// The board has no such sensor, or the sensor does not respond.
public var CMErrorNotAvailable: CMError { CMError(109) }
public var CMErrorNotEntitled: CMError { CMError(110) }
/// This process may not open the bus.
public var CMErrorNotAuthorized: CMError { CMError(111) }
public var CMErrorNilData: CMError { CMError(112) }
public var CMErrorSize: CMError { CMError(113) }

/// Returns the error for a handler; `sentence` is its message for users.
func motionError(_ code: CMError, _ sentence: String) -> NSError {
  NSError(
    domain: CMErrorDomain, code: Int(code.rawValue),
    userInfo: [NSLocalizedDescriptionKey: sentence])
}
