// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Testing

@Suite struct LinuxBusesTests {
  func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("otolith-sys-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  @Test func `paths are in numerical order`() throws {
    try withDirectory { directory in
      for name in ["i2c-10", "i2c-2", "i2c-imu", "i2c-", "spidev1.0", "spidev0.10", "spidev0.2"] {
        try Data().write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
      }
      #expect(
        LinuxBuses.paths(in: directory, prefix: "i2c-")
          == ["\(directory)/i2c-2", "\(directory)/i2c-10"])
      #expect(
        LinuxBuses.paths(in: directory, prefix: "spidev")
          == ["spidev0.2", "spidev0.10", "spidev1.0"].map { "\(directory)/\($0)" })
      #expect(LinuxBuses.paths(in: "\(directory)/none", prefix: "i2c-").isEmpty)
    }
  }

  @Test func `the bus clock is a big-endian cell`() throws {
    try withDirectory { directory in
      let node = "\(directory)/class/i2c-adapter/i2c-1/of_node"
      try FileManager.default.createDirectory(atPath: node, withIntermediateDirectories: true)
      let file = URL(fileURLWithPath: "\(node)/clock-frequency")
      try Data([0x00, 0x06, 0x1A, 0x80]).write(to: file)
      #expect(LinuxBuses.busClock("i2c-1", sysfs: directory) == 400_000)
      try Data([0x06, 0x1A, 0x80]).write(to: file)
      #expect(LinuxBuses.busClock("i2c-1", sysfs: directory) == nil)
      #expect(LinuxBuses.busClock("i2c-2", sysfs: directory) == nil)
    }
  }

  @Test func `a HAT's product is read as text that ends with a zero`() throws {
    try withDirectory { directory in
      #expect(LinuxBuses.hat(deviceTree: directory) == nil)
      try FileManager.default.createDirectory(
        atPath: "\(directory)/hat", withIntermediateDirectories: true)
      let file = URL(fileURLWithPath: "\(directory)/hat/product")
      try Data("Sense HAT\0".utf8).write(to: file)
      #expect(LinuxBuses.hat(deviceTree: directory) == "Sense HAT")
      // Characters that would move a terminal's cursor are removed.
      try Data("A\u{1B}[2JB\n".utf8).write(to: file)
      #expect(LinuxBuses.hat(deviceTree: directory) == "A[2JB")
      try Data([0]).write(to: file)
      #expect(LinuxBuses.hat(deviceTree: directory) == nil)
    }
  }

  @Test func `a device's name in sysfs has bus and address`() {
    #expect(i2cDeviceName(1, 0x68) == "1-0068")
    #expect(i2cDeviceName(22, 0x0C) == "22-000c")
  }
}
