// SPDX-License-Identifier: Apache-2.0
internal import BusTraces
internal import Boards
internal import MotionSources
internal import ChipCatalog
internal import LinuxBus
internal import Quantities
internal import Registers
internal import Sampling
internal import Sensors

/// A chip's port that counts its bus traffic.
final class CountingPort: ChipPort {
  private let base: any ChipPort
  private(set) var traffic = BusTraffic()
  /// The value last written to each byte of a register; the keys are from `RegisterPlaces.index`.
  private var written: [Int: UInt8] = [:]
  private var places: RegisterPlaces

  init(_ base: any ChipPort, _ places: RegisterPlaces) {
    self.base = base
    self.places = places
  }

  /// Returns the value last written to the register of `row`.
  func written(to row: RegisterRow) -> UInt16? {
    let index = Int(row.place.number)
    guard let order = row.order else { return written[index].map { UInt16($0) } }
    let first = places.countsWords ? index * 2 : index
    guard let low = written[first], let high = written[first + 1] else { return nil }
    return order.word(low, high)
  }

  /// The longest sequence of failed transactions, and the number of failures in sequences of only
  /// one or two failed transactions.
  private(set) var longestRow = 0
  private(set) var isolatedFailures = 0
  private var row = 0

  func startRows() { (longestRow, isolatedFailures, row) = (0, 0, 0) }

  /// Ends the current sequence of failures, as a successful transaction does.
  func endRow() {
    if row < 3 { isolatedFailures += row }
    row = 0
  }

  private func fail(_ error: BusError) {
    // A request that a trace does not contain is not a fault of the recorded bus.
    guard error != ChipTrace.notInTrace else { return }
    traffic.add(error)
    row += 1
    longestRow = max(longestRow, row)
  }

  func forgetWrites() { written = [:] }

  var now: Timestamp { base.now }
  var longestRead: Int { base.longestRead }
  var longestWrite: Int { base.longestWrite }
  var isSPI: Bool { base.isSPI }
  var firmware: [UInt8] { base.firmware }

  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    count(bytes.count)
    do { try base.read(&bytes, from: register) } catch {
      fail(error)
      throw error
    }
    endRow()
  }

  func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    count(1)
    do { try base.write(value, to: register) } catch {
      fail(error)
      throw error
    }
    endRow()
    note(CollectionOfOne(value), writtenTo: register)
  }

  func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    count(bytes.count)
    do { try base.write(bytes, to: register) } catch {
      fail(error)
      throw error
    }
    endRow()
    note(bytes.indices.map { bytes[$0] }, writtenTo: register)
  }

  private func note(_ bytes: some Collection<UInt8>, writtenTo register: UInt8) {
    for (index, byte) in bytes.enumerated() {
      written[places.index(of: register, index)] = byte
      // A write may select the register of the next byte.
      places.note(CollectionOfOne(byte), writtenTo: register &+ UInt8(truncatingIfNeeded: index))
    }
  }

  private func count(_ bytes: Int) {
    traffic.transactions += 1
    traffic.bytes += UInt64(bytes)
  }
}

/// An edge source that records the time of every edge.
final class TappedEdges: EdgeSource {
  private let base: any EdgeSource
  /// The number of edges in one hour at 1 kHz.
  private static let limit = 3_600_000
  private(set) var times: [Timestamp] = []

  init(_ base: any EdgeSource) { self.base = base }

  /// The file descriptor to wait for; `nil` in a simulation.
  var fileDescriptor: Int32? { (base as? LineEdges)?.line.fileDescriptor }

  /// The GPIO line; `nil` in a simulation.
  var line: GPIOLine? { (base as? LineEdges)?.line }

  /// The edge that a simulated line reports. It can be changed; `nil` for a real line.
  var edge: Interrupt.Edge? {
    get { (base as? ModelEdges)?.edge }
    set { if let newValue { (base as? ModelEdges)?.edge = newValue } }
  }

  var nextEdge: Timestamp? { base.nextEdge }

  func takeEdges() -> Event {
    let event: Event
    if let line = (base as? LineEdges)?.line {
      event = takeEdges(of: line)
    } else {
      event = base.takeEdges()
      // Limit the count, because a trace may state more edges than fit into memory.
      for _ in 0..<max(0, min(event.edges, Self.limit - times.count)) { note(event.edgeTime) }
    }
    return event
  }

  /// Reads the edges of the line, each with the kernel's time stamp.
  private func takeEdges(of line: GPIOLine) -> Event {
    var buffer = InlineArray<64, Timestamp>(repeating: .zero)
    var event = Event.due
    // Read at most 16 times, so that a line that changes too fast does not keep the thread in this
    // loop.
    for _ in 0..<16 {
      var span = buffer.mutableSpan
      // If the kernel cannot read the line's edges, treat the line as one without edges.
      guard let edges = try? line.readEdges(into: &span), edges.count > 0 else { break }
      for index in 0..<edges.count { note(buffer[index]) }
      event = Event(edges: event.edges + edges.count, edgeTime: edges.newest)
      if edges.count < buffer.count { break }
    }
    return event
  }

  /// Discards the edges recorded so far.
  func forget() {
    _ = takeEdges()
    times = []
  }

  private func note(_ time: Timestamp) {
    if times.count < Self.limit { times.append(time) }
  }
}
