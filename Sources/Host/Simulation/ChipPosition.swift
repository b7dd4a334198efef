// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
public import Quantities

/// The position of a chip on the rigid body that the world moves, and the delay of the chip's
/// samples.
public struct ChipPosition: Equatable, Sendable {
  /// The position of the chip in metres, in device axes, relative to the point whose acceleration
  /// the world gives.
  public var leverArm: Vector3
  /// The delay between a motion and the time stamp of the sample that shows the motion.
  public var timeOffset: TimeSpan

  public init(leverArm: Vector3 = .zero, timeOffset: TimeSpan = .zero) {
    self.leverArm = leverArm
    self.timeOffset = timeOffset
  }

  /// Returns the quantities of `world` at the chip's position, for a sample with the time stamp
  /// `time`.
  func sample(of world: any World, at time: Timestamp) -> Sample {
    let moment = time - timeOffset
    var sample = world.sample(at: moment)
    sample.timestamp = time
    guard leverArm != .zero else { return sample }
    // The angular acceleration is a centred difference over 2 ms. For a motion at 3 Hz its error is
    // 0.01 %.
    let step = TimeSpan.milliseconds(1)
    let (before, after) = (world.sample(at: moment - step), world.sample(at: moment + step))
    let angular = (after.rotationRate - before.rotationRate) / (2 * step.seconds)
    let rate = sample.rotationRate
    let force = angular.cross(leverArm) + rate.cross(rate.cross(leverArm))
    // Core Motion's acceleration has the opposite sign of the specific force.
    sample.acceleration -= force / Self.standardGravity
    return sample
  }

  /// Standard gravity in m/s^2 (CGPM 1901).
  private static let standardGravity = 9.80665
}
