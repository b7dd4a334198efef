// SPDX-License-Identifier: Apache-2.0
import Registers
import Foundation
import LinuxBus
import Quantities
import Runtime
import Sensors
import Testing

extension KernelBenchTests {
  /// The SPI code over /dev/spidevB.C (PS-MPU-6500A, DocID026899, DocID024204, BST-BMI160,
  /// BST-BMP280: modes 0 and 3).
  @Suite(.serialized) struct SPITests {
    private func bytes(_ count: Int, after command: UInt8, dummies: Int = 0, on device: LinuxSPI)
      throws -> [UInt8]
    {
      var bytes = [UInt8](repeating: 0xA5, count: count)
      var span = bytes.mutableSpan
      try device.read(&span, after: command, dummyBytes: dummies)
      return bytes
    }

    /// The chip select, the command and the identity. Bit 7 reads; the LIS3MDL increments only with
    /// bit 6.
    static let identities: [(Int, UInt8, UInt8)] = [
      (0, 0xF5, 0x70), (1, 0x8F, 0x69), (2, 0x80, 0xD1), (3, 0x8F, 0x3D), (4, 0xD0, 0x58),
    ]

    @Test(arguments: identities, [UInt8(0), 3])
    func `each chip on SPI gives its identity in modes 0 and 3`(
      chip: (select: Int, command: UInt8, value: UInt8), mode: UInt8
    ) throws {
      try BenchServer.serve(Boards.all)
      try VirtualBench.withSPIDevice(chip.select) { path in
        let device = try LinuxSPI(path: path, mode: mode, speed: 1_000_000)
        // The BMI160 selects SPI at the first rising edge of its chip select (BST-BMI160, section
        // 3.2.1).
        if chip.select == 2 { _ = try bytes(1, after: 0xFF, on: device) }
        #expect(try bytes(1, after: chip.command, on: device) == [chip.value])
      }
    }

    /// A mode that no chip supports gives no identity and no error, because SPI has no
    /// acknowledgement.
    @Test(arguments: [UInt8(1), 2])
    func `a mode that no chip has gives no identity and no error`(mode: UInt8) throws {
      try BenchServer.serve(Boards.all)
      try VirtualBench.withSPIDevice(0) { path in
        let device = try LinuxSPI(path: path, mode: mode, speed: 1_000_000)
        #expect(try bytes(1, after: 0xF5, on: device) != [0x70])
      }
    }

    /// Mode, clock, word length and number of bytes arrive as requested, in one frame.
    @Test(arguments: [(UInt8(0), UInt32(500_000), 14), (3, 5_000_000, 6), (0, 10_000_000, 1000)])
    func `mode, clock and length arrive on the wire as asked`(
      mode: UInt8, speed: UInt32, count: Int
    ) throws {
      try BenchServer.serve(Boards.all)
      try VirtualBench.withSPIDevice(0) { path in
        let device = try LinuxSPI(path: path, mode: mode, speed: speed)
        let before = try VirtualBench.frames()
        _ = try bytes(count, after: 0xBB, on: device)
        let after = try VirtualBench.frames()
        #expect(after.count == before.count + 1)
        #expect(after.select == 0)
        #expect(after.mode == Int(mode))
        #expect(after.speed == Int(speed))
        #expect(after.bits == 8)
        #expect(after.length == count + 1)
      }
    }

    /// The node's limit applies to one frame, including the command.
    @Test func `a frame beyond the node's limit is refused`() throws {
      try BenchServer.serve(Boards.all)
      try VirtualBench.withSPIDevice(0) { path in
        let device = try LinuxSPI(path: path, mode: 0, speed: 1_000_000)
        let limit = try #require(
          Int(try VirtualBench.read("/sys/module/spidev/parameters/bufsiz")))
        #expect(device.device.longestFrame == limit)
        #expect(try bytes(device.longestRead, after: 0xF5, on: device).count == limit - 2)
        #expect(throws: BusError.tooLong(limit: limit)) {
          try bytes(limit + 1, after: 0xF5, on: device)
        }
      }
    }

    /// Chips on four chip selects of one controller; each is a bus of the board.
    @Test func `four chips of one controller stream over SPI`() throws {
      try BenchServer.serve(Boards.all, hold: I2CTests.held)
      let selects = [1, 2, 3, 4]
      for select in selects {
        try VirtualBench.newDevice("bus=spi unit=\(select) driver=spidev hz=10000000")
      }
      defer { for select in selects { try? VirtualBench.deleteDevice("bus=spi unit=\(select)") } }
      let ours = try Ours.run(
        try Ours.board(
          "one: { chip: 'st,lsm6ds3', on: spi1, rate-hz: 1660, read-by: fifo }",
          "two: { chip: 'bosch,bmi160', on: spi2, rate-hz: 1600, read-by: fifo }",
          "three: { chip: 'st,lis3mdl', on: spi3, rate-hz: 80 }",
          "four: { chip: 'bosch,bmp280', on: spi4, rate-hz: 25 }", spi: selects),
        seconds: 2)
      for (report, rate) in zip(ours.report, [1660.0, 1600, 80, 25]) {
        #expect(Double(report.health.received) > rate * 1.5, "\(report)")
        #expect(report.health.busErrors == 0 && report.health.restarts == 0, "\(report)")
      }
      #expect(ours.report.dropLast().allSatisfy { $0.health.missing == 0 }, "\(ours.report)")
      // The BMP280 pauses for 0.5 ms between conversions. A poll delayed for so long by three busy
      // neighbours may miss one conversion, which is counted.
      #expect(ours.report[3].health.missing <= 1, "\(ours.report[3])")
    }
  }
}
