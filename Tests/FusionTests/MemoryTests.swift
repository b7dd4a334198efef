// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Testing

@Suite struct MemoryTests {
  static let degree = Double.pi / 180
  static let memory = FusionMemory(
    gyroscope: FusionMemory.Gyroscope(
      bias: Vector3(0.01, -0.02, 0.005), sigma: 0.04 * degree, temperature: 31),
    magnetometer: FusionMemory.Magnetometer(
      hardIron: Vector3(12, -5, 30), sigma: 0.3, fieldNorm: 48, fieldDip: 1.1))

  /// The bias is learned at rest, and the next engine starts with it.
  @Test func `one engine's bias is where the next begins`() throws {
    let bias = Vector3(1.5, -1, 0.5) * Self.degree
    var first = FusionEngine()
    #expect(first.memory.isEmpty)
    for sample in 0..<1000 {
      let time = Timestamp(seconds: Double(sample) / 100)
      first.update(rotationRate: bias, at: time)
      first.update(acceleration: Vector3(0, 0, -1), at: time)
    }
    let learned = try #require(first.memory.gyroscope)
    #expect((learned.bias - bias).norm < 0.05 * Self.degree)
    #expect(learned.sigma < 0.1 * Self.degree)
    var second = FusionEngine()
    second.assume(first.memory)
    #expect(second.gyroBias == learned.bias && second.gyroBiasSigma == learned.sigma)
    var empty = FusionEngine()
    empty.assume(FusionMemory())
    #expect(empty.gyroBias == .zero)
  }

  /// After a minute nothing changes; after an hour the temperature may have changed, after a month
  /// more.
  @Test func `what was learned is less sure with the hours and the months`() throws {
    func sigma(_ seconds: Double) -> Double {
      (Self.memory.aged(by: seconds).gyroscope?.sigma ?? 0) / Self.degree
    }
    #expect(sigma(0) == 0.04)
    #expect(abs(sigma(60) - 0.04) < 0.001)
    // sqrt(0.04^2 + 0.15^2 (1 - 1/e)^2 + 0.02^2 / 24)
    #expect(abs(sigma(3600) - 0.1030) < 0.0001)
    // sqrt(0.04^2 + 0.15^2 + 0.02^2 * 30)
    #expect(abs(sigma(30 * 86_400) - 0.19) < 1e-12)
    // A clock that was set back or never set gives no age.
    #expect(sigma(-5) == sigma(30 * 86_400) && sigma(.infinity) == sigma(30 * 86_400))
    #expect(sigma(.nan) == sigma(30 * 86_400))
    let magnet = try #require(Self.memory.aged(by: 86_400).magnetometer)
    #expect(abs(magnet.sigma - 0.5830951894845301) < 1e-12)
    #expect(magnet.hardIron == Vector3(12, -5, 30) && magnet.fieldNorm == 48)
    #expect(Self.memory.aged(by: 86_400).gyroscope?.bias == Self.memory.gyroscope?.bias)
  }

  @Test func `impossible values of an earlier run are not used`() {
    #expect(Self.memory.plausible == Self.memory)
    var memory = Self.memory
    memory.gyroscope?.bias.x = 31 * Self.degree
    #expect(memory.plausible.gyroscope == nil && memory.plausible.magnetometer != nil)
    memory = Self.memory
    memory.gyroscope?.bias.x = .nan
    #expect(memory.plausible.gyroscope == nil)
    memory = Self.memory
    memory.gyroscope?.sigma = -1
    #expect(memory.plausible.gyroscope == nil)
    memory = Self.memory
    memory.magnetometer?.softIron = Matrix3(rows: .zero, .zero, .zero)
    #expect(memory.plausible.magnetometer == nil && memory.plausible.gyroscope != nil)
    memory = Self.memory
    memory.magnetometer?.fieldDip = .infinity
    #expect(memory.plausible.magnetometer == nil)
    memory = Self.memory
    memory.magnetometer?.hardIron.z = 6000
    #expect(memory.plausible.magnetometer == nil)
  }
}
