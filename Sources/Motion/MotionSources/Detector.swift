// SPDX-License-Identifier: Apache-2.0
public import Runtime
public import Simulation
public import Boards
public import ChipCatalog
package import KernelSensors
public import LinuxBus
public import Registers

/// An address or chip select that responded or is in use, with a known chip that may be there.
public struct ChipFinding: Sendable {
  /// The device node of the bus.
  public var bus: String
  /// The I2C address; `nil` for SPI.
  public var address: UInt8?
  /// The kind of chip that was tested.
  public var candidate: ChipDescription
  /// The value of the candidate's identity register; `nil` if reading it failed.
  public var identity: UInt8?
  public var error: BusError?
  /// The kernel driver that owns the address, which was therefore not read; `nil` if no driver owns
  /// the address.
  public var owner: String?
  /// The register bank that another program has left selected, if it is not the bank of the
  /// identity register; otherwise `nil`.
  public var bank: UInt8?
  /// The unsupported chip of which the chip at this address is one half; that half responds like
  /// `candidate`.
  public var wholeChip: KnownChip?

  package init(
    bus: String, address: UInt8?, candidate: ChipDescription, identity: UInt8? = nil,
    error: BusError? = nil, owner: String? = nil
  ) {
    self.bus = bus
    self.address = address
    self.candidate = candidate
    self.identity = identity
    self.error = error
    self.owner = owner
  }

  /// True if otolith's driver accepts the identity.
  public var isSupported: Bool {
    wholeChip == nil && identity.map { candidate.identity.supported.contains($0) } ?? false
  }
}

/// A chip that was identified, but for which otolith has no driver.
public struct KnownFinding: Equatable, Sendable {
  /// The device node of the bus.
  public var bus: String
  public var address: UInt8
  public var chip: KnownChip
  /// The address of the identity register, and its value.
  public var register: UInt8
  public var identity: UInt8
}

/// The result of searching all buses of the machine.
public struct DetectionResult: Sendable {
  /// The product name in the memory of the HAT on the header; `nil` without a HAT.
  public var hat: String?
  /// The device nodes that exist.
  public var buses: [String] = []
  /// The clocks of the buses in Hz, as far as they are known.
  public var clocks: [String: Int] = [:]
  /// The device nodes that could not be opened.
  public var unopened: [OpenError] = []
  /// The results for addresses that responded or are in use, sorted by bus. An address has one
  /// result for each chip that may be there.
  public var findings: [ChipFinding] = []
  /// The identified chips for which otolith has no driver.
  public var known: [KnownFinding] = []
  /// The addresses at which an unknown chip responded, by bus.
  public var strangers: [String: [UInt8]] = [:]
  /// The sensors that drivers of the kernel read.
  package var kernelSensors: [KernelSensor] = []

  public init() {}

  /// The supported chips, one for each address.
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

/// A search for chips that otolith knows, with and without a driver, by their identity registers.
/// Reading these registers disturbs no known device (see `KnownChips`). If a bank register selects
/// another bank and has no other bits, the first bank is selected during the read.
public enum Detector {
  /// Searches all buses of this machine for chips.
  public static func detect() -> DetectionResult {
    var result = DetectionResult()
    result.hat = LinuxBuses.hat()
    result.kernelSensors = KernelSensor.all()
    for path in LinuxBuses.i2cPaths() {
      result.buses.append(path)
      do throws(OpenError) { detect(on: try BusProbe.i2c(path), &result) } catch {
        result.unopened.append(error)
      }
    }
    for path in LinuxBuses.spiPaths() {
      result.buses.append(path)
      do throws(OpenError) { detect(on: try BusProbe.spi(path), &result) } catch {
        result.unopened.append(error)
      }
    }
    return result
  }

  /// Searches the simulated buses of `board`, whose models use `clock`, and the buses of its trace.
  public static func detect(
    on board: Board, clock: any SimulationClock
  ) throws(SessionError) -> DetectionResult {
    var result = DetectionResult()
    for description in board.buses where description.isSimulated {
      result.buses.append(description.name)
      let bus = try BoardBuilder(board, clock: clock).models(on: description)
      detect(on: .simulated(bus, description), &result)
    }
    for description in board.buses where description.isTrace {
      result.buses.append(description.name)
      detect(on: .trace(of: board, description), &result)
    }
    return result
  }

  package static func detect(on probe: BusProbe, _ result: inout DetectionResult) {
    result.clocks[probe.name] = probe.clock
    let entries = ChipCatalog.descriptions.filter { $0.wires.contains(probe.wire) }
    guard probe.wire == .i2c else {
      for entry in entries { ask(entry, nil, probe, &result) }
      return
    }
    var known: Set<UInt8> = []
    for entry in entries { known.formUnion(entry.addresses) }
    for address in known.sorted() {
      for entry in entries where entry.addresses.contains(address) {
        ask(entry, address, probe, &result)
      }
    }
    // Try all addresses that are not reserved (I2C specification, UM10204 section 3.1.12).
    var others = (UInt8(0x08)...0x77).filter {
      !known.contains($0) && probe.answers($0) == .success(true)
    }
    others.removeAll { askForKnown($0, probe, &result) }
    if !others.isEmpty { result.strangers[probe.name] = others }
    for address in known.sorted() {
      let here = result.findings.filter { $0.bus == probe.name && $0.address == address }
      if !here.isEmpty, !here.contains(where: { $0.isSupported || $0.owner != nil }) {
        _ = askForKnown(address, probe, &result)
      }
    }
    joinHalves(probe.name, &result)
    preferHalves(probe.name, &result)
  }

  /// Chooses between chips with the same identity at one address. A chip that is half of a package
  /// is preferred if the package's other half is on the bus and no other address responds like this
  /// chip.
  private static func preferHalves(_ bus: String, _ result: inout DetectionResult) {
    let here = result.findings.filter { $0.bus == bus && $0.isSupported }
    for other in Set(here.map(\.candidate.name)) {
      let halves = here.filter { $0.candidate.otherHalf == other }
      guard Set(halves.map(\.address)).count == 1, let half = halves.first else { continue }
      result.findings.removeAll {
        $0.bus == bus && $0.address == half.address && $0.isSupported
          && $0.candidate.name != half.candidate.name
      }
    }
  }

  /// Returns true if the chip at `address` is a chip that otolith knows, but has no driver for.
  private static func askForKnown(
    _ address: UInt8, _ probe: BusProbe, _ result: inout DetectionResult
  )
    -> Bool
  {
    if probe.owner(address) != nil { return false }
    var read: [UInt8: UInt8] = [:]
    for finding in result.findings where finding.bus == probe.name && finding.address == address {
      read[finding.candidate.identity.register] = finding.identity
    }
    for (chip, identity) in KnownChips.identities(at: address) {
      guard let register = identity.register else { continue }
      if read[register] == nil {
        // These chips have plain registers: no bit of the register address has another meaning.
        guard case .success(let byte) = probe.read(register, address, WireFormat()) else {
          continue
        }
        read[register] = byte
      }
      guard let byte = read[register], identity.values.contains(byte) else { continue }
      result.known.append(
        KnownFinding(
          bus: probe.name, address: address, chip: chip, register: register, identity: byte))
      return true
    }
    return false
  }

  /// Marks the halves of two-address parts that have no driver. Such a part has its identity at one
  /// address, and may look like a supported chip at its other address. If two chips look like that
  /// half, neither is marked.
  private static func joinHalves(_ bus: String, _ result: inout DetectionResult) {
    for known in result.known where known.bus == bus {
      for half in known.chip.identities where !half.addresses.contains(known.address) {
        let places = result.findings.indices.filter { index in
          let finding = result.findings[index]
          return finding.bus == bus && finding.isSupported
            && finding.candidate.identity.register == half.register
            && half.values.contains(finding.identity ?? 0)
        }
        let addresses = Set(places.compactMap { result.findings[$0].address })
        guard addresses.count == 1, let address = addresses.first, half.addresses.contains(address)
        else { continue }
        for index in places { result.findings[index].wholeChip = known.chip }
      }
    }
  }

  /// Reads the identity register again in its own bank, if another program has left a different
  /// bank selected.
  private static func readBehindBank(
    _ entry: ChipDescription, _ probe: BusProbe, _ finding: inout ChipFinding
  ) {
    let (address, format) = (finding.address ?? 0, entry.wireFormat)
    guard let identity = finding.identity, !entry.identity.supported.contains(identity),
      // Skip an identity that belongs to another chip.
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
    _ entry: ChipDescription, _ address: UInt8?, _ probe: BusProbe, _ result: inout DetectionResult
  ) {
    var finding = ChipFinding(bus: probe.name, address: address, candidate: entry)
    // Chips whose identity register has the same address share one read.
    if let same = result.findings.first(where: {
      $0.bus == probe.name && $0.address == address
        && $0.candidate.identity.register == entry.identity.register
        && $0.candidate.wireFormat == entry.wireFormat
    }) {
      finding.identity = same.identity
      finding.error = same.error
      finding.owner = same.owner
      if finding.owner == nil { readBehindBank(entry, probe, &finding) }
      result.findings.append(finding)
      return
    }
    finding.owner = address.flatMap(probe.owner)
    if finding.owner == nil {
      switch probe.read(entry.identity.register, address ?? 0, entry.wireFormat) {
      case .success(let identity): finding.identity = identity
      case .failure(let error): finding.error = error
      }
    }
    readBehindBank(entry, probe, &finding)
    // An address without a response is normal, so there is nothing to report.
    if finding.error == .noAcknowledge { return }
    // A chip select without a chip reads as all zeros or all ones.
    if address == nil, finding.identity == 0x00 || finding.identity == 0xFF { return }
    result.findings.append(finding)
  }
}
