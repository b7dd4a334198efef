// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Which samples may be used: the faults of the sensors, the monitor of the tilt, and the
  /// attitude that is carried on without a gyroscope.
  @usableFromInline struct TrustState: Equatable, Sendable {
    /// Faults of the samples of the last epoch, and of this one.
    var faults: SensorFaults = []
    var newFaults: SensorFaults = []
    var monitor = TiltMonitor()
    /// The recent number of times that the monitor's tilt replaced the filter's.
    private var takeovers = 0.0
    /// The total turn since the last of them, rad, both directions added.
    private var turned = 0.0
    /// The recent number of those that were large relative to the turn.
    private var refutations = 0.0
    /// Time for which the gyroscope is not used any more, s.
    var refused: Seconds = 0
    /// The tilt and rate that are carried on while the gyroscope is silent.
    var coast: Coast?
    @usableFromInline var isCoasting = false

    init() {}

    /// Advances by an epoch in which the device turned by `turn`, rad.
    mutating func follow(_ seconds: Seconds, turn: Scalar, _ params: Params) {
      let forgotten = gain(Scalar(seconds), tau: Scalar(params.refusalTime))
      takeovers -= forgotten * takeovers
      refutations -= forgotten * refutations
      if takeovers > params.mostTakeovers { newFaults.insert(.gyroscopeRefuted) }
      turned += turn
    }

    /// Records that the monitor's tilt replaced the filter's, which was off by `angle`, rad.
    mutating func noteTakeover(of angle: Scalar, _ params: Params) {
      takeovers += 1
      // An acceleration causes a tilt error independent of turns; a wrong gyroscope one
      // proportional to the turn, up to twice the turn if its sign is wrong.
      if angle > params.refutingShare * turned, angle < 2 * turned { refutations += 1 }
      turned = 0
      if refutations > params.mostTakeovers { refused = params.refusalTime }
    }

    /// Ends an epoch: the faults of the newest samples are those of the last one from now on.
    mutating func finishEpoch() { (faults, newFaults) = (newFaults, []) }
  }
}
