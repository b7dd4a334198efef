// SPDX-License-Identifier: Apache-2.0

/// A time in seconds that is added up from sample to sample and held against a limit: at a hundred
/// samples a second rest begins just at a limit's multiple of them, and rounding would decide
/// whether with this sample or with the next epoch. So it is one number type in every build;
/// quantities computed with it are `Scalar`.
public typealias Seconds = Double  // Sums in single precision reach a limit at another sample.
