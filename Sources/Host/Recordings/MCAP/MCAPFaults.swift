// SPDX-License-Identifier: Apache-2.0

/// The damage that was found in an MCAP file: for each kind of damage, the number of occurrences
/// and the position of the first.
struct MCAPFaults: Sendable {
  /// The kinds of damage of an MCAP file, in the order of their priority for an error message.
  enum Kind: Int, CaseIterable, Sendable {
    /// A chunk has a compression that is not supported.
    case packing
    /// Chunks are too large for a file of this size.
    case size
    /// A chunk of the file is inside another chunk.
    case nesting
    /// A record is invalid or in a wrong position of the file.
    case record
    case checksum
    case unpacking
    case chunkIndex
    case definition
    /// A message has a channel that is not defined.
    case channel
    /// A message does not match the type of its channel.
    case message
    /// A value in a message is infinite or not a number.
    case number
    case summary
    case data
    case end
    /// The number of messages differs from the number in the file's summary.
    case count
  }

  private struct Entry: Sendable {
    var count = 0
    var first = 0
  }

  private var entries: [Kind: Entry] = [:]
  /// The name of the first compression of a chunk that is not supported.
  private var packing = ""
  /// The number of messages that were read, and the number that the file states.
  private(set) var read: UInt64 = 0
  private(set) var announced: UInt64?

  var isEmpty: Bool { entries.isEmpty }

  /// True if the only fault is that the end of the file is missing.
  var isOnlyEnd: Bool { entries.keys.allSatisfy { $0 == .end } }

  func count(_ kind: Kind) -> Int { entries[kind]?.count ?? 0 }

  mutating func add(_ kind: Kind, at place: Int) {
    var entry = entries[kind] ?? Entry(count: 0, first: place)
    entry.count += 1
    entries[kind] = entry
  }

  mutating func add(packing: String, at place: Int) {
    if count(.packing) == 0 { self.packing = packing }
    add(.packing, at: place)
  }

  /// Discards all faults of a kind in the file except the first `count`.
  mutating func forgive(_ kind: Kind, downTo count: Int) {
    entries[kind]?.count = count
    if count == 0 { entries[kind] = nil }
  }

  mutating func add(_ other: MCAPFaults) {
    for (kind, entry) in other.entries {
      var sum = entries[kind] ?? Entry(count: 0, first: entry.first)
      sum.count += entry.count
      entries[kind] = sum
    }
  }

  /// Records the number of messages that were read, and the number that the file states (`nil` if
  /// that number is unknown).
  mutating func compare(read: UInt64, announced: UInt64?, agrees: Bool = true) {
    (self.read, self.announced) = (read, announced)
    if !agrees { add(.count, at: 0) }
  }

  /// The faults in the file as text for users, one line for each kind.
  var parts: [String] {
    var parts: [String] = []
    guard !isEmpty else { return [] }
    parts.append(
      announced.map { "\(read) of \($0) messages are read" } ?? "\(read) messages are read")
    for kind in Kind.allCases where kind != .count {
      guard let entry = entries[kind] else { continue }
      let words = words(kind)
      guard words.isPlaced else {
        parts.append(words.one)
        continue
      }
      parts.append(
        entry.count == 1
          ? "\(words.one) at byte \(entry.first)"
          : "\(entry.count) \(words.many), the first at byte \(entry.first)")
    }
    if count(.count) > 0, read == announced {
      parts.append("their topics differ from the summary's")
    }
    return parts.map(ControlCharacters.visible)
  }

  private func words(_ kind: Kind) -> (one: String, many: String, isPlaced: Bool) {
    switch kind {
    case .packing:
      (
        "a chunk is compressed with \(packing) and was skipped,",
        "chunks are compressed with \(packing) or similar and were skipped", true
      )
    case .size:
      (
        "a chunk is too large for a file of this size and was skipped,",
        "chunks are too large for a file of this size and were skipped", true
      )
    case .nesting:
      (
        "a chunk contains a chunk and was skipped,",
        "chunks contain chunks and were skipped", true
      )
    case .record: ("the record is damaged", "records are damaged", true)
    case .checksum:
      (
        "a chunk has a wrong checksum and was skipped,",
        "chunks have wrong checksums and were skipped", true
      )
    case .unpacking:
      (
        "a chunk cannot be decompressed and was skipped,",
        "chunks cannot be decompressed and were skipped", true
      )
    case .chunkIndex:
      (
        "there is no chunk where the summary has one,",
        "chunks are not where the summary has them", true
      )
    case .definition:
      ("a topic has two different definitions,", "topics have two different definitions", true)
    case .channel:
      (
        "a message belongs to no topic and was skipped,",
        "messages belong to no topic and were skipped", true
      )
    case .message:
      (
        "a message does not match its topic's type and was skipped,",
        "messages do not match their topics' types and were skipped", true
      )
    case .number:
      (
        "a value is not a number and was skipped,", "values are not numbers and were skipped", true
      )
    case .summary: ("the summary is damaged", "", false)
    case .data: ("the checksum of the data is wrong", "", false)
    case .end: ("the file has no end, as if it were cut off", "", false)
    case .count: ("the counts of messages do not agree", "", false)
    }
  }

  /// Returns the error for strict reading of the file; `nil` if there are no faults.
  func error(_ file: String) -> RecordingError? {
    guard let kind = Kind.allCases.first(where: { entries[$0] != nil }) else { return nil }
    let hint = "mcap recover \(file) -o saved.mcap saves what can be read"
    func damage(_ found: String) -> RecordingError {
      RecordingError(
        .malformed, file: file, found: found, expected: "an MCAP file without damage", hint: hint)
    }
    let place = entries[kind]?.first ?? 0
    switch kind {
    case .packing:
      return RecordingError(
        .malformed, file: file, found: "its chunks are compressed with \(packing)",
        expected: "chunks compressed with zstd, or uncompressed",
        hint: "mcap compress --compression none \(file) -o plain.mcap")
    case .size:
      return RecordingError(
        .malformed, file: file,
        found: "the chunk at byte \(place) is too large for a file of this size",
        expected: "at most 256 MiB a chunk, and 64 MiB and 200 times the file in all")
    case .nesting: return damage("the chunk at byte \(place) contains a chunk")
    case .record: return damage("the record at byte \(place) is damaged")
    case .checksum: return damage("the chunk at byte \(place) has a wrong checksum")
    case .unpacking: return damage("the chunk at byte \(place) cannot be decompressed")
    case .chunkIndex: return damage("no chunk is at byte \(place), where the summary has one")
    case .definition:
      return damage(
        "the topic defined at byte \(place) has two different "
          + "definitions")
    case .channel: return damage("the message at byte \(place) belongs to no topic")
    case .message:
      return damage("the message at byte \(place) does not match its topic's type")
    case .number:
      return RecordingError(
        .malformed, file: file,
        found: "the message at byte \(place) has a value that is not a number",
        expected: "numbers")
    case .summary, .data, .end: return damage(words(kind).one)
    case .count:
      return damage(
        announced.map { "it has \(read) messages, but should have \($0)" }
          ?? words(kind).one)
    }
  }
}
