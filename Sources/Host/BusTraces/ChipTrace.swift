// SPDX-License-Identifier: Apache-2.0
public import Registers
public import ChipCatalog
public import Quantities

/// A playback of one chip's recording from a trace. The playback replaces the chip: it returns the
/// recorded responses, in the recorded order, as long as the driver makes the recorded requests. It
/// may be used only from one thread.
public final class ChipTrace {
  /// A request from the driver that differs from the recorded request.
  public struct Divergence: Equatable, Sendable {
    /// The line in the trace.
    public var line: Int
    /// The next request in the recording of this chip; `nil` after the end of the recording.
    public var recorded: TraceTransaction.Request?
    /// The request that the driver made instead; `nil` if the driver left the recorded one out.
    public var requested: TraceTransaction.Request?
  }

  /// The error for data that the trace does not contain: ENODATA of errno(3), which no bus returns.
  public static let notInTrace = BusError.system(errno: 61)

  private enum Entry {
    /// Register values that were read when the bus was opened, and the bank selections that the
    /// recorder made for these reads.
    case state(register: UInt8, bytes: [UInt8])
    case selected(register: UInt8, bytes: [UInt8])
    case transaction(TraceTransaction)
    case clock(Timestamp)
    case step(Timestamp)

    var request: TraceTransaction.Request? {
      if case .transaction(let transaction) = self { transaction.request } else { nil }
    }

    /// The register and the bytes of a write that succeeded.
    var writing: (register: UInt8, bytes: [UInt8])? {
      guard case .transaction(let transaction) = self, transaction.error == nil,
        case .write(let register, let bytes) = transaction.request
      else { return nil }
      return (register, bytes)
    }
  }
  private var entries: [(line: Int, entry: Entry)] = []
  private var next = 0
  /// The last recorded value of each byte of a register; `nil` if none was recorded.
  private var image: [UInt8?]
  /// The mapping of addresses to registers, with the recorded bank selection.
  private var places: RegisterPlaces
  /// The addresses of FIFO data registers, at which a burst read does not advance.
  private let queues: Set<UInt8>
  /// True if every response must be the next recorded response, including readings of the clock.
  private let isExact: Bool
  /// The end time of the last trace entry that was used.
  private(set) var time: Timestamp
  public private(set) var divergences: [Divergence] = []
  /// The number of divergences from the trace. Only the first divergences are stored.
  public private(set) var divergenceCount = 0
  /// The state of the chip when its bus was opened.
  public let opened: TracedChip?
  /// The firmware that the recorded driver loaded into the chip; empty if the chip needs none.
  public let firmware: [UInt8]

  /// Extracts the recording of the chip called `name` from `trace`. `queues` are the addresses of
  /// the chip's FIFO data registers, and `firmware` describes what a driver loads into the chip.
  /// With `isExact` the playback serves the drivers that were recorded, in recorded time; otherwise
  /// it serves any client.
  public init(
    _ trace: Trace, chip name: String, queues: Set<UInt8>,
    places: RegisterPlaces = RegisterPlaces(), firmware: FirmwareDescription? = nil, isExact: Bool
  ) {
    self.queues = queues
    self.places = places
    image = [UInt8?](repeating: nil, count: places.count)
    self.isExact = isExact
    time = trace.header.origin
    var opened: TracedChip?
    var isState = true
    for (line, event) in zip(trace.lines, trace.events) where event.chip == name {
      switch event.kind {
      case .opened(let chip):
        opened = opened ?? chip
        isState = true
      case .started, .selfTestStarted: isState = false
      case .stepped:
        isState = false
        entries.append((line, .step(event.time)))
      case .clock: entries.append((line, .clock(event.time)))
      case .transaction(let transaction):
        guard isState else {
          entries.append((line, .transaction(transaction)))
          continue
        }
        switch (transaction.request, transaction.outcome) {
        case (.read(let register, 1...2), .bytes(let bytes)):
          entries.append((line, .state(register: register, bytes: bytes)))
        case (.write(let register, let bytes), .bytes):
          entries.append((line, .selected(register: register, bytes: bytes)))
        default: break
        }
      case .stopped, .edges, .health, .hole, .ended: break
      }
    }
    self.opened = opened
    let writes = entries.compactMap { $0.entry.writing }
    self.firmware = firmware.map { RecordedFirmware.bytes(loadedBy: writes, $0) } ?? []
    pass()
  }

  public var longestRead: Int { opened?.longestRead ?? .max }

  /// The register bank that is selected after the recorded requests so far.
  public var bank: UInt8 { places.bank }

  /// True if all recorded requests have been made.
  public var isOver: Bool { next == entries.count }

  // MARK: Responses

  public func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    let request = TraceTransaction.Request.read(register: register, count: bytes.count)
    guard let found = take(request) else { return try fill(&bytes, from: register) }
    switch found.outcome {
    case .bytes(let recorded):
      for index in bytes.indices { bytes[index] = recorded[index] }
    case .failure(let error): throw error
    }
  }

  public func write(_ bytes: [UInt8], to register: UInt8) throws(BusError) {
    guard let found = take(.write(register: register, bytes: bytes)) else {
      see(bytes, from: register, isWritten: true)
      return
    }
    if case .failure(let error) = found.outcome { throw error }
  }

  /// Returns the next recorded reading of the clock. If the next entry is not such a reading,
  /// returns the end time of the last entry.
  func nextClock() -> Timestamp {
    if next < entries.count, case .clock(let time) = entries[next].entry {
      self.time = time
      next += 1
    }
    return time
  }

  /// The duration of the last recorded transaction.
  public private(set) var lastDuration = TimeSpan.zero

  /// Moves the playback to the step at `line` of the trace. Recorded requests before that step that
  /// were not made are skipped.
  public func goToStep(atLine line: Int) {
    while next < entries.count, entries[next].line < line {
      if isExact, case .transaction(let transaction) = entries[next].entry {
        diverge(entries[next].line, transaction.request, requested: nil)
      }
      use(entries[next].entry)
      next += 1
    }
    guard next < entries.count, entries[next].line == line else { return }
    use(entries[next].entry)
    next += 1
    pass()
  }

  /// Returns the recorded transaction for `request`; `nil` if none matches.
  private func take(_ request: TraceTransaction.Request) -> TraceTransaction? {
    lastDuration = .zero
    pass(clocks: true)
    guard let index = search(request) ?? searchBeyond(request) else {
      let recorded = next < entries.count ? entries[next].entry.request : nil
      diverge(next < entries.count ? entries[next].line : 0, recorded, requested: request)
      return nil
    }
    if index > next, isExact {
      diverge(entries[next].line, entries[next].entry.request, requested: request)
    }
    for passed in next...index { use(entries[passed].entry) }
    next = index + 1
    if !isExact { pass() }
    guard case .transaction(let transaction) = entries[index].entry else { return nil }
    lastDuration = transaction.duration
    return transaction
  }

  /// Finds the recorded `request` at the next position or shortly after it. With `isInStep` the
  /// function searches only the current step, because each step is looked up separately.
  ///
  /// A read of a single register is not searched for beyond the next recorded write, because it
  /// usually checks the chip's state, which the write may change. A write may be found after
  /// another write, which is then skipped.
  private func search(_ request: TraceTransaction.Request, isInStep: Bool) -> Int? {
    var isBeforeWrite = true
    var looked = 0
    // The driver's request refers to the register bank that is selected now.
    var places = places
    let wanted = places.place(of: request.register)
    // In practice 4096 trace entries contain more than 64 transactions with the steps and clock
    // readings between them.
    for index in next..<min(entries.count, next + 4096) {
      if isInStep, case .step = entries[index].entry { return nil }
      guard case .transaction(let transaction) = entries[index].entry else { continue }
      if transaction.request == request, places.place(of: request.register) == wanted {
        return index
      }
      if case .write(let register, let bytes) = transaction.request {
        isBeforeWrite = false
        if transaction.error == nil { places.note(bytes, writtenTo: register) }
      }
      looked += 1
      if case .read(_, 1) = request, !isBeforeWrite { return nil }
      if looked == 64 { return nil }
    }
    return nil
  }

  private func search(_ request: TraceTransaction.Request) -> Int? {
    search(request, isInStep: isExact)
  }

  /// Finds the position of a read that cannot be answered from earlier recorded values.
  private func searchBeyond(_ request: TraceTransaction.Request) -> Int? {
    guard isExact, case .read(let register, let count) = request,
      queues.contains(register)
        || (0..<count).contains(where: { image[places.index(of: register, $0)] == nil })
    else { return nil }
    return search(request, isInStep: false)
  }

  /// Fills `bytes` from the last recorded values. Bursts are filled only before the end of the
  /// recording. Later FIFO data and samples were not recorded, and earlier values must not be
  /// returned instead.
  private func fill(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    guard bytes.count == 1 || !isOver && !queues.contains(register) else { throw Self.notInTrace }
    for index in bytes.indices {
      guard let value = image[places.index(of: register, index)] else { throw Self.notInTrace }
      bytes[index] = value
    }
  }

  // MARK: Position

  /// Skips trace entries that contain only information and no request.
  private func pass(clocks: Bool = false) {
    while next < entries.count {
      switch entries[next].entry {
      case .state, .selected: break
      case .clock where clocks || !isExact: break
      case .step where !isExact: break
      case .clock, .transaction, .step: return
      }
      use(entries[next].entry)
      next += 1
    }
  }

  /// Applies a trace entry to the recorded register values.
  private func use(_ entry: Entry) {
    switch entry {
    case .state(let register, let bytes): see(bytes, from: register)
    case .selected(let register, let bytes): places.note(bytes, writtenTo: register)
    case .clock(let time), .step(let time): self.time = time
    case .transaction(let transaction):
      time = transaction.end
      switch (transaction.request, transaction.outcome) {
      case (.write(let register, let bytes), .bytes):
        see(bytes, from: register, isWritten: true)
      case (.read(let register, _), .bytes(let bytes)) where !queues.contains(register):
        see(bytes, from: register)
      default: break
      }
    }
  }

  private func see(_ bytes: [UInt8], from register: UInt8, isWritten: Bool = false) {
    for (index, byte) in bytes.enumerated() {
      image[places.index(of: register, index)] = byte
      // A write may select the register of the next byte.
      if isWritten {
        places.note(
          CollectionOfOne(byte), writtenTo: register &+ UInt8(truncatingIfNeeded: index))
      }
    }
    if !isWritten { places.note(bytes, readFrom: register) }
  }

  private func diverge(
    _ line: Int, _ recorded: TraceTransaction.Request?, requested: TraceTransaction.Request?
  ) {
    // A recorded request that was already reported as replaced by another request is not reported
    // as skipped too.
    if requested == nil, divergences.last?.line == line { return }
    divergenceCount += 1
    if divergences.count < 100 {
      divergences.append(Divergence(line: line, recorded: recorded, requested: requested))
    }
  }
}
