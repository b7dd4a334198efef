// SPDX-License-Identifier: Apache-2.0

// This is the only conditional compilation in the portable core. All other source is the same for
// both precisions.
#if SinglePrecision
  /// The number type of physical values, matrices and filters. The package trait `SinglePrecision`
  /// makes this type `Float`.
  public typealias Scalar = Float
#else
  /// The number type of physical values, matrices and filters. On Linux it is always `Double`.
  ///
  /// A program for a microcontroller can depend on this package with the trait `SinglePrecision`,
  /// which makes this type `Float`. A Cortex-M4F has single precision in hardware, and double
  /// precision only in a library that is about fifty times slower. Only the portable modules
  /// support the trait; the other modules need `Double`.
  public typealias Scalar = Double
#endif
