// SPDX-License-Identifier: Apache-2.0
package import Boards
package import ChipCatalog
package import Quantities
package import Registers
package import MotionSources
package import Runtime
internal import Sensors

/// One chip of a board, opened only for its registers: no driver is running. Other programs cannot
/// open it meanwhile.
package final class ChipAccess {
  package let placement: ChipPlacement
  /// The catalogue entry for its identity, or for `treat-as`; the board file's where the identity
  /// is unknown.
  package let entry: CatalogEntry
  /// The identity register's value.
  package let identity: UInt8
  private let port: any ChipPort
  private let claim: Claim?
  /// The driver, once started.
  private var driver: (any ChipDriver)?

  init(
    _ placement: ChipPlacement, _ named: CatalogEntry, _ port: any ChipPort, claim: Claim?
  ) throws(BusError) {
    self.placement = placement
    self.port = port
    self.claim = claim
    let register = named.description.identity.register
    // Some chips select SPI at the first rise of their chip select and respond from the second
    // frame on.
    _ = try? port.read(register)
    // The previous program may have left another bank selected.
    let row = named.registers().first { $0.place == FlatAddress(register) }
    if let row {
      identity = UInt8(truncatingIfNeeded: try PortRegisters(port).read(row))
    } else {
      identity = try port.read(register)
    }
    let wanted = placement.settings.assumedIdentity ?? identity
    entry =
      ChipCatalog.entries.first {
        $0.description.family == named.description.family
          && $0.description.identity.supported.contains(wanted)
      } ?? named
  }

  /// True if the driver accepts the identity.
  package var isKnown: Bool {
    entry.description.identity.supported.contains(placement.settings.assumedIdentity ?? identity)
  }

  package func read(_ register: UInt8) throws(BusError) -> UInt8 { try port.read(register) }

  package func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try port.write(value, to: register)
  }

  /// Reads the register of `row`, of any width and bank. The selected bank is restored.
  package func read(_ row: RegisterRow) throws(BusError) -> UInt16 {
    try PortRegisters(port).read(row)
  }

  /// Writes the register of `row`, of any width and bank. The selected bank is restored.
  package func write(_ value: UInt16, to row: RegisterRow) throws(BusError) {
    try PortRegisters(port).write(value, to: row)
  }

  /// Stops a chip that `startDriver` started.
  package func stopDriver() throws(ChipError) { try driver?.stop() }

  /// Starts the chip with its driver and the board file's settings, using `wait` for time, until it
  /// gives samples or has failed three times.
  package func startDriver(wait: (TimeSpan) -> Void) throws(ChipError) {
    let driver = entry.driver(HostConnection(port))
    self.driver = driver
    _ = try driver.configure(placement.settings)
    driver.start()
    var batch = RawBatch()
    var loop = DriverLoop()
    var failures = 0
    // A chip without a sample by then runs anyway, or never will: its registers show it.
    let end = driver.now + .seconds(5)
    while batch.frames == 0, driver.now < end {
      batch.removeAll()
      do throws(ChipError) {
        loop.take(try driver.step(.due, into: &batch), at: driver.now)
        // A chip that waits for an edge from a detection runs, without samples.
        let isDetecting = loop.waitsForEdge && placement.settings.acquisition == .detections
        if loop.isOver || isDetecting { return }
        wait(max(loop.due - driver.now, .zero))
      } catch {
        failures += 1
        if failures == 3 { throw error }
        wait(.milliseconds(20))
      }
    }
  }
}

extension BoardBuilder {
  /// Opens only the chip called `name`, for its registers; `nil` if the board has no such chip.
  package func open(_ name: String) throws(SessionError) -> Result<ChipAccess, BusError>? {
    guard let chip = board.chips.first(where: { $0.name == name }),
      let description = board.bus(chip.bus)
    else { return nil }
    // Registers need no interrupt line.
    let all = try reach(description, usesInterrupt: false) {
      $0.name == name || description.isSimulated
    }
    guard let found = all.first(where: { $0.placement.name == name }) else { return nil }
    do throws(BusError) {
      return .success(
        try ChipAccess(found.placement, found.entry, found.port, claim: found.claim))
    } catch { return .failure(error) }
  }
}
