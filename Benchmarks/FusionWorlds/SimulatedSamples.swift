// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Foundation
internal import Quantities
internal import Sensors

/// One sample of all three sensors, and how the device really was when it was stamped.
struct SimulatedSample {
  /// Seconds.
  var time: Double
  /// Rad/s; `nil` if the gyroscope is silent.
  var rotationRate: Vector3?
  /// G, Core Motion's sign.
  var acceleration: Vector3
  /// Microtesla.
  var magneticField: Vector3
  /// Device to north, west, up.
  var truth: Quaternion
}

/// A chip with drawn errors, in a world.
struct SimulatedSamples {
  private let motion: any WorldMotion
  private let field: MagneticPlace
  private let chip: ChipErrors
  private let interval: Double
  private let gyroMatrix: Matrix3
  private let gyroOffset: Vector3
  private let gyroPerG: Matrix3
  private let gyroPerVibration: Vector3
  private let accelerationMatrix: Matrix3
  private let accelerationOffset: Vector3
  private let accelerationPerVibration: Vector3
  private let hardIron: Vector3
  private var noise: Draws

  /// Draws the world by `seed`, the same for all chips, and the errors of the chip in it.
  init(world: World, chip: ChipErrors, seed: UInt64) {
    var ways = Draws(of: "\(world.rawValue) \(seed)")
    motion = world.motion(&ways)
    field = world.field(along: motion, &ways)
    self.chip = chip
    var draws = Draws(of: "\(world.rawValue) \(seed) \(chip.name)")
    interval = (1 + chip.clock.draw(&draws)) / chip.rate
    let gyroscope = chip.gyroscope
    gyroMatrix = draws.matrix(scale: gyroscope.scale, crossAxis: gyroscope.crossAxis)
    func offset() -> Double {
      gyroscope.offset.draw(within: ChipErrors.largestGyroOffset, &draws)
    }
    gyroOffset = Vector3(offset(), offset(), offset())
    let perG = gyroscope.perG ?? .none
    gyroPerG = Matrix3(rows: draws.vector(perG), draws.vector(perG), draws.vector(perG))
    gyroPerVibration = chip.gyroPerVibration * draws.direction()
    let rest = ChipErrors.accelerometerRest
    let accelerometer = chip.accelerometer
    accelerationMatrix = draws.matrix(
      scale: accelerometer.scale.times(rest), crossAxis: accelerometer.crossAxis.times(rest))
    let across = draws.vector(accelerometer.offset.times(rest))
    let up = accelerometer.verticalOffset.times(rest).draw(&draws)
    accelerationOffset = Vector3(across.x, across.y, up)
    accelerationPerVibration = chip.accelerationPerVibration * draws.direction()
    hardIron = chip.hardIron * draws.direction()
    noise = Draws(of: "\(world.rawValue) \(seed) \(chip.name), noise")
  }

  /// Makes the samples of the whole world, and spoils them by each fault in turn.
  mutating func make(_ faults: [SampleFault]) -> [SimulatedSample] {
    let count = Int(World.duration / interval)
    var samples: [SimulatedSample] = []
    samples.reserveCapacity(count)
    for k in 1...count { samples.append(sample(at: Double(k) * interval)) }
    for fault in faults { fault.spoil(&samples, &noise) }
    return samples
  }

  private mutating func sample(at time: Double) -> SimulatedSample {
    // Vibration beyond half the rate comes out as white noise, and shifts the zero by its square.
    let strength = motion.vibration(at: time)
    let vibration = white(strength / 3.0.squareRoot())
    let square = strength * strength
    let force = specificForce(at: time - chip.delays.acceleration) + vibration
    let forceOnGyro = specificForce(at: time - chip.delays.rotationRate) + vibration
    // White noise of a density, up to half the rate.
    let bandwidth = (chip.rate / 2).squareRoot()
    let rate =
      gyroMatrix * meanRate(about: time - chip.delays.rotationRate) + gyroOffset
      + gyroPerG * forceOnGyro + square * gyroPerVibration
      + white(chip.gyroNoise * bandwidth)
    let acceleration =
      accelerationMatrix * force + accelerationOffset + square * accelerationPerVibration
      + white(chip.accelerationNoise * bandwidth)
    let shown = time - chip.delays.magneticField
    let magnetic =
      motion.attitude(at: shown).conjugate.rotate(field.field(at: motion.place(at: shown)))
      + hardIron + white(chip.magneticNoise)
    return SimulatedSample(
      time: time, rotationRate: rate, acceleration: -acceleration, magneticField: magnetic,
      truth: motion.attitude(at: time))
  }

  /// The mean rotation rate of the interval around `time`, rad/s in device axes: from parts that
  /// are short enough not to turn the axis.
  private func meanRate(about middle: Double) -> Vector3 {
    let time = middle + interval / 2
    let parts = 2
    var sum = Vector3.zero
    var before = motion.attitude(at: time - interval)
    for part in 1...parts {
      let after = motion.attitude(at: time - interval * (1 - Double(part) / Double(parts)))
      sum += rotation(from: before, to: after)
      before = after
    }
    return sum / interval
  }

  /// The rotation vector from one attitude to the next, in device axes.
  private func rotation(from before: Quaternion, to after: Quaternion) -> Vector3 {
    let q = before.conjugate * after
    let axis = Vector3(q.x, q.y, q.z)
    let sine = axis.norm
    guard sine > 1e-12 else { return 2 * (q.w < 0 ? -axis : axis) }
    return 2 * atan2(q.w < 0 ? -sine : sine, abs(q.w)) / sine * axis
  }

  /// Returns the force that holds the device against gravity and moves it, g, device axes.
  private func specificForce(at time: Double) -> Vector3 {
    let force = motion.acceleration(at: time) + Vector3(0, 0, standardGravity)
    return motion.attitude(at: time).conjugate.rotate(force) / standardGravity
  }

  private mutating func white(_ sigma: Double) -> Vector3 {
    guard sigma > 0 else { return .zero }
    return sigma * Vector3(noise.normal(), noise.normal(), noise.normal())
  }
}
