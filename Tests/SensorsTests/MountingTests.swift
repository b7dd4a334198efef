// SPDX-License-Identifier: Apache-2.0
import Quantities
import Sensors
import Testing

@Suite struct MountingTests {
  /// The 24 rotations that take axes to axes: signed permutations with a determinant of 1.
  static let rotations: [Matrix3] = {
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    let signed = axes + axes.map { -$0 }
    var all: [Matrix3] = []
    for x in signed {
      for y in signed where x.dot(y) == 0 { all.append(Matrix3(rows: x, y, x.cross(y))) }
    }
    return all
  }()

  @Test func `there are 24 mountings`() {
    #expect(Self.rotations.count == 24)
    #expect(Self.rotations.allSatisfy { $0.determinant == 1 })
  }

  var reading: ChipReading {
    var reading = ChipReading(channels: [.acceleration, .rotationRate, .magneticField])
    reading.specificForce = Vector3(0.1, -0.2, 1.3)
    reading.rotationRate = Vector3(-4, 5, 6)
    reading.magneticField = Vector3(20, -30, 40)
    reading.temperature = 21.5
    reading.pressure = 100.25
    reading.humidity = 40
    return reading
  }

  @Test(arguments: rotations) func `each mounting turns a reading there and back`(matrix: Matrix3) {
    let mounting = Mounting(matrix)
    let sample = mounting.sample(reading, at: Timestamp(nanoseconds: 7))
    #expect(mounting.reading(sample) == reading)
    #expect(sample.timestamp == Timestamp(nanoseconds: 7))
    #expect(sample.rotationRate == matrix * reading.rotationRate)
    #expect(sample.magneticField == matrix * reading.magneticField)
    #expect(sample.acceleration == matrix * reading.specificForce * -1)
    #expect(sample.temperature == 21.5 && sample.pressure == 100.25 && sample.humidity == 40)
  }

  /// A chip that lies flat and face up measures the push of the table; Core Motion reports gravity.
  @Test func `specific force becomes acceleration`() {
    var reading = ChipReading(channels: .acceleration)
    reading.specificForce = Vector3(0, 0, 1)
    let sample = Mounting().sample(reading, at: .zero)
    #expect(sample.acceleration == Vector3(0, 0, -1))
    reading.specificForce = Vector3(0.5, 0, 0)
    #expect(Mounting().sample(reading, at: .zero).acceleration == Vector3(-0.5, 0, 0))
  }

  /// The chip is turned by a quarter: its x is the device's y.
  @Test func `the matrix takes chip to device`() {
    let mounting = Mounting(
      Matrix3(rows: Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1)))
    var reading = ChipReading(channels: .rotationRate)
    reading.rotationRate = Vector3(1, 0, 0)
    #expect(mounting.sample(reading, at: .zero).rotationRate == Vector3(0, 1, 0))
  }

  @Test func `calibration is taken out in chip axes`() {
    let calibration = ChipCalibration(
      gyroBias: Vector3(1, 2, 3), accelerationOffset: Vector3(0.1, 0, 0),
      accelerationMatrix: Matrix3(rows: Vector3(2, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)),
      hardIron: Vector3(0, 0, 10))
    let corrected = ChipCorrection(calibration).corrected(reading)
    #expect(corrected.rotationRate == Vector3(-5, 3, 3))
    #expect(corrected.specificForce == Vector3(0, -0.2, 1.3))
    #expect(corrected.magneticField == Vector3(20, -30, 30))
    #expect(corrected.temperature == 21.5)
  }
}
