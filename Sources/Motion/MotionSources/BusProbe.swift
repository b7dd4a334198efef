// SPDX-License-Identifier: Apache-2.0
package import Simulation
internal import BusTraces
package import Boards
public import ChipCatalog
package import LinuxBus
public import Registers

/// A real or simulated bus on which chips are searched for.
public struct BusProbe {
  /// The device node of the bus, or its name in the board file.
  public var name: String
  public var wire: Wire
  /// The clock of the bus in Hz; `nil` if unknown.
  public var clock: Int?
  /// Returns the kernel driver that owns an I2C address; `nil` if no driver owns it.
  public var owner: (UInt8) -> String?
  /// Returns true if a device acknowledges the I2C address, or the error that prevents the test.
  public var answers: (UInt8) -> Result<Bool, BusError>
  /// Reads one register of a chip whose registers are addressed in `format`.
  public var read:
    (_ register: UInt8, _ address: UInt8, _ format: WireFormat) -> Result<UInt8, BusError>
  /// Writes one register of a chip; fails with `.unsupported` if the bus cannot be written.
  public var write:
    (_ value: UInt8, _ register: UInt8, _ address: UInt8, _ format: WireFormat)
      -> Result<Void, BusError>

  private static func put(
    _ value: UInt8, _ register: UInt8, of connection: inout some RegisterBus & ~Copyable
  ) -> Result<Void, BusError> {
    let bytes: InlineArray<1, UInt8> = [value]
    do throws(BusError) { return .success(try connection.write(bytes.span, to: register)) } catch {
      return .failure(error)
    }
  }

  private static func byte(
    _ register: UInt8, of connection: inout some RegisterBus & ~Copyable
  ) -> Result<UInt8, BusError> {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    do throws(BusError) { try connection.read(&span, from: register) } catch {
      return .failure(error)
    }
    return .success(bytes[0])
  }

  package static func i2c(_ path: String) throws(OpenError) -> BusProbe {
    let adapter = try LinuxI2CAdapter(path: path)
    return BusProbe(
      name: path, wire: .i2c, clock: LinuxBuses.busClock(path),
      owner: { adapter.ownerDriver(of: $0) },
      answers: { address in
        do throws(BusError) { return .success(try adapter.probe(address)) } catch {
          return .failure(error)
        }
      },
      read: { register, address, format in
        var connection = I2CConnection(LinuxI2CBus(adapter), address: address, format: format)
        return byte(register, of: &connection)
      },
      write: { value, register, address, format in
        var connection = I2CConnection(LinuxI2CBus(adapter), address: address, format: format)
        return put(value, register, of: &connection)
      })
  }

  package static func spi(_ path: String) throws(OpenError) -> BusProbe {
    // Every supported chip allows 1 MHz for all registers, and SPI mode 3.
    _ = try LinuxSPI(path: path, mode: 3, speed: 1_000_000)
    return BusProbe(
      name: path, wire: .spi, clock: 1_000_000, owner: { _ in nil },
      answers: { _ in .failure(.unsupported) },
      read: { register, _, format in
        let device: LinuxSPI
        do throws(OpenError) {
          device = try LinuxSPI(path: path, mode: 3, speed: 1_000_000)
        } catch { return .failure(.adapterGone) }
        var connection = SPIConnection(device, format: format)
        // Read a register once in advance: some chips select SPI at the first rising edge of chip
        // select, and respond only from the second frame on.
        _ = byte(register, of: &connection)
        return byte(register, of: &connection)
      },
      write: { value, register, _, format in
        let device: LinuxSPI
        do throws(OpenError) {
          device = try LinuxSPI(path: path, mode: 3, speed: 1_000_000)
        } catch { return .failure(.adapterGone) }
        var connection = SPIConnection(device, format: format)
        return put(value, register, of: &connection)
      })
  }

  /// Returns a probe for a simulated bus in this process.
  package static func simulated(_ bus: SimulatedBus, _ description: BusDescription) -> BusProbe {
    let select = bus.selects.first ?? 0
    return BusProbe(
      name: description.name, wire: description.wire, clock: description.simulatedSpeed,
      owner: { _ in nil },
      answers: { address in
        var nothing = InlineArray<1, UInt8>(repeating: 0)
        var span = nothing.mutableSpan
        // `_mutatingExtracting` is `extracting(first:)` in the standard library of Swift 6.3;
        // SE-0467 removes the underscore.
        var none = span._mutatingExtracting(first: 0)
        do throws(BusError) {
          try bus.transfer(
            InlineArray<1, UInt8>(repeating: 0).span.extracting(first: 0), &none, at: address)
          return .success(true)
        } catch { return error == .noAcknowledge ? .success(false) : .failure(error) }
      },
      read: { register, address, format in
        guard description.wire == .spi else {
          var connection = I2CConnection(SimulatedI2C(bus), address: address, format: format)
          return byte(register, of: &connection)
        }
        var connection = SPIConnection(SimulatedSPI(bus, select: select), format: format)
        _ = byte(register, of: &connection)
        return byte(register, of: &connection)
      },
      write: { value, register, address, format in
        guard description.wire == .spi else {
          var connection = I2CConnection(SimulatedI2C(bus), address: address, format: format)
          return put(value, register, of: &connection)
        }
        var connection = SPIConnection(SimulatedSPI(bus, select: select), format: format)
        return put(value, register, of: &connection)
      })
  }
}

extension BusProbe {
  /// Returns a probe for a bus of the board's trace: the recorded chips respond, and no other
  /// address does.
  package static func trace(of board: Board, _ description: BusDescription) -> BusProbe {
    let chips = board.chips(on: description.name).compactMap { chip in
      ChipCatalog.entry(named: chip.chip).flatMap { entry in
        board.trace.map {
          (
            chip.address ?? 0,
            ChipTrace(
              $0, chip: chip.name, queues: entry.queueRegisters, places: entry.places,
              firmware: entry.description.firmware,
              isExact: false)
          )
        }
      }
    }
    return BusProbe(
      name: description.name, wire: description.wire, clock: nil, owner: { _ in nil },
      answers: { address in .success(chips.contains { $0.0 == address }) },
      read: { register, address, _ in
        guard let chip = chips.first(where: { $0.0 == address })?.1 else {
          return .failure(.noAcknowledge)
        }
        var bytes: InlineArray<1, UInt8> = [0]
        var span = bytes.mutableSpan
        do throws(BusError) { try chip.read(&span, from: register) } catch {
          return .failure(error)
        }
        return .success(bytes[0])
      },
      write: { _, _, _, _ in .failure(.unsupported) })
  }
}

extension BusDescription {
  /// The clock of a simulated bus in Hz.
  fileprivate var simulatedSpeed: Int? {
    if case .simulated(_, _, let speed) = connection { speed } else { nil }
  }
}
