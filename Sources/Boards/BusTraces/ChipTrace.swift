// SPDX-License-Identifier: Apache-2.0
public import Registers
public import ChipCatalog
public import Quantities

/// The record of one chip in a trace, answering in that chip's place: in the order in which it was
/// recorded, as far as what is asked is what was recorded. One thread.
public final class ChipTrace {
  /// A place where the question now asked is not the one recorded.
  public struct Divergence: Equatable, Sendable {
    /// The line of the trace.
    public var line: Int
    /// `nil`: the trace has nothing more of this chip.
    public var recorded: TraceTransaction.Request?
    /// `nil`: what was recorded was not asked.
    public var asked: TraceTransaction.Request?
  }

  /// ENODATA of errno(3): the error of what is not in the trace, for which no bus has another use.
  public static let notInTrace = BusError.system(errno: 61)

  private enum Entry {
    /// Values of registers when the bus was opened, and the recorder's writes that were needed to
    /// see them all.
    case state(register: UInt8, bytes: [UInt8])
    case selected(register: UInt8, bytes: [UInt8])
    case transaction(TraceTransaction)
    case clock(Timestamp)
    case step(Timestamp)

    var request: TraceTransaction.Request? {
      if case .transaction(let transaction) = self { transaction.request } else { nil }
    }
  }
  private var entries: [(line: Int, entry: Entry)] = []
  /// The entry that is to be used next.
  private var next = 0
  /// The last value seen of each byte of the registers.
  private var image: [UInt8?]
  /// The bank that is seen, as it was recorded.
  private var places: RegisterPlaces
  /// Registers behind which a queue is: each byte of a burst is of the same one.
  private let queues: Set<UInt8>
  /// True where every answer must be the next one recorded, clocks included.
  private let isExact: Bool
  /// The end of the entry that was used last.
  private(set) var time: Timestamp
  public private(set) var divergences: [Divergence] = []
  /// The number of divergences; only the first are kept.
  public private(set) var divergenceCount = 0
  /// The chip as it was when it was opened.
  public let opened: TracedChip?

  /// Takes from `trace` the record of the chip called `name`, whose registers `queues` are queues.
  /// `isExact`: for the drivers that were recorded, in recorded time; else for any caller.
  public init(
    _ trace: Trace, chip name: String, queues: Set<UInt8>,
    places: RegisterPlaces = RegisterPlaces(), isExact: Bool
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
    pass()
  }

  public var longestRead: Int { opened?.longestRead ?? .max }

  /// True once all that was recorded has been asked for.
  public var isOver: Bool { next == entries.count }

  // MARK: Answering

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

  /// Returns the time that the driver was given at this place; where it did not ask, the end of the
  /// last thing before.
  func nextClock() -> Timestamp {
    if next < entries.count, case .clock(let time) = entries[next].entry {
      self.time = time
      next += 1
    }
    return time
  }

  /// The duration of the transaction that was answered last.
  public private(set) var lastDuration = TimeSpan.zero

  /// Goes on to the step that the trace has at `line`: what was recorded before and not asked is
  /// left out.
  public func goToStep(atLine line: Int) {
    while next < entries.count, entries[next].line < line {
      if isExact, case .transaction(let transaction) = entries[next].entry {
        diverge(entries[next].line, transaction.request, asked: nil)
      }
      use(entries[next].entry)
      next += 1
    }
    guard next < entries.count, entries[next].line == line else { return }
    use(entries[next].entry)
    next += 1
    pass()
  }

  /// The recorded transaction that answers `request`.
  private func take(_ request: TraceTransaction.Request) -> TraceTransaction? {
    lastDuration = .zero
    pass(clocks: true)
    guard let index = search(request) ?? searchBeyond(request) else {
      let recorded = next < entries.count ? entries[next].entry.request : nil
      diverge(next < entries.count ? entries[next].line : 0, recorded, asked: request)
      return nil
    }
    if index > next, isExact {
      diverge(entries[next].line, entries[next].entry.request, asked: request)
    }
    for passed in next...index { use(entries[passed].entry) }
    next = index + 1
    if !isExact { pass() }
    guard case .transaction(let transaction) = entries[index].entry else { return nil }
    lastDuration = transaction.duration
    return transaction
  }

  /// Finds the place where `request` was recorded, at the next place or not far behind. A read of a
  /// single register, as is made to look at the chip's state, stays before the next recorded write:
  /// the state is that of before. A write may be found behind another write, which is then not
  /// asked for any more. `isInStep`: only what was recorded of the present step; the next one finds
  /// its own place.
  private func search(_ request: TraceTransaction.Request, isInStep: Bool) -> Int? {
    var isBeforeWrite = true
    var looked = 0
    // What is asked is asked of the bank that is seen now.
    var places = places
    let wanted = places.place(of: request.register)
    // Sixty-four transactions have fewer steps and looks at the clock between them.
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

  /// Finds the place of a read that nothing seen until now can answer.
  private func searchBeyond(_ request: TraceTransaction.Request) -> Int? {
    guard isExact, case .read(let register, let count) = request,
      queues.contains(register)
        || (0..<count).contains(where: { image[places.index(of: register, $0)] == nil })
    else { return nil }
    return search(request, isInStep: false)
  }

  /// Answers from the last values seen. Bursts only before the end: a queue or a sample beyond the
  /// end was not recorded, and earlier values do not stand for it.
  private func fill(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    guard bytes.count == 1 || !isOver && !queues.contains(register) else { throw Self.notInTrace }
    for index in bytes.indices {
      guard let value = image[places.index(of: register, index)] else { throw Self.notInTrace }
      bytes[index] = value
    }
  }

  // MARK: Going on

  /// Steps over what is there to be known and not to be asked for.
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

  /// Remembers what an entry tells.
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

  /// Remembers what registers hold.
  private func see(_ bytes: [UInt8], from register: UInt8, isWritten: Bool = false) {
    for (index, byte) in bytes.enumerated() { image[places.index(of: register, index)] = byte }
    if isWritten { places.note(bytes, writtenTo: register) }
  }

  private func diverge(
    _ line: Int, _ recorded: TraceTransaction.Request?, asked: TraceTransaction.Request?
  ) {
    // What was told to be recorded where something else was asked is not told again as not asked.
    if asked == nil, divergences.last?.line == line { return }
    divergenceCount += 1
    if divergences.count < 100 {
      divergences.append(Divergence(line: line, recorded: recorded, asked: asked))
    }
  }
}
