// SPDX-License-Identifier: Apache-2.0
public import Runtime
public import Boards
public import ChipCatalog
public import LinuxBus
public import Registers

/// One address or chip select that answered, or that a known chip might be at.
public struct ChipFinding: Sendable {
  /// The device node.
  public var bus: String
  /// `nil` on SPI.
  public var address: UInt8?
  /// The kind of chip that was asked.
  public var asked: ChipDescription
  /// The identity register's value; `nil` where the read failed.
  public var identity: UInt8?
  public var error: BusError?
  /// The kernel's driver that owns the address, which was then left alone.
  public var owner: String?
  /// The bank of registers that the chip was left with by another program, where its identity is in
  /// another one; `nil` where that is shown, or there is one bank.
  public var bank: UInt8?
  /// The chip that this is one half of, and that has no driver: it answers as `asked` does.
  public var wholeChip: KnownChip?

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

  /// True where the driver accepts what was found.
  public var isSupported: Bool {
    wholeChip == nil && identity.map { asked.identity.supported.contains($0) } ?? false
  }
}

/// A chip that said what it is, and that otolith knows and does not drive.
public struct KnownFinding: Equatable, Sendable {
  /// The device node.
  public var bus: String
  public var address: UInt8
  public var chip: KnownChip
  /// The register that said it, and what it holds.
  public var register: UInt8
  public var identity: UInt8
}

/// The findings of a look at every bus of the machine.
public struct Survey: Sendable {
  /// The product that the HAT on the machine's header says it is.
  public var hat: String?
  /// The device nodes there are.
  public var buses: [String] = []
  /// Their clocks in Hz, where known.
  public var clocks: [String: Int] = [:]
  /// Nodes that could not be opened.
  public var unopened: [OpenError] = []
  /// The answers of places that answered or are taken, for each chip that could be there, bus by
  /// bus.
  public var findings: [ChipFinding] = []
  /// Chips that gave their identity, and that have no driver.
  public var known: [KnownFinding] = []
  /// Addresses that answered and whose chips are not known, by bus.
  public var strangers: [String: [UInt8]] = [:]

  public init() {}

  /// Those that otolith can drive; one of each place.
  public var chips: [ChipFinding] {
    var chips: [ChipFinding] = []
    for finding in findings
    where finding.isSupported
      && !chips.contains(where: { $0.bus == finding.bus && $0.address == finding.address })
    {
      chips.append(finding)
    }
    return chips
  }
}

/// Looks for chips of the catalogue, and for those that are only known, by reading their identity
/// registers, and only those: such a read disturbs no other device that is known (`KnownChips` says
/// why). Where the register that selects a bank of a chip's registers holds another bank and no
/// other bit, the first is selected for the time of that read.
public enum Detector {
  /// Looks on all buses of this machine.
  public static func look() -> Survey {
    var survey = Survey()
    survey.hat = LinuxBuses.hat()
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

  /// Looks on the simulated buses of `board`, whose models live by `clock`, and on those that a
  /// trace answers for.
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

  package static func look(on probe: BusProbe, _ survey: inout Survey) {
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
    var others = (UInt8(0x08)...0x77).filter {
      !known.contains($0) && probe.answers($0) == .success(true)
    }
    others.removeAll { askForKnown($0, probe, &survey) }
    if !others.isEmpty { survey.strangers[probe.name] = others }
    for address in known.sorted() {
      let here = survey.findings.filter { $0.bus == probe.name && $0.address == address }
      if !here.isEmpty, !here.contains(where: { $0.isSupported || $0.owner != nil }) {
        _ = askForKnown(address, probe, &survey)
      }
    }
    joinHalves(probe.name, &survey)
    preferHalves(probe.name, &survey)
  }

  /// A chip that says what another says is taken for a half where the other half of its package is
  /// on the bus, and it is the only one that can be it.
  private static func preferHalves(_ bus: String, _ survey: inout Survey) {
    let here = survey.findings.filter { $0.bus == bus && $0.isSupported }
    for other in Set(here.map(\.asked.name)) {
      let halves = here.filter { $0.asked.otherHalf == other }
      guard Set(halves.map(\.address)).count == 1, let half = halves.first else { continue }
      survey.findings.removeAll {
        $0.bus == bus && $0.address == half.address && $0.isSupported
          && $0.asked.name != half.asked.name
      }
    }
  }

  /// Returns true where a chip at `address` says that it is one that is known and not driven.
  private static func askForKnown(_ address: UInt8, _ probe: BusProbe, _ survey: inout Survey)
    -> Bool
  {
    if probe.owner(address) != nil { return false }
    var read: [UInt8: UInt8] = [:]
    for finding in survey.findings where finding.bus == probe.name && finding.address == address {
      read[finding.asked.identity.register] = finding.identity
    }
    for (chip, identity) in KnownChips.identities(at: address) {
      guard let register = identity.register else { continue }
      if read[register] == nil {
        // A chip that is merely known has ordinary registers: no bit of the address means anything
        // else.
        guard case .success(let byte) = probe.read(register, address, WireFormat()) else {
          continue
        }
        read[register] = byte
      }
      guard let byte = read[register], identity.values.contains(byte) else { continue }
      survey.known.append(
        KnownFinding(
          bus: probe.name, address: address, chip: chip, register: register, identity: byte))
      return true
    }
    return false
  }

  /// A part that answers at two addresses says at one of them what it is, and at the other it may
  /// look like a chip of the catalogue. Where two look so, it is not known which is the half, and
  /// both stay what they look like.
  private static func joinHalves(_ bus: String, _ survey: inout Survey) {
    for known in survey.known where known.bus == bus {
      for half in known.chip.identities where !half.addresses.contains(known.address) {
        let places = survey.findings.indices.filter { index in
          let finding = survey.findings[index]
          return finding.bus == bus && finding.isSupported
            && finding.asked.identity.register == half.register
            && half.values.contains(finding.identity ?? 0)
        }
        let addresses = Set(places.compactMap { survey.findings[$0].address })
        guard addresses.count == 1, let address = addresses.first, half.addresses.contains(address)
        else { continue }
        for index in places { survey.findings[index].wholeChip = known.chip }
      }
    }
  }

  /// Reads the identity where another program has left the chip with another bank shown.
  private static func lookBehindBank(
    _ entry: ChipDescription, _ probe: BusProbe, _ finding: inout ChipFinding
  ) {
    let (address, format) = (finding.address ?? 0, entry.wireFormat)
    guard let identity = finding.identity, !entry.identity.supported.contains(identity),
      // Another chip says by this what it is.
      ChipCatalog.part(register: entry.identity.register, holds: identity, at: finding.address)
        == nil,
      let window = ChipCatalog.entry(named: entry.name)?.registers()
        .first(where: { $0.place == FlatAddress(entry.identity.register) })?.window,
      window.contains(entry.identity.register),
      case .success(let selected) = probe.read(window.selector, address, format)
    else { return }
    let bank = window.bank(selectedBy: selected)
    guard bank != 0, window.contents(selecting: bank) == selected else { return }
    finding.bank = bank
    guard
      case .success = probe.write(
        window.contents(selecting: 0), window.selector, address, format)
    else { return }
    if case .success(let identity) = probe.read(entry.identity.register, address, format) {
      finding.identity = identity
    }
    _ = probe.write(selected, window.selector, address, format)
  }

  private static func ask(
    _ entry: ChipDescription, _ address: UInt8?, _ probe: BusProbe, _ survey: inout Survey
  ) {
    var finding = ChipFinding(bus: probe.name, address: address, asked: entry)
    // Rows of one family are asked once.
    if let same = survey.findings.first(where: {
      $0.bus == probe.name && $0.address == address
        && $0.asked.identity.register == entry.identity.register
        && $0.asked.wireFormat == entry.wireFormat
    }) {
      finding.identity = same.identity
      finding.error = same.error
      finding.owner = same.owner
      if finding.owner == nil { lookBehindBank(entry, probe, &finding) }
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
    lookBehindBank(entry, probe, &finding)
    // Silence at an address is the usual thing and no finding.
    if finding.error == .noAcknowledge { return }
    // A chip select with nothing behind it reads all zeros or all ones.
    if address == nil, finding.identity == 0x00 || finding.identity == 0xFF { return }
    survey.findings.append(finding)
  }
}
