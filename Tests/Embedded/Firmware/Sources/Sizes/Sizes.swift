// SPDX-License-Identifier: Apache-2.0
import Chips
import Fusion
import Quantities
import Recognition
import Recording
import Registers
import Sensors
import Startup

// Firmwares of different sizes: one driver each, then one with more and more layers. Each plays the
// tape of its chip, which shows that omitted code was not needed, and how much stack it uses.

/// The abilities of a firmware that reads FIFOs.
enum Queues: AbilityChoice {
  static var abilities: DriverAbilities { [.fifo, .verification] }
}

/// The abilities of a firmware that is woken by edges.
enum Edges: AbilityChoice {
  static var abilities: DriverAbilities { [.dataReady, .verification] }
}

/// The abilities of a firmware that polls.
enum Questions: AbilityChoice {
  static var abilities: DriverAbilities { [.polling, .verification] }
}

typealias OverI2C<Choice: AbilityChoice> = TrimmedConnection<I2CConnection<PlatformI2C>, Choice>
typealias OverSPI<Choice: AbilityChoice> = TrimmedConnection<SPIConnection<PlatformSPI>, Choice>

func overI2C<Choice: AbilityChoice>(
  _ address: UInt8, _ format: WireFormat, _ choice: Choice.Type
) -> OverI2C<Choice> {
  TrimmedConnection(I2CConnection(Tape.i2c, address: address, format: format), for: choice)
}

/// Values are stored here, so that they are not optimised away.
nonisolated(unsafe) var kept = ChipReading()

// A driver's two functions are each in one place, so that inlined driver code counts as the
// driver's.

@inline(never)
func step<Driver: SensorDriver & ~Copyable>(
  _ driver: inout Driver, _ event: Event, _ batch: inout RawBatch
) -> Bool {
  do throws(ChipError) {
    _ = try driver.step(event, into: &batch)
    return true
  } catch { return false }
}

@inline(never)
func decode<Driver: SensorDriver & ~Copyable>(
  _ driver: borrowing Driver, _ batch: borrowing RawBatch, _ frame: Int
) -> ChipReading {
  driver.decode(batch, frame: frame)
}

/// Lets the driver repeat the steps of the tape.
@inline(__always)
func play<Driver: SensorDriver & ~Copyable>(
  _ driver: inout Driver, _ take: (Sample) -> Void = { _ in }
) {
  var batch = RawBatch()
  let mounting = Mounting()
  driver.start()
  while let (_, event) = Tape.nextStep() {
    batch.removeAll()
    guard step(&driver, event, &batch) else { continue }
    for frame in 0..<batch.frames {
      let reading = decode(driver, batch, frame)
      kept = reading
      take(
        mounting.sample(
          reading, at: batch.timestamp(ofFrame: frame), after: frame == 0 ? batch.missing : 0))
    }
  }
}

/// Writes the number of divergences, the stack and the static memory.
func report() { report([Tape.divergences, stack_used(), static_size()]) }

/// Writes three numbers with the names 0 to 2.
func report(_ values: InlineArray<3, UInt32>) {
  var bytes = InlineArray<18, UInt8>(repeating: 0)
  for index in 0..<3 {
    bytes[index * 6] = UInt8(ascii: "Z")
    bytes[index * 6 + 1] = UInt8(index)
    for byte in 0..<4 {
      bytes[index * 6 + 2 + byte] = UInt8(truncatingIfNeeded: values[index] >> UInt32(byte * 8))
    }
  }
  let name: StaticString = "values"
  let handle = name.withUTF8Buffer { name in
    name.baseAddress.map {
      host_open(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self), 6, 5)
    } ?? -1
  }
  let span = bytes.span
  if span.withUnsafeBufferPointer({ host_write(handle, $0.baseAddress, 18) }) != 0 { host_exit(74) }
}
