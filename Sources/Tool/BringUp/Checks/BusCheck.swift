// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog
internal import LinuxBus
internal import Runtime

/// A check of this machine's buses: which transfers they support, and who may open their device
/// nodes.
package enum BusCheck {
  /// The permissions of a device node.
  package struct Access: Equatable, Codable, Sendable {
    package var group: String
    /// The permissions in the notation of chmod(1), such as `660`.
    package var permissions: String
    package var mayOpen: Bool
  }

  /// A device that a kernel driver uses.
  package struct Owner: Equatable, Codable, Sendable {
    /// The address or chip select, such as `0x68` or `spi0.0`.
    package var place: String
    package var driver: String
  }

  package struct I2C: Equatable, Codable, Sendable {
    /// The device node; for a simulated bus, its name in the board file.
    package var path: String
    /// The kernel's name for the adapter.
    package var adapter: String?
    /// The clock of the bus in Hz; `nil` if unknown.
    package var clockHz: Int?
    /// The transfers that the adapter supports, as text; empty if unknown.
    package var functionality: [String] = []
    /// The missing transfers and their consequences; `nil` if all required transfers are supported.
    package var limitation: String?
    package var access: Access?
    package var owners: [Owner] = []
    /// The reason why the bus cannot be opened; `nil` if it can be opened.
    package var failure: String?
  }

  package struct SPI: Equatable, Codable, Sendable {
    /// The device node; if there is none, the chip select's name in sysfs.
    package var path: String
    package var driver: String?
    package var clockHz: Int?
    package var access: Access?
    /// The reason why the chip select cannot be used; `nil` if it can be used.
    package var failure: String?
  }

  package struct Line: Equatable, Codable, Sendable {
    package var name: String
    package var consumer: String
  }

  package struct GPIO: Equatable, Codable, Sendable {
    package var path: String
    package var label: String
    package var lines: Int
    package var used: [Line] = []
    package var access: Access?
    package var failure: String?
  }

  package struct Result: Equatable, Codable, Sendable {
    package var i2c: [I2C] = []
    package var spi: [SPI] = []
    package var gpio: [GPIO] = []
    package var findings: [Finding] = []

    /// True if there is no usable bus.
    package var isEmpty: Bool { i2c.isEmpty && spi.isEmpty }
  }

  /// Checks the buses of this machine. With `board`, only the buses in the board's file are
  /// checked, including simulated buses.
  package static func run(_ board: Board? = nil) -> Result {
    var result = Result()
    guard let board else {
      result.i2c = LinuxBuses.i2cPaths().map(adapter)
      let nodes = LinuxBuses.spiPaths()
      result.spi = nodes.map(chipSelect)
      for device in LinuxBuses.spiDevices()
      where device.driver != "spidev" {
        result.spi.append(
          SPI(
            path: device.name, driver: device.driver,
            failure: device.driver == nil
              ? "no driver has it, so it has no node: give it to spidev"
              : "a driver of the kernel has it"))
      }
      result.gpio = LinuxBuses.gpioPaths().map(lines)
      if result.isEmpty {
        result.findings.append(
          Finding(
            .busMissing, of: nil, "there is no /dev/i2c-* and no /dev/spidev* on this machine",
            explanation: "I2C and SPI are not switched on, or this machine has neither"))
      }
      return result
    }
    for bus in board.buses { add(bus, of: board, to: &result) }
    if board.chips.contains(where: { $0.interrupt.map { $0.line != .simulated } ?? false }) {
      result.gpio = LinuxBuses.gpioPaths().map(lines)
    }
    return result
  }

  private static func add(_ bus: BusDescription, of board: Board, to result: inout Result) {
    switch bus.connection {
    case .simulated(.i2c, _, let speed):
      result.i2c.append(
        I2C(
          path: bus.name, adapter: "simulated", clockHz: speed,
          functionality: words(.all)))
    case .simulated(.spi, _, let speed):
      result.spi.append(SPI(path: bus.name, driver: "simulated", clockHz: speed))
    case .trace where bus.wire == .i2c:
      result.i2c.append(I2C(path: bus.name, adapter: "recorded", functionality: words(.all)))
    case .trace: result.spi.append(SPI(path: bus.name, driver: "recorded"))
    case .i2c(let path):
      guard DeviceNode(path) != nil else { return missing(bus, path, &result) }
      let found = adapter(path)
      result.i2c.append(found)
      if let failure = found.failure { refuse(bus, path, failure, found.access, &result) }
      for chip in board.chips(on: bus.name) {
        guard let address = chip.address,
          let owner = found.owners.first(where: { $0.place == address.hexadecimal })
        else { continue }
        result.findings.append(
          Finding(
            .taken, of: chip.name,
            "the kernel's driver \(owner.driver) has \(owner.place) on \(path)"))
      }
    case .spi(let path, _, _):
      guard DeviceNode(path) != nil else { return missing(bus, path, &result) }
      let found = chipSelect(path)
      result.spi.append(found)
      if let failure = found.failure { refuse(bus, path, failure, found.access, &result) }
    }
  }

  private static func missing(_ bus: BusDescription, _ path: String, _ result: inout Result) {
    let kind: DeviceKind = bus.wire == .i2c ? .i2c : .spi
    let error: OpenError? =
      kind == .i2c
      ? failure { () throws(OpenError) in _ = try LinuxI2CAdapter(path: path) }
      : failure { () throws(OpenError) in _ = try LinuxSPI(path: path, mode: 3, speed: 1_000_000) }
    let cause: Cause
    if case .busy = error?.cause { cause = .taken } else { cause = .busMissing }
    result.findings.append(
      Finding(
        cause, of: bus.name, on: bus.wire, error?.description ?? "\(path) does not exist"))
  }

  private static func refuse(
    _ bus: BusDescription, _ path: String, _ failure: String, _ access: Access?,
    _ result: inout Result
  ) {
    result.findings.append(
      Finding(
        access?.mayOpen == false ? .permission : .busMissing, of: bus.name, on: bus.wire, failure))
  }

  // MARK: Single checks

  private static func adapter(_ path: String) -> I2C {
    var bus = I2C(
      path: path, adapter: LinuxBuses.adapterName(path), clockHz: LinuxBuses.busClock(path),
      access: access(path))
    bus.owners = LinuxBuses.i2cDevices(path).compactMap { address, device in
      device.driver.map { Owner(place: address.hexadecimal, driver: $0) }
    }
    do throws(OpenError) {
      let open = try LinuxI2CAdapter(path: path)
      bus.functionality = words(open.functionality)
      bus.limitation = limitation(open.functionality)
    } catch { bus.failure = error.description }
    return bus
  }

  /// Checks a chip select without opening it, because opening sets the SPI mode and another program
  /// may be using it.
  private static func chipSelect(_ path: String) -> SPI {
    let access = access(path)
    var failure: String?
    if access?.mayOpen == false {
      failure = OpenError(.spi, path, errno: 13).description
    }
    return SPI(path: path, driver: "spidev", access: access, failure: failure)
  }

  private static func lines(_ path: String) -> GPIO {
    var chip = GPIO(path: path, label: "", lines: 0, access: access(path))
    do throws(OpenError) {
      let all = try LinuxBuses.gpioLines(path)
      chip.lines = all.count
      chip.label = LinuxBuses.gpioChips().first { $0.path == path }?.label ?? ""
      chip.used = all.compactMap { line in
        line.consumer.map {
          Line(
            name: line.name.isEmpty ? "line \(line.offset)" : line.name,
            consumer: $0.isEmpty ? "the kernel" : $0)
        }
      }
    } catch { chip.failure = error.description }
    return chip
  }

  private static func access(_ path: String) -> Access? {
    DeviceNode(path).map {
      Access(
        group: $0.group, permissions: String($0.permissions, radix: 8), mayOpen: $0.mayOpen)
    }
  }

  private static func failure(_ body: () throws(OpenError) -> Void) -> OpenError? {
    do throws(OpenError) {
      try body()
      return nil
    } catch { return error }
  }

  // MARK: Functionality

  /// Returns the transfers that the adapter supports, as text.
  static func words(_ functionality: I2CFunctionality) -> [String] {
    let table: [(I2CFunctionality, String)] = [
      (.i2c, "I2C"), (.quick, "quick"), (.readByte, "read byte"), (.writeByte, "write byte"),
      (.readByteData, "read register"), (.writeByteData, "write register"),
      (.readBlock, "read block"), (.writeBlock, "write block"),
    ]
    return table.filter { functionality.contains($0.0) }.map(\.1)
  }

  /// Returns a message that names the transfers that the adapter does not support; `nil` if it
  /// supports all.
  static func limitation(_ functionality: I2CFunctionality) -> String? {
    if functionality.contains(.i2c) { return nil }
    if functionality.isSuperset(of: [.readBlock, .writeByteData]) {
      return
        "SMBus only: at most 32 bytes a read, so FIFOs are read in pieces and need more of the bus"
    }
    if functionality.isSuperset(of: [.readByteData, .writeByteData]) {
      return
        "SMBus bytes only: one register a transfer, too slow for samples and impossible for FIFOs"
    }
    return "no combined transfers: registers cannot be read"
  }
}

extension I2CFunctionality {
  /// The transfers that otolith uses.
  fileprivate static let all: I2CFunctionality = [
    .i2c, .quick, .readByte, .writeByte, .readByteData, .writeByteData, .readBlock, .writeBlock,
  ]
}
