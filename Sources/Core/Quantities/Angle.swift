// SPDX-License-Identifier: Apache-2.0

/// Returns the radians of an angle in degrees.
public func radians(fromDegrees degrees: Scalar) -> Scalar { degrees * (Scalar.pi / 180) }

/// Returns the degrees of an angle in radians.
public func degrees(fromRadians radians: Scalar) -> Scalar { radians * (180 / Scalar.pi) }
