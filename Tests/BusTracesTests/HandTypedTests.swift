// SPDX-License-Identifier: Apache-2.0
import BringUp
import BusTraces
import Boards
import Quantities
import Runtime
import Testing

/// A trace typed by hand: an MPU-6050 at 4 g and 500 degrees/s, polled at 50 Hz, up to its first
/// frame.
@Suite struct HandTypedTests {
  static let text = """
    otolith-trace: 1
    clock: 10.000000000
    board: |
      otolith-board: 1
      name: Typed by hand
      buses: { i2c1: { i2c: /dev/i2c-1 } }
      chips:
        imu:
          chip: invensense,mpu6050
          on: i2c1
          address: 0x68
          rate-hz: 50
          read-by: polling
    events:
    0.000000000 imu open invensense,mpu6050 i2c identity 0x68
    0.001000000 imu start
    0.001000000 imu step
    0.001100000+0.000100000 imu r 0x75 1 68
    0.001200000+0.000100000 imu w 0x6B 1 C0
    0.001300000 imu now
    0.101300000 imu step
    0.101400000+0.000100000 imu r 0x6B 1 40
    0.101500000+0.000100000 imu w 0x6B 1 01
    0.101600000 imu now
    0.121600000 imu step
    0.121700000+0.000100000 imu w 0x6B 1 01
    0.121800000+0.000100000 imu w 0x6C 1 00
    0.121900000+0.000100000 imu w 0x19 1 13
    0.122000000+0.000100000 imu w 0x1A 1 04
    0.122100000+0.000100000 imu w 0x1B 1 08
    0.122200000+0.000100000 imu w 0x1C 1 08
    0.122300000+0.000100000 imu w 0x37 1 00
    0.122400000+0.000100000 imu w 0x38 1 01
    0.122500000+0.000100000 imu r 0x6B 1 01
    0.122600000+0.000100000 imu r 0x6C 1 00
    0.122700000+0.000100000 imu r 0x19 1 13
    0.122800000+0.000100000 imu r 0x1A 1 04
    0.122900000+0.000100000 imu r 0x1B 1 08
    0.123000000+0.000100000 imu r 0x1C 1 08
    0.123100000+0.000100000 imu r 0x37 1 00
    0.123200000+0.000100000 imu r 0x38 1 01
    0.123300000 imu now
    0.200000000 imu step
    0.200000000 imu now
    0.200100000+0.000100000 imu r 0x3A 1 01
    0.200200000 imu now
    0.200200000 imu now
    0.205000000 imu step
    0.205000000 imu now
    0.205000000 imu now
    0.205100000+0.000100000 imu r 0x3A 1 00
    0.205200000 imu now
    0.205200000 imu now
    0.205200000 imu now
    0.210000000 imu step
    0.210000000 imu now
    0.210000000 imu now
    0.210100000+0.000100000 imu r 0x3A 1 01
    0.210200000 imu now
    0.210300000+0.000400000 imu r 0x3A 15 001000F0002000F0B01996E66A0000
    0.210700000 imu now

    """

  /// Scales of the MPU-6050's product specification PS-MPU-6000A, 6.1 and 6.2: 8192 LSB/g, 65.5 LSB/(degree/s); temperature
  /// of the register map RM-MPU-6000A, 4.18: raw / 340 + 36.53.
  @Test func `the first frame has the values of the product specification`() throws {
    let played = try Played(try traced(Self.text))
    let chip = try #require(played.chips.first)
    #expect(chip.divergenceCount == 0, "\(chip.divergences.first as Any)")
    #expect(chip.failures == 0 && played.samples.count == 1)
    let sample = try #require(played.samples.first)
    // 0x1000, 0xF000 and 0x2000 are 0.5, -0.5 and 1 g of specific force; Core Motion's acceleration
    // has the opposite sign.
    #expect(sample.acceleration == Vector3(-0.5, 0.5, -1))
    // 0x1996 is 6550, which is 100 degrees/s: 1.7453292519943 rad/s. 0xE66A is -6550.
    #expect(abs(sample.rotationRate.x - 1.745_329_251_994_3) < 1e-12)
    #expect(abs(sample.rotationRate.y + 1.745_329_251_994_3) < 1e-12)
    #expect(sample.rotationRate.z == 0)
    // 0xF0B0 is -3920.
    #expect(abs(sample.temperature - 25.000_588_235) < 1e-9)
    // The time is between the poll at 0.205 s, which found no sample, and 0.2102 s, when the next
    // response was complete.
    #expect(sample.timestamp == Timestamp(nanoseconds: 10_207_600_000))
  }

  /// As part of a board, the chip of a trace responds as it was recorded.
  @Test func `the chip of a trace answers what it answered then, and no more`() throws {
    let board = try traced(Self.text)
    #expect(board.buses.first?.isTrace == true && board.isMadeUp && board.learned == .off)
    let answers = ChipTrace(
      try #require(board.trace), chip: "imu", queues: [0x74], isExact: false)
    let port = TracePort(answers, clock: { .zero }, spend: { _ in })
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    try port.read(&span, from: 0x75)
    #expect(bytes[0] == 0x68)
    // The registers written later have not been recorded yet.
    #expect(throws: ChipTrace.notInTrace) {
      var byte: InlineArray<1, UInt8> = [0]
      var span = byte.mutableSpan
      try port.read(&span, from: 0x1B)
    }
  }
}
