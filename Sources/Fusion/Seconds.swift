// SPDX-License-Identifier: Apache-2.0

/// A time in seconds that is added up from sample to sample and held against a limit: at a hundred samples a second rest
/// begins just at a limit's multiple of them, and rounding would say whether with this sample or with the next epoch. So it
/// is one number in every build; what is computed with it is a `Scalar`.
public typealias Seconds = Double  // Sums in single precision reach a limit at another sample.
