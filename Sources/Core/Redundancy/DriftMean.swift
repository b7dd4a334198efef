// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The mean difference of a member from the member that leads, over the newest blocks, and the
/// means of what can explain it.
///
/// The error of a calibration map is linear in the leading member's value and slope. The mean error
/// therefore follows from the mean value and the mean slope, which are small if the motion goes
/// back and forth.
struct DriftMean: Sendable {
  private(set) var value = Vector3.zero
  /// The mean square of the distance of a block's difference from the mean before it. It is small
  /// if the difference stays as it is.
  private(set) var spread = 0.0
  /// The mean value of the leading member over the same blocks.
  private(set) var lead = Vector3.zero
  /// The mean slope of the leading member over the same blocks, per second.
  private(set) var slope = Vector3.zero
  /// The part of the variance that white noise causes.
  private var white = 0.0
  /// The mean variance of errors that one block has and the next one takes back.
  private var passing = 0.0
  /// The variance that such errors of all blocks but the newest one cause.
  private var passed = 0.0
  /// The mean variance of slow errors, which averaging does not reduce.
  private var steady = 0.0
  private var count: Scalar = 0
  /// The weight of the newest block.
  private var share: Scalar = 1

  /// The variance without that of the calibration map.
  var variance: Scalar { white + share * share * passing + passed + steady }

  /// Adds the mean difference of a block, during which the leading member had the mean value `lead`
  /// and the mean slope `slope`. The variance has three parts: that of white noise, that of slow
  /// errors, and that of errors which the next block takes back. The latter come from the
  /// trapezoids of the integrals and from the time stamps at both ends of the block.
  mutating func add(
    _ difference: Vector3, lead: Vector3, slope: Vector3, white: Scalar, steady: Scalar,
    passing: Scalar
  ) {
    count += 1
    let former = share
    share = 1 / count > GroupParams.driftShare ? 1 / count : GroupParams.driftShare
    let stray = difference - value
    value += share * stray
    if count > 1 { spread += share * (stray.dot(stray) - spread) }
    self.lead += share * (lead - self.lead)
    self.slope += share * (slope - self.slope)
    self.passing += share * (passing - self.passing)
    // The next block takes back as much as its weight says, and the weights hardly differ.
    let left = (1 - share) * former - share
    passed = (1 - share) * (1 - share) * passed + left * left * self.passing
    self.white = (1 - share) * (1 - share) * self.white + share * share * white
    self.steady += share * (steady - self.steady)
  }

  /// Subtracts a change of the calibration map, because earlier blocks were computed with the old
  /// map.
  mutating func remap(_ change: RelativeCalibration.Change) {
    value -= change.matrix * lead + change.offset
  }
}
