// SPDX-License-Identifier: Apache-2.0
import MotionSources
import Boards
import Registers
import Testing

/// Tests of the whole sentences that people read when a chip does not do what it should.
@Suite struct SentenceTests {
  static let imu: [(ChipError, String)] = [
    (
      .bus(.noAcknowledge, register: 0x75),
      "imu: no answer at 0x68 on /dev/i2c-1: check the address strap (0x69?), power, SDA and SCL, pull-ups"
    ),
    (
      .bus(.timeout, register: 0x75),
      "imu: 0x68 on /dev/i2c-1 timed out: a line is stuck low, or the chip holds the clock"
    ),
    (
      .bus(.arbitrationLost, register: 0x75),
      "imu: 0x68 on /dev/i2c-1: lost arbitration repeatedly: another controller uses the bus"
    ),
    (
      .bus(.adapterGone, register: 0x75),
      "imu: 0x68 on /dev/i2c-1: the adapter is gone or suspended"
    ),
    (
      .bus(.busy, register: 0x75),
      "imu: 0x68 on /dev/i2c-1: a driver of the kernel owns the chip"
    ),
    (
      .bus(.unsupported, register: 0x75),
      "imu: 0x68 on /dev/i2c-1: the adapter cannot do this kind of transfer"
    ),
    (
      .bus(.tooLong(limit: 32), register: 0x74),
      "imu: 0x68 on /dev/i2c-1: the adapter moves at most 32 bytes at once"
    ),
    (
      .bus(.system(errno: 5), register: 0x6B),
      "imu: 0x68 on /dev/i2c-1: transfer at register 0x6B failed with errno 5"
    ),
    (
      .identity(found: 0x70, register: 0x75),
      "imu: register 0x75 at 0x68 on /dev/i2c-1 holds 0x70, the identity of MPU-6500; MPU-6050 was "
        + "expected: check the board file's chip and address"
    ),
    (
      .identity(found: 0x00, register: 0x75),
      "imu: register 0x75 at 0x68 on /dev/i2c-1 reads 0x00: it acknowledges its address, but the "
        + "data line stays low: no chip's identity is 0x00; switch the power off and on: a chip "
        + "that is resetting, asleep or hangs does so"
    ),
    (
      .identity(found: 0xFF, register: 0x75),
      "imu: register 0x75 at 0x68 on /dev/i2c-1 reads 0xFF: it acknowledges its address, but does "
        + "not drive the data line: no chip's identity is 0xFF; switch the power off and on: a "
        + "chip that hangs, or is held in reset, does so"
    ),
    (
      .identity(found: 0x72, register: 0x75),
      "imu: register 0x75 at 0x68 on /dev/i2c-1 holds 0x72, the identity of an MPU-6050 clone: it "
        + "needs 'treat-as: \"invensense,mpu6050\"' in the board file"
    ),
    (
      .resetTimedOut,
      "imu: MPU-6050 at 0x68 on /dev/i2c-1 does not complete its reset: check its supply"
    ),
    (
      .rejected(register: 0x1B, wrote: 0x08, readBack: 0x00),
      "imu: register 0x1B at 0x68 on /dev/i2c-1 was set to 0x08 and holds 0x00: the chip lost power for a moment, or another program uses it"
    ),
    (
      .unexpected(register: 0x3A, wanted: 0x01, found: 0xFF),
      "imu: register 0x3A at 0x68 on /dev/i2c-1 holds 0xFF and not 0x01: the chip lost power for a moment, or is damaged"
    ),
    (
      .rejectedWord(FlatAddress(bank: 2, 0x01), wrote: 0x0005, readBack: 0x0101),
      "imu: register 2:0x01 at 0x68 on /dev/i2c-1 was set to 0x0005 and holds 0x0101: the chip lost power for a moment, or another program uses it"
    ),
    (
      .unsupportedSetting,
      "imu: MPU-6050 does not support this rate, range or read mode"
    ),
  ]

  @Test(arguments: imu.indices)
  func `each error of the IMU is the sentence typed by hand`(_ index: Int) throws {
    let board = try Fixtures.real()
    let (error, text) = Self.imu[index]
    #expect(board.chips[0].sentence(for: error, on: board.bus("i2c1")) == text)
  }

  @Test func `the sentence of a silent chip names its other address`() throws {
    let board = try Fixtures.real()
    #expect(
      board.chips[1].sentence(for: .bus(.noAcknowledge, register: 0), on: board.bus("i2c1"))
        == "compass: no answer at 0x1C on /dev/i2c-1: check the address strap (0x1E?), power, "
        + "SDA and SCL, pull-ups")
  }

  @Test func `a chip select has no address`() throws {
    let board = try Fixtures.real()
    #expect(
      board.chips[2].sentence(for: .identity(found: 0xFF, register: 0x0F), on: board.bus("spi0"))
        == "other: register 0x0F at /dev/spidev0.0 holds 0xFF; LIS3MDL was expected: check the "
        + "wiring and power, the board file's chip and chip select")
    #expect(
      board.chips[2].sentence(for: .resetTimedOut, on: board.bus("spi0"))
        == "other: LIS3MDL at /dev/spidev0.0 does not complete its reset: check its supply")
  }

  @Test func `a simulated bus is named in the sentence`() throws {
    let board = try Fixtures.still()
    #expect(
      board.chips[0].sentence(for: .bus(.timeout, register: 0), on: board.bus("bus"))
        == "imu: 0x68 on simulated bus bus timed out: a line is stuck low, or the chip holds the "
        + "clock")
  }
}
