// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Decides which samples may be used. It holds the faults of the sensors, the tilt monitor, and
  /// the attitude that is propagated without a gyroscope.
  @usableFromInline struct TrustState: Equatable, Sendable {
    /// The faults in the samples of the last epoch, and of the current epoch.
    var faults: SensorFaults = []
    var newFaults: SensorFaults = []
    var monitor = TiltMonitor()
    /// The number of times that the monitor's tilt replaced the filter's tilt. It decays over
    /// `refusalTime`.
    private var takeovers = 0.0
    /// The total rotation since the last such replacement, rad. Rotations in both directions are
    /// added.
    private var turned = 0.0
    /// The number of replacements whose tilt error was large relative to the rotation. It decays
    /// over `refusalTime`.
    private var refutations = 0.0
    /// Remaining time for which the gyroscope is not used, s.
    var refused: Seconds = 0
    /// Tilt and rotation rate, propagated while the gyroscope is silent.
    var coast: Coast?
    @usableFromInline var isCoasting = false

    init() {}

    /// Updates the counts with an epoch in which the device turned by `turn`, rad.
    mutating func follow(_ seconds: Seconds, turn: Scalar, _ params: Params) {
      let forgotten = gain(Scalar(seconds), tau: Scalar(params.refusalTime))
      takeovers -= forgotten * takeovers
      refutations -= forgotten * refutations
      if takeovers > params.mostTakeovers { newFaults.insert(.gyroscopeRefuted) }
      turned += turn
    }

    /// Records that the monitor's tilt replaced the filter's tilt, which was wrong by `angle`, rad.
    mutating func noteTakeover(of angle: Scalar, _ params: Params) {
      takeovers += 1
      // An acceleration causes a tilt error that is independent of the rotation. A faulty gyroscope
      // causes an error proportional to the rotation: up to twice the rotation if its sign is
      // wrong.
      if angle > params.refutingShare * turned, angle < 2 * turned { refutations += 1 }
      turned = 0
      if refutations > params.mostTakeovers { refused = params.refusalTime }
    }

    /// Ends an epoch: `newFaults` become the faults of the last epoch.
    mutating func finishEpoch() { (faults, newFaults) = (newFaults, []) }
  }
}
