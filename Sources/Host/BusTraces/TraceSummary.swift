// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A summary of a trace, for each chip.
public struct TraceSummary: Equatable, Sendable {
  public struct Chip: Equatable, Sendable {
    public var name: String
    public var opened: TracedChip?
    public var reads = 0
    public var writes = 0
    /// The number of bytes that the driver read and wrote, without register addresses.
    public var bytes = 0
    public var steps = 0
    public var edges = 0
    /// The total duration of the chip's transactions.
    public var busTime = TimeSpan.zero
    /// The longest time between the starts of two transactions, and the start of that time.
    public var longestGap = TimeSpan.zero
    public var gapBegin = Timestamp.zero
    /// The number of failed transactions for each kind of error, in the order of their first
    /// occurrence.
    public var errors: [(word: String, count: Int)] = []

    public static func == (a: Chip, b: Chip) -> Bool {
      a.name == b.name && a.opened == b.opened && a.reads == b.reads && a.writes == b.writes
        && a.bytes == b.bytes && a.steps == b.steps && a.edges == b.edges
        && a.busTime == b.busTime && a.longestGap == b.longestGap && a.gapBegin == b.gapBegin
        && a.errors.elementsEqual(b.errors, by: ==)
    }

    public var errorCount: Int { errors.reduce(0) { $0 + $1.count } }
  }

  /// The chips of the trace, in the order of their first occurrence.
  public var chips: [Chip] = []
  public var length: TimeSpan
  public var missing: Int
  public var isCutOff: Bool

  public init(_ trace: Trace) {
    length = trace.length
    missing = trace.missing
    isCutOff = trace.isCutOff
    var places: [String: Int] = [:]
    var newest: [Timestamp?] = []
    for event in trace.events where !event.chip.isEmpty {
      let place = places[event.chip] ?? chips.count
      if place == chips.count {
        places[event.chip] = place
        chips.append(Chip(name: event.chip))
        newest.append(nil)
      }
      switch event.kind {
      case .opened(let opened): chips[place].opened = chips[place].opened ?? opened
      case .stepped: chips[place].steps += 1
      case .edges(let count, _): chips[place].edges = chips[place].edges.plus(count)
      case .transaction(let transaction):
        if let last = newest[place], transaction.begin - last > chips[place].longestGap {
          chips[place].longestGap = transaction.begin - last
          chips[place].gapBegin = last
        }
        newest[place] = transaction.begin
        chips[place].add(transaction)
      default: break
      }
    }
  }
}

extension TraceSummary.Chip {
  fileprivate mutating func add(_ transaction: TraceTransaction) {
    switch transaction.request {
    case .read(_, let count):
      reads += 1
      bytes = bytes.plus(count)
    case .write(_, let written):
      writes += 1
      bytes = bytes.plus(written.count)
    }
    busTime = busTime + transaction.duration
    guard let error = transaction.error else { return }
    let word = TraceFormat.word(error)
    if let known = errors.firstIndex(where: { $0.word == word }) {
      errors[known].count += 1
    } else {
      errors.append((word, 1))
    }
  }
}
