// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors

/// A model with direct access to its bytes and its clock.
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

  /// Writes over I2C: a register address and the bytes for it.
  func write(_ bytes: UInt8...) { port.write(bytes.span) }

  /// Reads `count` bytes over I2C after the register address.
  func read(_ register: UInt8, _ count: Int = 1) -> [UInt8] {
    port.write([register].span)
    var bytes = [UInt8](repeating: 0xEE, count: count)
    var span = bytes.mutableSpan
    port.read(&span)
    return bytes
  }

  func edges() -> Int { model.takeEdges().count }

  /// Makes the specific force rise by `slope` in g per second, so that each sample differs.
  func ramp(_ slope: Vector3) {
    world.changes = { time, _, reading in reading.specificForce += slope * time.seconds }
  }
}
