// SPDX-License-Identifier: Apache-2.0
package import Boards
package import ChipCatalog
package import Quantities
package import Registers
package import MotionSources
package import Runtime
internal import Sensors

/// A chip opened only for access to its registers, without a driver. While it is open, other
/// programs cannot open it.
package final class ChipAccess {
  package let placement: ChipPlacement
  /// The catalogue entry for the chip's identity, or for `treat-as`. If the identity is unknown,
  /// this is the entry of the chip in the board file.
  package let entry: CatalogEntry
  /// The value of the identity register.
  package let identity: UInt8
  private let port: any ChipPort
  private let claim: Claim?
  /// The chip's driver; `nil` until it is started.
  private var driver: (any ChipDriver)?

  init(
    _ placement: ChipPlacement, _ named: CatalogEntry, _ port: any ChipPort, claim: Claim?
  ) throws(BusError) {
    self.placement = placement
    self.port = port
    self.claim = claim
    let register = named.description.identity.register
    // Read the identity register once in advance: some chips select SPI at the first rising edge of
    // chip select, and respond only from the second frame on.
    _ = try? port.read(register)
    // Select the identity register's bank first, because a previous program may have selected
    // another bank.
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

  /// True if the chip's driver accepts the identity.
  package var isKnown: Bool {
    entry.description.identity.supported.contains(placement.settings.assumedIdentity ?? identity)
  }

  package func read(_ register: UInt8) throws(BusError) -> UInt8 { try port.read(register) }

  package func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try port.write(value, to: register)
  }

  /// Reads the register of `row`, which may have any width and bank, and restores the selected
  /// bank.
  package func read(_ row: RegisterRow) throws(BusError) -> UInt16 {
    try PortRegisters(port).read(row)
  }

  /// Writes the register of `row`, which may have any width and bank, and restores the selected
  /// bank.
  package func write(_ value: UInt16, to row: RegisterRow) throws(BusError) {
    try PortRegisters(port).write(value, to: row)
  }

  /// Stops a chip that `startDriver` started.
  package func stopDriver() throws(ChipError) { try driver?.stop() }

  /// Starts the chip's driver with the board file's settings. Returns when the driver delivers
  /// samples or has failed three times. `wait` is called to let time pass.
  package func startDriver(wait: (TimeSpan) -> Void) throws(ChipError) {
    let driver = entry.driver(HostConnection(port))
    self.driver = driver
    _ = try driver.configure(placement.settings)
    driver.start()
    var batch = RawBatch()
    var loop = DriverLoop()
    var failures = 0
    // After 5 s without a sample, stop waiting. The registers then show the chip's state.
    let end = driver.now + .seconds(5)
    while batch.frames == 0, driver.now < end {
      batch.removeAll()
      do throws(ChipError) {
        loop.take(try driver.step(.due, into: &batch), at: driver.now)
        // A chip in detection mode delivers no samples. It counts as running once its driver waits
        // for an edge.
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
  /// Opens only the chip called `name`, for access to its registers; returns `nil` if the board has
  /// no such chip.
  package func open(_ name: String) throws(SessionError) -> Result<ChipAccess, BusError>? {
    guard let chip = board.chips.first(where: { $0.name == name }),
      let description = board.bus(chip.bus)
    else { return nil }
    // Register access does not use the interrupt line.
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
