// SPDX-License-Identifier: Apache-2.0
public import Boards
public import Buses
public import ChipCatalog
public import LinuxBus
public import Simulation

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
  /// Their clocks in Hz, where anybody says them.
  public var clocks: [String: Int] = [:]
  /// Nodes that could not be opened.
  public var unopened: [OpenError] = []
  /// What the places that answered or are taken said to each chip that could be there, bus by bus.
  public var findings: [Finding] = []
  /// Addresses that answered and that no chip of the catalogue has, by bus.
  public var strangers: [String: [UInt8]] = [:]

  public init() {}

  /// Those that otolith can drive; one of each place.
  public var chips: [Finding] {
    var chips: [Finding] = []
    for finding in findings
    where finding.isSupported
      && !chips.contains(where: { $0.bus == finding.bus && $0.address == finding.address })
    {
      chips.append(finding)
    }
    return chips
  }
}

/// Looks for chips of the catalogue by reading their identity registers, and only those: such a read disturbs no other
/// device that is known.
public enum Detector {
  /// Looks on all buses of this machine.
  public static func look() -> Survey {
    var survey = Survey()
    for path in LinuxBuses.i2cPaths() {
      survey.buses.append(path)
      do throws(OpenError) { look(on: try BusProbe.i2c(path), &survey) } catch {
        survey.unopened.append(error)
      }
    }
    for path in LinuxBuses.spiPaths() {
      survey.buses.append(path)
      do throws(OpenError) { look(on: try BusProbe.spi(path), &survey) } catch {
        survey.unopened.append(error)
      }
    }
    return survey
  }

  /// Looks on the simulated buses of `board`, whose models live by `clock`, and on those that a trace answers for.
  public static func look(
    on board: Board, clock: any SimulationClock
  ) throws(SessionError) -> Survey {
    var survey = Survey()
    for description in board.buses where description.isSimulated {
      survey.buses.append(description.name)
      let bus = try BoardBuilder(board, clock: clock).models(on: description)
      look(on: .simulated(bus, description), &survey)
    }
    for description in board.buses where description.isTrace {
      survey.buses.append(description.name)
      look(on: .trace(of: board, description), &survey)
    }
    return survey
  }

  static func look(on probe: BusProbe, _ survey: inout Survey) {
    survey.clocks[probe.name] = probe.clock
    let entries = ChipCatalog.descriptions.filter { $0.wires.contains(probe.wire) }
    guard probe.wire == .i2c else {
      for entry in entries { ask(entry, nil, probe, &survey) }
      return
    }
    var known: Set<UInt8> = []
    for entry in entries { known.formUnion(entry.addresses) }
    for address in known.sorted() {
      for entry in entries where entry.addresses.contains(address) {
        ask(entry, address, probe, &survey)
      }
    }
    // The addresses that are not reserved (I2C specification, UM10204 section 3.1.12).
    let others = (UInt8(0x08)...0x77).filter {
      !known.contains($0) && probe.answers($0) == .success(true)
    }
    if !others.isEmpty { survey.strangers[probe.name] = others }
  }

  private static func ask(
    _ entry: ChipDescription, _ address: UInt8?, _ probe: BusProbe, _ survey: inout Survey
  ) {
    var finding = Finding(bus: probe.name, address: address, asked: entry)
    // Rows of one family are asked once.
    if let same = survey.findings.first(where: {
      $0.bus == probe.name && $0.address == address
        && $0.asked.identity.register == entry.identity.register
        && $0.asked.wireFormat == entry.wireFormat
    }) {
      finding.identity = same.identity
      finding.error = same.error
      finding.owner = same.owner
      survey.findings.append(finding)
      return
    }
    finding.owner = address.flatMap(probe.owner)
    if finding.owner == nil {
      switch probe.read(entry.identity.register, address ?? 0, entry.wireFormat) {
      case .success(let identity): finding.identity = identity
      case .failure(let error): finding.error = error
      }
    }
    // Silence at an address is the usual thing and no finding.
    if finding.error == .noAcknowledge { return }
    // A chip select with nothing behind it reads all zeros or all ones.
    if address == nil, finding.identity == 0x00 || finding.identity == 0xFF { return }
    survey.findings.append(finding)
  }
}
