// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Quantities
import Sensors
import Simulation
import Testing

@Suite struct ChipPositionTests {
  /// A turntable that spins up about z by 2 rad/s^2, from 3 rad/s.
  final class Turntable: World {
    func sample(at time: Timestamp) -> Sample {
      var sample = Sample(timestamp: time, channels: [.acceleration, .rotationRate])
      sample.acceleration = Vector3(0, 0, -1)
      sample.rotationRate = Vector3(0, 0, 3 + 2 * time.seconds)
      return sample
    }
  }

  /// By hand, 0.5 m to the right of the axis at 5 rad/s: 5^2 * 0.5 = 12.5 m/s^2 towards the axis and
  /// 2 * 0.5 = 1 m/s^2 forwards; g = 9.80665 m/s^2.
  @Test func `a chip off the axis of a turntable senses both accelerations`() {
    let input = ChipInput(
      Turntable(), mounting: Mounting(),
      position: ChipPosition(leverArm: Vector3(0.5, 0, 0)))
    let force = input.reading(at: Timestamp(seconds: 1)).specificForce
    #expect((force - Vector3(-12.5 / 9.80665, 1 / 9.80665, 1)).norm < 1e-9)
  }

  /// A chip whose y axis is the device's x: the same forces along its own axes.
  @Test func `the position is in device axes whatever the mounting`() {
    let mounting = Mounting(Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)))
    let input = ChipInput(
      Turntable(), mounting: mounting, position: ChipPosition(leverArm: Vector3(0.5, 0, 0)))
    let force = input.reading(at: Timestamp(seconds: 1)).specificForce
    #expect((force - Vector3(-1 / 9.80665, -12.5 / 9.80665, 1)).norm < 1e-9)
  }

  @Test func `a late chip shows what was`() {
    let input = ChipInput(
      Turntable(), mounting: Mounting(), position: ChipPosition(timeOffset: .milliseconds(4)))
    #expect(abs(input.reading(at: Timestamp(seconds: 1)).rotationRate.z - 4.992) < 1e-12)
  }
}
