// SPDX-License-Identifier: Apache-2.0
internal import Registers
public import Quantities
internal import Sensors
internal import Synchronization

/// A buffer of the events on a board's buses, from which a writer takes them.
///
/// The threads of the buses append to a preallocated buffer. The sample path allocates nothing, and
/// holds the lock only to copy a few bytes. The writer exchanges the buffer for an empty buffer. If
/// the buffer is full, events are counted and an event marks the gap.
public final class TraceRecorder: Sendable {
  /// An event of fixed size. The bytes of reads and of longer writes are in a separate buffer.
  private struct Row: Sendable {
    enum Kind: UInt8, Sendable {
      case started, stopped, selfTestStarted, stepped, steppedByEdge, clock, edges, read, written
      case health, ended
    }
    var kind: Kind
    /// The index of the event's chip, in the order of registration.
    var chip: UInt16
    var register: UInt8 = 0
    var value: UInt8 = 0
    var count: Int32 = 0
    var error: BusError?
    var time: Timestamp
    /// The end of the event's transaction, or the time of its interrupt edge.
    var other = Timestamp.zero

    /// The number of bytes that the event has in the byte buffer.
    var kept: Int {
      switch kind {
      case .read: error == nil ? Int(count) : 0
      case .written: count > 1 ? Int(count) : 0
      default: 0
      }
    }
  }

  private struct Buffer: Sendable {
    var rows: [Row] = []
    var bytes: [UInt8] = []
    /// The chips that were opened. Each chip has the index of the event before which it was opened.
    var opened: [(row: Int, event: TraceEvent)] = []
    var health: [Health] = []
    var dropped = 0

    init(_ capacity: Int) {
      rows.reserveCapacity(capacity)
      bytes.reserveCapacity(capacity * 16)
      health.reserveCapacity(256)
    }

    mutating func removeAll() {
      rows.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      opened.removeAll()
      health.removeAll(keepingCapacity: true)
      dropped = 0
    }
  }
  private let buffer: Mutex<Buffer>
  /// The empty event buffer that replaces the one that the writer takes.
  private let spare: Mutex<Buffer>
  private let chips = Mutex<[String]>([])
  private let capacity: Int

  /// Creates a recorder whose buffer holds at most `capacity` events.
  public init(capacity: Int = 65_536) {
    self.capacity = capacity
    buffer = Mutex(Buffer(capacity))
    spare = Mutex(Buffer(capacity))
  }

  /// Registers the chip called `name` and returns the index that the chip's events use.
  func number(of name: String) -> UInt16 {
    chips.withLock { chips in
      if let known = chips.firstIndex(of: name) { return UInt16(clamping: known) }
      chips.append(name)
      return UInt16(clamping: chips.count - 1)
    }
  }

  // MARK: Adding

  func add(_ chip: TracedChip, called name: String, at time: Timestamp) {
    let event = TraceEvent(chip: name, time: time, .opened(chip))
    buffer.withLock { $0.opened.append(($0.rows.count, event)) }
  }

  func addClock(_ chip: UInt16, at time: Timestamp) {
    add(Row(kind: .clock, chip: chip, time: time))
  }

  func addStep(_ chip: UInt16, at time: Timestamp, isEdge: Bool) {
    add(Row(kind: isEdge ? .steppedByEdge : .stepped, chip: chip, time: time))
  }

  func addStart(_ chip: UInt16, at time: Timestamp, isSelfTest: Bool = false) {
    add(Row(kind: isSelfTest ? .selfTestStarted : .started, chip: chip, time: time))
  }

  func addStop(_ chip: UInt16, at time: Timestamp) {
    add(Row(kind: .stopped, chip: chip, time: time))
  }

  func addEdges(_ chip: UInt16, _ count: Int, newest: Timestamp, at time: Timestamp) {
    add(
      Row(kind: .edges, chip: chip, count: Int32(clamping: count), time: time, other: newest))
  }

  func addHealth(_ chip: UInt16, _ health: Health, at time: Timestamp) {
    buffer.withLock { buffer in
      guard buffer.rows.count < capacity, buffer.health.count < buffer.health.capacity else {
        buffer.dropped += 1
        return
      }
      buffer.health.append(health)
      buffer.rows.append(Row(kind: .health, chip: chip, time: time))
    }
  }

  /// Records a read of registers: the bytes that it returned, or an error without bytes.
  func addRead(
    _ chip: UInt16, _ register: UInt8, _ count: Int, _ bytes: [UInt8], _ error: BusError?,
    from begin: Timestamp, to end: Timestamp
  ) {
    let row = Row(
      kind: .read, chip: chip, register: register, count: Int32(clamping: count), error: error,
      time: begin, other: end)
    add(row, bytes)
  }

  func addWrite(
    _ chip: UInt16, _ register: UInt8, _ value: UInt8, _ error: BusError?,
    from begin: Timestamp, to end: Timestamp
  ) {
    add(
      Row(
        kind: .written, chip: chip, register: register, value: value, count: 1, error: error,
        time: begin, other: end))
  }

  /// Records a write of several bytes, whether it succeeded or failed.
  func addWrite(
    _ chip: UInt16, _ register: UInt8, _ bytes: [UInt8], _ error: BusError?,
    from begin: Timestamp, to end: Timestamp
  ) {
    if bytes.count == 1 { return addWrite(chip, register, bytes[0], error, from: begin, to: end) }
    guard !bytes.isEmpty else { return }
    add(
      Row(
        kind: .written, chip: chip, register: register, count: Int32(clamping: bytes.count),
        error: error, time: begin, other: end), bytes)
  }

  /// Records the normal end of the recording.
  public func end(at time: Timestamp) { add(Row(kind: .ended, chip: .max, time: time)) }

  private func add(_ row: Row, _ bytes: [UInt8]) {
    buffer.withLock { buffer in
      guard buffer.rows.count < capacity, buffer.bytes.count + bytes.count <= capacity * 16 else {
        buffer.dropped += 1
        return
      }
      buffer.rows.append(row)
      buffer.bytes.append(contentsOf: bytes)
    }
  }

  private func add(_ row: Row) {
    buffer.withLock { buffer in
      guard buffer.rows.count < capacity else {
        buffer.dropped += 1
        return
      }
      buffer.rows.append(row)
    }
  }

  // MARK: Writing

  /// Takes the events since the last call and appends them to `text`, as lines of a trace whose
  /// time 0 is `origin`. Returns the numbers of events taken and dropped. Only one thread may call
  /// this function.
  public func take(from origin: Timestamp, into text: inout [UInt8]) -> (events: Int, dropped: Int)
  {
    let taken = spare.withLock { spare in
      buffer.withLock { swap(&$0, &spare) }
      let counts = (spare.rows.count + spare.opened.count, spare.dropped)
      append(spare, origin, to: &text)
      spare.removeAll()
      return counts
    }
    return taken
  }

  private func append(_ buffer: Buffer, _ origin: Timestamp, to text: inout [UInt8]) {
    let names = chips.withLock { $0 }
    var opened = buffer.opened[...]
    var health = buffer.health[...]
    var bytes = 0
    for (index, row) in buffer.rows.enumerated() {
      while let first = opened.first, first.row <= index {
        TraceFormat.append(first.event, from: origin, to: &text)
        opened = opened.dropFirst()
      }
      let chip = names.indices.contains(Int(row.chip)) ? names[Int(row.chip)] : ""
      let kind = kind(row, chip, Array(buffer.bytes[bytes..<bytes + row.kept]), &health)
      bytes += row.kept
      TraceFormat.append(TraceEvent(chip: chip, time: row.time, kind), from: origin, to: &text)
    }
    for (_, event) in opened { TraceFormat.append(event, from: origin, to: &text) }
    if buffer.dropped > 0 {
      let time = buffer.rows.last?.time ?? origin
      TraceFormat.append(
        TraceEvent(chip: "", time: time, .hole(events: buffer.dropped)), from: origin, to: &text)
    }
  }

  private func kind(
    _ row: Row, _ chip: String, _ bytes: [UInt8], _ health: inout ArraySlice<Health>
  ) -> TraceEvent.Kind {
    switch row.kind {
    case .started: return .started
    case .stopped: return .stopped
    case .selfTestStarted: return .selfTestStarted
    case .stepped: return .stepped(isEdge: false)
    case .steppedByEdge: return .stepped(isEdge: true)
    case .clock: return .clock
    case .edges: return .edges(count: Int(row.count), newest: row.other)
    case .read, .written:
      let request: TraceTransaction.Request =
        row.kind == .read
        ? .read(register: row.register, count: Int(row.count))
        : .write(register: row.register, bytes: bytes.isEmpty ? [row.value] : bytes)
      return .transaction(
        TraceTransaction(
          chip: chip, request: request,
          outcome: row.error.map { .failure($0) } ?? .bytes(row.kind == .read ? bytes : []),
          begin: row.time, end: row.other))
    case .health: return .health(health.popFirst() ?? Health())
    case .ended: return .ended
    }
  }
}
