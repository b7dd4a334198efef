// SPDX-License-Identifier: Apache-2.0
import Boards
import Fusion
import MotionSources
import Quantities
import Redundancy
import Runtime
import Simulation
import Sensors
import Testing

/// Tests of samples at the end of a chip's range, and of the value at which that end is.
@Suite struct RangeEndTests {
  /// The chip is turned by 45 degrees about its z axis: device x is (x - y) / sqrt(2) of the chip, y
  /// is (x + y) / sqrt(2). Held values are in device axes and Core Motion's sign.
  private static func report(_ acceleration: Vector3) throws -> ChipReport {
    var board = try Fixtures.board(
      """
      otolith-board: 1
      name: Skewed
      buses: { bus: { simulated: i2c } }
      chips:
        imu:
          chip: mpu6050
          on: bus
          address: 0x68
          rate-hz: 100
          acceleration-range-g: 2
          rotation-rate-range-dps: 250
          mounting:
            - [0.7071067811865476, -0.7071067811865476, 0]
            - [0.7071067811865476, 0.7071067811865476, 0]
            - [0, 0, 1]
      simulation: { motion: still, noise: false }

      """)
    var held = Sample(timestamp: .zero, channels: [.acceleration, .rotationRate, .temperature])
    held.acceleration = acceleration
    held.temperature = 25
    board.simulation?.motion = .held(held)
    let session = BoardSession(board)
    try session.runInstantly(for: .seconds(2)) { true }
    return try #require(session.report.first)
  }

  /// A specific force of (1.8, 1.8, 0) g in the device is 2.55 g on the chip's x, beyond 2 g, and 0
  /// on its y; no component in device axes reaches 2 g. PS-MPU-6000A-00, 6.2: 16384 counts per g, of
  /// which 32767 is the last.
  @Test func `the axis of a chip is counted, however the chip is turned in the device`() throws {
    let report = try Self.report(Vector3(-1.8, -1.8, 0))
    #expect(report.losses.clipped.map(\.axis) == ["acceleration.x"])
    let end = try #require(report.losses.clipped.first?.end)
    #expect(abs(end.value - 32767.0 / 16384) < 1e-9)
    #expect(UInt64(end.count) == report.health.received && end.count > 150)
  }

  /// (1.2, -1.2, 0) g in the device are 1.7 g on the chip's -y, within its range; (2.5, 0, 0) g are
  /// 1.77 g on x and -1.77 g on y, although the device's x is beyond 2 g.
  @Test(arguments: [Vector3(-1.2, 1.2, 0), Vector3(-2.5, 0, 0)])
  func `what the chip's axes hold is not counted`(_ acceleration: Vector3) throws {
    #expect(try Self.report(acceleration).losses.clipped.isEmpty)
  }

  /// DocID025715 rev. 3, table 3: 8.75, 17.5 and 70 mdps per count at 245, 500 and 2000 degrees/s,
  /// and 0.061, 0.122, 0.244 and 0.732 mg per count at 2, 4, 8 and 16 g.
  @Test(arguments: [(245.0, 8.75), (500, 17.5), (2000, 70)])
  func `the LSM9DS1's gyroscope ends at its largest code`(_ range: Double, _ count: Double) throws {
    let board = try Self.lsm9ds1("rotation-rate-range-dps: \(range)")
    let end = 0.001 * count * 32767 * Double.pi / 180
    let traits = board.traits(of: .rotationRate, board.chips[0])
    #expect(abs(try #require(traits.range).end / end - 1) < 1e-9)
    let params = FusionEngine.Params(of: board)
    #expect(abs(try #require(params.rotationRateRange).end / end - 1) < 1e-9)
  }

  @Test(arguments: [(2.0, 0.061), (4, 0.122), (8, 0.244), (16, 0.732)])
  func `the LSM9DS1's accelerometer ends at its largest code`(_ range: Double, _ count: Double)
    throws
  {
    let board = try Self.lsm9ds1("acceleration-range-g: \(range)")
    let end = 0.001 * count * 32767
    #expect(
      abs(try #require(FusionEngine.Params(of: board).accelerationRange).end / end - 1) < 1e-9)
  }

  private static func lsm9ds1(_ range: String) throws -> Board {
    try Fixtures.board(
      """
      otolith-board: 1
      name: LSM9DS1
      buses: { bus: { simulated: i2c } }
      chips: { imu: { chip: "st,lsm9ds1-imu", on: bus, address: 0x6B, \(range) } }
      simulation: { motion: still }

      """)
  }
}
