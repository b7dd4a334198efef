// SPDX-License-Identifier: Apache-2.0

// The one condition of the portable core: everything else is written once, for either.
#if SinglePrecision
  /// The number type of physical values, matrices and filters: `Float`, by the package trait
  /// `SinglePrecision`.
  public typealias Scalar = Float
#else
  /// The number type of physical values, matrices and filters: `Double`, on Linux always.
  ///
  /// A program for a microcontroller may depend on this package with the trait `SinglePrecision`,
  /// which makes it `Float`: a Cortex-M4F computes in single precision by itself and in double
  /// precision by a library, some fifty times slower. The portable modules alone are made for that;
  /// the others need `Double`.
  public typealias Scalar = Double
#endif
