// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Sensors

/// The auxiliary master of an IMU, and the magnetometer on its bus if the IMU has one.
struct AuxiliaryMaster {
  /// The settings of one of the IMU's five slaves, from its registers.
  struct Slave {
    /// The I2C address of the slave, with the read bit.
    var address: UInt8
    var register: UInt8
    var control: UInt8
    var out: UInt8
  }

  let magnetometer: AK8963Model?
  private let port: ModelPort?

  /// Creates the master. `part` is the magnetometer; `nil` if the IMU has none. `turned` rotates a
  /// vector from the IMU's axes to the magnetometer's. `clockError` is the oscillator error of the
  /// IMU; the magnetometer's oscillator has the opposite error.
  init(
    _ part: AK8963Part?, in input: any SensorInput, clockError: Double,
    turned: @escaping (Vector3) -> Vector3
  ) {
    magnetometer = part.map {
      AK8963Model(
        TurnedInput(input, turned), identity: $0.rawValue, clockError: -clockError)
    }
    port = magnetometer.map { ModelPort($0, format: AK8963Chip.wireFormat) }
  }

  /// Returns the magnetometer if `address` is its address. If `input` is given, `input` becomes the
  /// magnetometer's input.
  func builtIn(at address: UInt8, sensing input: (any SensorInput)?) -> (any ChipModel)? {
    guard let magnetometer, address == AK8963Configuration.auxiliaryAddress else { return nil }
    if let input { magnetometer.input = input }
    return magnetometer
  }

  /// Transfers the bytes of each enabled slave, 0 to 3, at `time`. Passes the bytes that were read
  /// to `store` one by one. Returns a bit for each slave that did not acknowledge.
  func run(_ slave: (UInt8) -> Slave, at time: Timestamp, _ store: (UInt8, UInt8) -> Void) -> UInt8
  {
    var place: UInt8 = 0
    var refused: UInt8 = 0
    for index in 0..<4 as Range<UInt8> {
      let slave = slave(index)
      guard slave.control & 0x80 != 0 else { continue }
      for byte in 0..<max(1, slave.control & 0x0F) {
        guard let value = transfer(slave, byte, at: time) else {
          refused |= 1 << index
          break
        }
        guard slave.address & 0x80 != 0, place < 24 else { break }
        store(place, value)
        place += 1
      }
    }
    return refused
  }

  /// Returns byte `index` of a transfer, whether read or written; `nil` if no chip acknowledges.
  func transfer(_ slave: Slave, _ index: UInt8 = 0, at time: Timestamp) -> UInt8? {
    guard let port, let magnetometer,
      slave.address & 0x7F == AK8963Configuration.auxiliaryAddress
    else { return nil }
    magnetometer.advance(to: time)
    guard slave.address & 0x80 != 0 else {
      let bytes: InlineArray<2, UInt8> = [slave.register, slave.out]
      port.write(bytes.span)
      return slave.out
    }
    if index == 0 {
      let pointer: InlineArray<1, UInt8> = [slave.register]
      port.write(pointer.span)
    }
    var byte: InlineArray<1, UInt8> = [0]
    var span = byte.mutableSpan
    port.read(&span)
    return byte[0]
  }
}

/// The sensor input of the IMU with the magnetic field in the magnetometer's axes.
private final class TurnedInput: SensorInput {
  private let base: any SensorInput
  private let turned: (Vector3) -> Vector3

  init(_ base: any SensorInput, _ turned: @escaping (Vector3) -> Vector3) {
    self.base = base
    self.turned = turned
  }

  func reading(at time: Timestamp) -> ChipReading {
    var reading = base.reading(at: time)
    reading.magneticField = turned(reading.magneticField)
    return reading
  }
}
