// SPDX-License-Identifier: Apache-2.0

// The only condition in the portable core: everything else is the same source for both.
#if SinglePrecision
  /// The number type of physical values, matrices and filters: `Float`, by the package trait
  /// `SinglePrecision`.
  public typealias Scalar = Float
#else
  /// The number type of physical values, matrices and filters: `Double`, on Linux always.
  ///
  /// A program for a microcontroller can depend on this package with the trait `SinglePrecision`,
  /// which makes it `Float`: a Cortex-M4F has single precision in hardware and double precision
  /// only in a library, about fifty times slower. Only the portable modules support that; the
  /// others need `Double`.
  public typealias Scalar = Double
#endif
