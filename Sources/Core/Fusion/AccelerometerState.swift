// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// The accelerometer: its newest sample and its estimated errors.
  @usableFromInline struct AccelerometerState: Equatable, Sendable {
    /// The latest specific force in device axes, g, and its difference from the previous value.
    var newest: Vector3?
    var step = Vector3.zero
    var time: Timestamp?
    /// Mean interval between two accelerations, s.
    var interval = 0.0
    var ends = RangeEnds(least: SensorRange.leastAcceleration)
    var quantum = Quantum()
    var axesAtEnd = 0
    var repeats: RepeatCheck
    /// The offset in g, device axes, and the scale factor of each axis.
    @usableFromInline var offset = Vector3.zero
    @usableFromInline var scale = Vector3(1, 1, 1)
    /// Mean square of the specific force, g^2. Its excess over 1 g^2 comes from the acceleration of
    /// the device, whatever the attitude.
    var square = 1.0
    /// The low-pass filtered specific force in the strapdown frame, used while there is no
    /// gyroscope.
    var lowPass = LowPass()

    init(_ params: Params) { repeats = RepeatCheck(params) }
  }
}
