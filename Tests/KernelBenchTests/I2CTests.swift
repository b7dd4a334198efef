// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Quantities
import Registers
import Runtime
import Sensors
import Testing

extension KernelBenchTests {
  /// The bus code over /dev/i2c-N, with the chips' registers (RM-MPU-6000A-00 4.2; DocID026899;
  /// DocID024204).
  @Suite(.serialized) struct I2CTests {
    static let held = "acceleration=0.31,-0.52,-0.79;rotation-rate=0.5,-0.25,1;temperature=31.5"

    private func bytes(
      _ count: Int, from register: UInt8, of address: UInt8, on bus: LinuxI2CBus
    ) throws -> [UInt8] {
      var bytes = [UInt8](repeating: 0xA5, count: count)
      var span = bytes.mutableSpan
      try bus.read(&span, after: register, from: address)
      return bytes
    }

    private func write(_ bytes: [UInt8], to address: UInt8, on bus: LinuxI2CBus) throws {
      try bus.write(bytes.span, to: address)
    }

    /// The identities of five chips on one bus, each read with a repeated start.
    @Test(arguments: [VirtualBench.i2c, VirtualBench.smbus])
    func `each chip on one bus gives its identity`(path: String) throws {
      try BenchServer.serve(Boards.all)
      let bus = try LinuxI2CBus(path: path)
      #expect(try bytes(1, from: 0x75, of: 0x68, on: bus) == [0x68])
      #expect(try bytes(1, from: 0x0F, of: 0x6B, on: bus) == [0x69])
      #expect(try bytes(1, from: 0x0F, of: 0x6A, on: bus) == [0x6A])
      #expect(try bytes(1, from: 0x0F, of: 0x1C, on: bus) == [0x3D])
      #expect(try bytes(1, from: 0xD0, of: 0x76, on: bus) == [0x58])
      #expect(try bytes(1, from: 0x00, of: 0x69, on: bus) == [0xD1])
      // There is no chip at 0x50.
      #expect(throws: BusError.noAcknowledge) { try bytes(1, from: 0, of: 0x50, on: bus) }
      let answering = try (0x08...0x77 as ClosedRange<UInt8>).filter { try bus.adapter.probe($0) }
      #expect(
        answering == [
          0x0C, 0x0D, 0x1C, 0x1E, 0x5C, 0x5D, 0x5F, 0x60, 0x68, 0x69, 0x6A, 0x6B, 0x76, 0x77,
        ])
    }

    /// i2cdetect and otolith find the same addresses.
    @Test(arguments: [(VirtualBench.i2c, "0"), (VirtualBench.smbus, "1")])
    func `a scan finds what i2cdetect finds`(path: String, number: String) throws {
      try BenchServer.serve(Boards.all)
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/sbin/i2cdetect")
      process.arguments = ["-y", number]
      process.standardOutput = output
      try process.run()
      let said = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      // A row is like `60: -- -- 68 --`; the addresses follow its name.
      let found = said.split(separator: "\n").dropFirst().flatMap { row in
        row.split(separator: " ").dropFirst().compactMap { UInt8($0, radix: 16) }
      }
      let adapter = try LinuxI2CAdapter(path: path)
      let ours = try (0x08...0x77 as ClosedRange<UInt8>).filter { try adapter.probe($0) }
      #expect(found == ours)
      #expect(ours.count == 14)
    }

    /// A burst longer than SMBus allows, from a FIFO: 8 KB in one message, the maximum of i2c-dev.
    @Test func `a burst of 8192 bytes is read, a longer one refused`() throws {
      try BenchServer.serve(Boards.all, hold: Self.held)
      let bus = try LinuxI2CBus(path: VirtualBench.i2c)
      #expect(bus.longestRead == 8192)
      // PWR_MGMT_1: awake with the gyroscope's clock. SMPLRT_DIV 0 with CONFIG 1: 1 kHz. USER_CTRL:
      // FIFO on. FIFO_EN: all sources.
      for line: [UInt8] in [
        [0x6B, 0x01], [0x1A, 0x01], [0x19, 0x00], [0x6A, 0x44], [0x23, 0xF8],
      ] {
        try write(line, to: 0x68, on: bus)
      }
      Thread.sleep(forTimeInterval: 0.2)
      try write([0x23, 0x00], to: 0x68, on: bus)
      let count = try bytes(2, from: 0x72, of: 0x68, on: bus)
      // The FIFO of 1024 bytes is full of frames of 14 bytes.
      #expect(Int(count[0]) << 8 | Int(count[1]) == 1024)
      let burst = try bytes(1024, from: 0x74, of: 0x68, on: bus)
      // Full scale 2 g: +16384 counts per g, with the opposite sign of Core Motion's. The oldest
      // frame may be incomplete after the overflow, the newest is complete.
      let frame = Array(burst.suffix(14))
      #expect(frame.prefix(2) == big(-0.31 * 16384))
      #expect(try bytes(8192, from: 0x75, of: 0x68, on: bus).first == 0x68)
      #expect(throws: BusError.tooLong(limit: 8192)) {
        try bytes(8193, from: 0x74, of: 0x68, on: bus)
      }
    }

    private func big(_ counts: Double) -> ArraySlice<UInt8> {
      let bits = UInt16(bitPattern: Int16(counts.rounded()))
      return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
    }

    /// SMBus transfers at most 32 bytes; more is rejected and not truncated, because long reads are
    /// mostly FIFOs.
    @Test func `SMBus moves 32 bytes, and refuses more`() throws {
      try BenchServer.serve(Boards.all, hold: Self.held)
      let free = try LinuxI2CBus(path: VirtualBench.i2c)
      let bus = try LinuxI2CBus(path: VirtualBench.smbus)
      #expect(!bus.adapter.functionality.contains(.i2c))
      #expect(bus.longestRead == 32)
      let block = try bytes(32, from: 0x00, of: 0x68, on: bus)
      #expect(block == (try bytes(32, from: 0x00, of: 0x68, on: free)))
      #expect(throws: BusError.tooLong(limit: 32)) { try bytes(33, from: 0x00, of: 0x68, on: bus) }
      // Adjacent registers may be read in pieces, if the caller states that they are adjacent.
      var long = [UInt8](repeating: 0, count: 80)
      var span = long.mutableSpan
      try bus.adapter.read(&span, after: 0x00, from: 0x68, advances: true)
      var other = try bytes(80, from: 0x00, of: 0x68, on: free)
      // A read clears INT_STATUS, whose data-ready flag rises without its interrupt enabled.
      (long[0x3A], other[0x3A]) = (0, 0)
      #expect(long == other)
      // Writes of one byte, two and more, verified through the other adapter.
      try write([0x6B, 0x01], to: 0x68, on: bus)
      try write([0x19, 0x01, 0x02, 0x08, 0x10], to: 0x68, on: bus)
      #expect(try bytes(4, from: 0x19, of: 0x68, on: free) == [0x01, 0x02, 0x08, 0x10])
    }

    /// A block as a driver writes it is one transaction on either adapter, and advances by register
    /// in the chip (RM-MPU-6000A-00 4.4 to 4.7: SMPLRT_DIV, CONFIG, GYRO_CONFIG, ACCEL_CONFIG).
    @Test(arguments: [VirtualBench.i2c, VirtualBench.smbus])
    func `a block is written in one transaction, 32 bytes at most`(path: String) throws {
      try BenchServer.serve(Boards.all, hold: Self.held)
      let free = try LinuxI2CBus(path: VirtualBench.i2c)
      try write([0x6B, 0x01], to: 0x68, on: free)
      var chip = I2CConnection(
        try LinuxI2CBus(path: path), address: 0x68, format: WireFormat())
      #expect(chip.longestWrite == 32)
      let block: [UInt8] = path == VirtualBench.i2c ? [3, 4, 0x10, 0x08] : [5, 6, 0x18, 0x18]
      try chip.write(block.span, to: 0x19)
      #expect(try bytes(4, from: 0x19, of: 0x68, on: free) == block)
      #expect(throws: BusError.tooLong(limit: 32)) {
        try chip.write([UInt8](repeating: 0, count: 33).span, to: 0x19)
      }
    }

    /// A board on an adapter that supports only SMBus: whole frames that fit into 32 bytes.
    @Test func `a board over SMBus loses nothing`() throws {
      try BenchServer.serve(Boards.all, hold: Self.held)
      let ours = try Ours.run(
        try Ours.board(
          "imu: { chip: 'invensense,mpu6050', on: smbus, address: 0x68, rate-hz: 200, read-by: fifo }",
          "compass: { chip: 'st,lis3mdl', on: smbus, address: 0x1C, rate-hz: 80 }",
          "air: { chip: 'bosch,bmp280', on: smbus, address: 0x76, rate-hz: 25 }"),
        seconds: 2)
      #expect(ours.samples(of: 0).count > 300)
      #expect(ours.samples(of: 1).count > 120)
      #expect(ours.samples(of: 2).count > 35)
      #expect(ours.report.allSatisfy { $0.health.busErrors == 0 && $0.health.missing == 0 })
    }

    /// Two chips of one kind on one bus, and three more: each delivers its own values.
    @Test func `of many chips on one bus each gives its own values`() throws {
      try BenchServer.serve(Boards.all, hold: Self.held)
      let ours = try Ours.run(
        try Ours.board(
          "one: { chip: 'st,lsm6ds3', on: i2c, address: 0x6B, rate-hz: 416, read-by: fifo }",
          "two: { chip: 'st,lsm6ds3tr-c', on: i2c, address: 0x6A, rate-hz: 416, read-by: fifo }",
          "three: { chip: 'st,lis3mdl', on: i2c, address: 0x1C, rate-hz: 80 }",
          "four: { chip: 'bosch,bmp280', on: i2c, address: 0x76, rate-hz: 25 }"),
        seconds: 2)
      #expect(ours.report.allSatisfy { $0.health.busErrors == 0 && $0.health.restarts == 0 })
      // If two chips sample the same channel, the first is used.
      #expect(ours.report[1].health.received > 600)
      let last = try #require(ours.samples(of: 0).last)
      // One count is 4 g over 32768.
      #expect(abs(last.acceleration.x - 0.31) < 4.0 / 32768)
      #expect(abs(last.acceleration.z + 0.79) < 4.0 / 32768)
    }
  }
}
