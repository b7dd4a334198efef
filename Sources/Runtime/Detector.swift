// SPDX-License-Identifier: Apache-2.0
public import Buses
public import ChipCatalog
public import LinuxBus
internal import Registers

/// One address or chip select that answered, or that a known chip might be at.
public struct Finding: Sendable {
  /// The device node.
  public var bus: String
  /// `nil` on SPI.
  public var address: UInt8?
  /// The kind of chip that was asked.
  public var asked: ChipDescription
  /// What its identity register held; `nil` where the read failed.
  public var identity: UInt8?
  public var error: BusError?
  /// The kernel's driver that owns the address, which was then left alone.
  public var owner: String?

  package init(
    bus: String, address: UInt8?, asked: ChipDescription, identity: UInt8? = nil,
    error: BusError? = nil, owner: String? = nil
  ) {
    self.bus = bus
    self.address = address
    self.asked = asked
    self.identity = identity
    self.error = error
    self.owner = owner
  }

  /// Whether the driver accepts what was found.
  public var isSupported: Bool {
    identity.map { asked.identity.supported.contains($0) } ?? false
  }
}

/// What a look at every bus of the machine found.
public struct Survey: Sendable {
  /// The device nodes there are.
  public var buses: [String] = []
  /// Nodes that could not be opened.
  public var unopened: [OpenError] = []
  /// Places that answered or are taken, bus by bus.
  public var findings: [Finding] = []

  public init() {}

  /// Those that otolith can drive.
  public var chips: [Finding] { findings.filter(\.isSupported) }
}

/// Looks for chips of the catalogue by reading their identity registers, and only those: such a read disturbs no other
/// device that is known.
public enum Detector {
  public static func look() -> Survey {
    var detection = Survey()
    for path in LinuxBuses.i2cPaths() {
      detection.buses.append(path)
      do throws(OpenError) {
        let adapter = try LinuxI2CAdapter(path: path)
        look(at: adapter, &detection)
      } catch { detection.unopened.append(error) }
    }
    for path in LinuxBuses.spiPaths() {
      detection.buses.append(path)
      do throws(OpenError) { try lookAtSPI(path, &detection) } catch {
        detection.unopened.append(error)
      }
    }
    // Where a chip is known, what else could have been there is no news.
    let known = detection.chips
    detection.findings.removeAll { finding in
      !finding.isSupported
        && known.contains { $0.bus == finding.bus && $0.address == finding.address }
    }
    return detection
  }

  private static func look(at adapter: LinuxI2CAdapter, _ detection: inout Survey) {
    for entry in ChipCatalog.entries where entry.description.wires.contains(.i2c) {
      for address in entry.description.addresses {
        var finding = Finding(
          bus: adapter.path, address: address, asked: entry.description, identity: nil, error: nil,
          owner: adapter.ownerDriver(of: address))
        if finding.owner == nil {
          var connection = I2CConnection(
            LinuxI2CBus(adapter), address: address, format: entry.description.wireFormat)
          do throws(BusError) {
            finding.identity = try identity(&connection, entry.description)
          } catch { finding.error = error }
        }
        // Silence at an address is the usual thing and no finding.
        if finding.error != .noAcknowledge { detection.findings.append(finding) }
      }
    }
  }

  private static func lookAtSPI(_ path: String, _ detection: inout Survey) throws(OpenError) {
    for entry in ChipCatalog.entries where entry.description.wires.contains(.spi) {
      // 1 MHz is within every chip's limit for any register; mode 3 is what all of them take.
      let device = try LinuxSPI(path: path, mode: 3, speed: 1_000_000)
      var connection = SPIConnection(device, format: entry.description.wireFormat)
      var finding = Finding(
        bus: path, address: nil, asked: entry.description, identity: nil, error: nil, owner: nil)
      do throws(BusError) {
        finding.identity = try identity(&connection, entry.description)
      } catch { finding.error = error }
      // A chip select with nothing behind it reads all zeros or all ones.
      if finding.identity != 0x00, finding.identity != 0xFF { detection.findings.append(finding) }
    }
  }

  private static func identity(
    _ connection: inout some RegisterBus & ~Copyable, _ chip: ChipDescription
  ) throws(BusError) -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    try connection.read(&span, from: chip.identity.register)
    return bytes[0]
  }
}
