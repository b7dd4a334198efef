// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities

/// A mechanism of the engine, and the change of its parameters that switches it off.
struct Mechanism {
  var name: String
  var off: (inout FusionEngine.Params) -> Void

  init(_ name: String, _ off: @escaping (inout FusionEngine.Params) -> Void) {
    self.name = name
    self.off = off
  }

  /// A time, an angle or a number that nothing reaches.
  private static let never = 1e6

  /// Without a parameter that makes them inert, and therefore absent: the estimate of how far a
  /// gyroscope keeps to its data sheet, the coning term.
  static var all: [Mechanism] {
    [
      Mechanism("latency compensation") {
        $0.gyroDelay = 0
        $0.accelerationDelay = 0
      },
      Mechanism("gyroscope's matrix") {
        $0.gyroScaleSigma = 0
        $0.gyroMisalignmentSigma = 0
      },
      Mechanism("accelerometer's errors") {
        $0.accelerationOffsetSigma = 0
        $0.accelerationScaleSigma = 0
      },
      Mechanism("accelerometer's cross axis") { $0.accelerationCrossAxisSigma = 0 },
      Mechanism("bias in motion") { $0.learnsBiasInMotion = false },
      Mechanism("bias at rest") { $0.learnsBiasAtRest = false },
      Mechanism("quiet before rest") { $0.quietTime = $0.restTime },
      Mechanism("walk of the bias") { $0.biasWalk = 0 },
      Mechanism("limit on the bias") { $0.biasLimit = never },
      Mechanism("walk of the gyroscope's matrix") { $0.gyroMatrixWalk = 0 },
      Mechanism("walk of the accelerometer's offset") { $0.accelerationOffsetWalk = 0 },
      Mechanism("limit on the errors of a part") { $0.gyroErrorLimit = never },
      Mechanism("ends of gyroscope's range") { $0.clipShare = 0 },
      Mechanism("ends of accelerometer's range") { $0.accelerationRange = SensorRange(end: never) },
      Mechanism("test for glitches") { $0.glitchRate = never },
      Mechanism("silent or hung gyroscope") { $0.silentSamples = never },
      Mechanism("refuted gyroscope") { $0.mostTakeovers = never },
      Mechanism("limit on a rest") { $0.steadyTime = never },
      Mechanism("recognition of a ride") {
        // The engine does not look for a ride of an aircraft; the rest of a carrier is these four.
        let hand = $0
        $0 = FusionEngine.Params(carrier: .air)
        $0.velocitySigma = hand.velocitySigma
        $0.velocityTime = hand.velocityTime
        $0.speedLimit = hand.speedLimit
        $0.consistencyTime = hand.consistencyTime
      },
      Mechanism("monitor of the tilt") { $0.disagreementGate = never },
      Mechanism("transient accelerations") { $0.transientLimit = never },
      Mechanism("vertical velocity in transients") { $0.transientVerticalFactor = 0 },
      Mechanism("learned speed") { $0.speedLimit = 2 * $0.velocitySigma },
      Mechanism("lever arm") { $0.leverTurning = never },
      Mechanism("disturbances of the field") { $0.rejectsDisturbances = false },
      Mechanism("another field of the place") { $0.fieldNewTime = never },
      Mechanism("wait for the first field") { $0.fieldFirstTime = 0 },
      Mechanism("magnetometer's delay") { $0.magneticDelaySigma = 0 },
      Mechanism("magnetometer's calibration") { $0.calibratesMagnetometer = false },
    ]
  }
}
