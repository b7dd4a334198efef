// SPDX-License-Identifier: Apache-2.0

/// A time in seconds that is summed over samples and compared with a limit. Limits are often exact
/// multiples of the sample interval, so rounding would decide in which epoch a limit is reached.
/// This type is therefore `Double` in every build; quantities computed from it are `Scalar`.
public typealias Seconds = Double  // Sums in single precision reach a limit at another sample.
