// SPDX-License-Identifier: Apache-2.0

/// Radians of an angle in degrees.
public func radians(fromDegrees degrees: Double) -> Double { degrees * (Double.pi / 180) }

/// Degrees of an angle in radians.
public func degrees(fromRadians radians: Double) -> Double { radians * (180 / Double.pi) }
