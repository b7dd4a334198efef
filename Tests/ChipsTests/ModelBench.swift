// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors

/// A model on a bench: bytes in, bytes out, and a hand on its clock.
struct ModelBench {
  let world = World()
  let model: any ChipModel
  let port: ModelPort

  init(
    _ format: WireFormat = WireFormat(), words: ByteOrder? = nil,
    _ make: (any SensorInput) -> any ChipModel
  ) {
    world.held.temperature = 25
    model = make(world)
    port = ModelPort(model, format: format, words: words)
  }

  func at(_ milliseconds: Double) {
    model.advance(to: Timestamp(nanoseconds: Int64((milliseconds * 1e6).rounded())))
  }

  /// An I2C write of a register and what follows.
  func write(_ bytes: UInt8...) { port.write(bytes.span) }

  /// An I2C read of `count` bytes after the sub-address.
  func read(_ register: UInt8, _ count: Int = 1) -> [UInt8] {
    port.write([register].span)
    var bytes = [UInt8](repeating: 0xEE, count: count)
    var span = bytes.mutableSpan
    port.read(&span)
    return bytes
  }

  func edges() -> Int { model.takeEdges().count }

  /// Lets the specific force grow by so many g a second, so that each sample is another.
  func ramp(_ slope: Vector3) {
    world.changes = { time, _, reading in reading.specificForce += slope * time.seconds }
  }
}
