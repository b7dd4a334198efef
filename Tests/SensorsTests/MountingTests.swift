// SPDX-License-Identifier: Apache-2.0
import Quantities
import Sensors
import Testing

@Suite struct MountingTests {
  @Test("Specific force up is acceleration down: flat and face up reads (0, 0, -1)")
  func sign() {
    var reading = ChipReading(channels: .acceleration)
    reading.specificForce = Vector3(0, 0, 1)
    #expect(Mounting().sample(reading, at: .zero).acceleration == Vector3(0, 0, -1))
  }

  @Test("Rotation and field are turned, never negated")
  func turned() {
    // Device x is chip y, device y is minus chip x.
    let mounting = Mounting(
      Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)))
    var reading = ChipReading(channels: [.acceleration, .rotationRate, .magneticField])
    reading.specificForce = Vector3(0.1, 0.2, 0.3)
    reading.rotationRate = Vector3(1, 2, 3)
    reading.magneticField = Vector3(10, 20, 30)
    let sample = mounting.sample(reading, at: .zero)
    #expect(sample.acceleration == Vector3(-0.2, 0.1, -0.3))
    #expect(sample.rotationRate == Vector3(2, -1, 3))
    #expect(sample.magneticField == Vector3(20, -10, 30))
    #expect(mounting.reading(sample) == reading)
  }
}
