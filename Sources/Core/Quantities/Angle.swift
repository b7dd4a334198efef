// SPDX-License-Identifier: Apache-2.0

/// Returns the angle in radians for an angle in degrees.
public func radians(fromDegrees degrees: Scalar) -> Scalar { degrees * (Scalar.pi / 180) }

/// Returns the angle in degrees for an angle in radians.
public func degrees(fromRadians radians: Scalar) -> Scalar { radians * (180 / Scalar.pi) }
