// SPDX-License-Identifier: Apache-2.0
import SimulatedBuses
import BusTesting
import ChipCatalog
import Quantities
import Registers
import Simulation
import Boards
import Testing

/// A model on a simulated bus, with a record of all bytes in the form of a logic analyser.
final class Bench: BusTarget {
  let bus: SimulatedBus
  let address: UInt8
  let format: WireFormat
  /// The transactions, such as `60W 03 12 34` and `60W 0C R2 86 01`.
  var wire: [String] = []
  /// The numbers of the transactions that fail, counted from the last call of `fail`, and whether
  /// they reach the chip before they fail.
  var failing: Set<Int> = []
  var reachesChip = false
  private var count = 0

  init(
    _ model: any ChipModel, address: UInt8, _ format: WireFormat = WireFormat(),
    words: ByteOrder? = nil
  ) {
    bus = SimulatedBus(clock: VirtualClock(now: Timestamp(nanoseconds: 1_000_000)))
    bus.attach(ModelPort(model, format: format, words: words), at: address)
    self.address = address
    self.format = format
  }

  func fail(at number: Int, reachingChip: Bool = false) {
    failing = [number]
    reachesChip = reachingChip
    count = 0
  }

  var connection: I2CConnection<BenchI2C> {
    I2CConnection(BenchI2C(bench: self), address: address, format: format)
  }

  var port: any ChipPort { ConnectionPort(connection) }

  @_lifetime(received: copy received)
  func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError) {
    defer { count += 1 }
    let fails = failing.contains(count)
    if fails, !reachesChip { throw .timeout }
    try bus.transfer(sent, &received, at: address)
    if fails { throw .timeout }
    var line = hex([address]) + "W " + hex(sent.indices.map { sent[$0] })
    if received.count > 0 {
      line += " R\(received.count) " + hex(received.indices.map { received[$0] })
    }
    wire.append(line)
  }

  func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError) {
    try bus.exchange(&bytes, at: select)
  }

  func advance() {}
}

struct BenchI2C: I2CBus {
  let bench: Bench

  var now: Timestamp { bench.bus.clock.now }

  func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    var nothing = InlineArray<1, UInt8>(repeating: 0)
    var span = nothing.mutableSpan
    var none = span._mutatingExtracting(first: 0)
    try bench.transfer(bytes, &none, at: address)
  }

  func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8)
    throws(BusError)
  {
    let pointer: InlineArray<1, UInt8> = [register]
    try bench.transfer(pointer.span, &bytes, at: address)
  }
}

func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    .joined(separator: " ")
}

extension Bench {
  /// Returns the answer to a `record` of the virtual bench's module.
  func answer(kernel record: [UInt8]) -> [UInt8] {
    var reply = [UInt8](repeating: 0x77, count: 64)
    var span = reply.mutableSpan
    let size = BenchConversation.answer(record.span, from: self, into: &span)
    return Array(reply.prefix(size))
  }
}

extension RegisterPlan {
  /// Returns the plan of `texts`, which must be valid.
  static func of(_ texts: [String], _ rows: [RegisterRow], _ port: any ChipPort) throws
    -> RegisterPlan
  {
    let access = PortRegisters(port)
    return try RegisterPlan(
      texts.map { try RegisterQuery($0, among: rows) },
      refuse: { refusal -> any Error in Refused(refusal: refusal) },
      read: { row in try access.read(row) })
  }

  struct Refused: Error { var refusal: Refusal }

  func carryOut(_ port: any ChipPort) throws {
    for step in steps { try PortRegisters(port).write(step.after, to: step.row) }
  }
}
