// SPDX-License-Identifier: Apache-2.0

/// The range of message numbers in a spool, in the form that is stored on disk.
struct SpoolPosition: Equatable {
  /// The number of the oldest unacknowledged message.
  var base: Spool.Index = 0
  /// The number that the next appended message gets.
  var end: Spool.Index = 0
  /// The number of messages from `base` to `end` that were lost and reported as dropped.
  var lost: UInt64 = 0

  static let size = 96

  /// The text of the position with its checksum, in `size` bytes.
  var bytes: [UInt8] {
    let numbers = Array("\(base) \(end) \(lost) ".utf8)
    let text = numbers + Array("\(SpoolRecord.sum(numbers[...]))".utf8)
    return text + [UInt8](repeating: 0x20, count: max(0, Self.size - 1 - text.count)) + [0x0A]
  }
}

extension SpoolPosition {
  /// Parses a stored copy. Returns `nil` if the copy is damaged.
  init?(bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count >= 3, let base = UInt64(words[0]), let end = UInt64(words[1]),
      let lost = UInt64(words[2]), base <= end, end < SpoolRecord.numberLimit, lost <= end - base
    else { return nil }
    self.init(base: base, end: end, lost: lost)
    guard self.bytes == bytes else { return nil }
  }

  /// Combines the readable copies, for a folder whose first valid message has the number `first`.
  /// Returns `nil` if no copy is readable.
  ///
  /// Copies differ if they are from different times, or if one is from another spool. A message in
  /// the files then counts as waiting unless both copies are past it. A message may therefore be
  /// sent twice, but no message is lost.
  static func of(_ copies: [SpoolPosition], first: Spool.Index?) -> SpoolPosition? {
    let sorted = copies.sorted { ($0.end, $0.base) < ($1.end, $1.base) }
    guard let oldest = sorted.first, var newest = sorted.last, newest != oldest else {
      return sorted.first
    }
    newest.base = min(newest.base, max(oldest.base, first ?? newest.base))
    newest.end = max(oldest.end, newest.base)
    newest.lost = min(newest.lost, newest.end - newest.base)
    return newest
  }
}
