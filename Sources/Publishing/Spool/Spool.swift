// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Messages that wait on disk, oldest first, in a folder of numbered files that together stay
/// below a limit: of more than it holds, the oldest file goes, and what was in it is counted.
///
/// A message stays until it is acknowledged; those that were read and not acknowledged are read
/// again after `rewind`, or by the next process. The folder has one user at a time.
struct Spool {
  /// A number for each message, in the order of the spool.
  typealias Index = UInt64

  private struct Segment {
    let file: SpoolFile
    let number: Int
    var first: Index
    var count: UInt64
    var end: Index { first + count }
  }

  let folder: String
  /// Bytes on disk, at most; 0: nothing is kept.
  let limit: Int
  private let position: SpoolFile
  private var segments: [Segment] = []
  /// The oldest that is not acknowledged, and its place in the first segment.
  private var base: Index = 0
  private var baseOffset = 0
  /// The next to be read, and its place in its segment.
  private var next: Index = 0
  private var nextOffset = 0
  /// Ends of what was read, and which of that was acknowledged before its elders.
  private var ends: [Index: Int] = [:]
  private var acknowledged: Set<Index> = []
  private var lastNumber = 0

  /// Opens the spool in `folder`, which is made where it is not there, with what an earlier process
  /// left in it. Throws `.file` where that cannot be, or another process has it.
  init(folder: String, limit: Int) throws(PublishError) {
    self.folder = folder
    self.limit = limit
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw .file("\(folder): \(error.localizedDescription)") }
    position = try SpoolFile(path: folder + "/position")
    guard position.lock() else {
      throw .file("\(folder): another otolith publishes from there; name another with --spool")
    }
    try load()
  }

  /// The messages that are not acknowledged.
  var count: UInt64 { (segments.last?.end ?? base) - base - UInt64(acknowledged.count) }

  var isEmpty: Bool { count == 0 }

  /// True where some were not read yet.
  var hasUnread: Bool { next < segments.last?.end ?? base }

  private var bytes: Int { segments.reduce(0) { $0 + $1.file.size } }

  // MARK: Messages in

  /// Appends `message`. Returns how many were dropped for it: older ones, or itself where nothing
  /// is to be kept. Throws where the disk takes no more; then it is not in the spool.
  mutating func append(_ message: Message) throws(PublishError) -> UInt64 {
    let record = SpoolRecord.bytes(message)
    guard record.count <= limit else { return 1 }
    var dropped: UInt64 = 0
    while bytes + record.count > limit, !segments.isEmpty { dropped += dropOldest() }
    if segments.last.map({ $0.file.size + record.count > max(limit / 8, record.count) }) ?? true {
      try addSegment()
    }
    try segments[segments.count - 1].file.append(record)
    segments[segments.count - 1].count += 1
    return dropped
  }

  private mutating func addSegment() throws(PublishError) {
    let file = try SpoolFile(path: folder + "/" + Self.name(lastNumber + 1))
    lastNumber += 1
    if segments.isEmpty { (baseOffset, nextOffset) = (0, 0) }
    segments.append(
      Segment(file: file, number: lastNumber, first: segments.last?.end ?? base, count: 0))
  }

  private mutating func dropOldest() -> UInt64 {
    let oldest = segments.removeFirst()
    oldest.file.remove()
    // Those that were acknowledged out of turn have arrived.
    let early = acknowledged.count { $0 < oldest.end }
    let dropped = oldest.end - base - UInt64(early)
    base = oldest.end
    baseOffset = 0
    if next < base { (next, nextOffset) = (base, 0) }
    ends = ends.filter { $0.key >= base }
    acknowledged = acknowledged.filter { $0 >= base }
    return dropped
  }

  // MARK: Messages out

  /// Returns the next message that was not read yet; `nil` after the last. One that the disk gives
  /// back damaged is left out with the rest of its file, and counted in `lost`.
  mutating func read(lost: inout UInt64) -> (index: Index, message: Message)? {
    while let place = segments.firstIndex(where: { next < $0.end }) {
      let segment = segments[place]
      // A first segment may begin behind what an earlier process had read.
      if next == segment.first { nextOffset = place == 0 ? baseOffset : 0 }
      guard let (message, end) = segment.file.message(at: nextOffset) else {
        lost += segment.end - next
        for index in next..<segment.end { skip(index, end: segment.file.size) }
        next = segment.end
        continue
      }
      let index = next
      next += 1
      nextOffset = end
      // Acknowledged before a rewind.
      if acknowledged.contains(index) { continue }
      ends[index] = end
      return (index, message)
    }
    return nil
  }

  private mutating func skip(_ index: Index, end: Int) {
    ends[index] = end
    acknowledge(index)
  }

  /// Takes a message that was read out of the spool; false where it was dropped meanwhile.
  @discardableResult
  mutating func acknowledge(_ index: Index) -> Bool {
    guard index >= base, ends[index] != nil, acknowledged.insert(index).inserted else {
      return false
    }
    while acknowledged.remove(base) != nil {
      baseOffset = ends.removeValue(forKey: base) ?? baseOffset
      base += 1
      while let first = segments.first, base >= first.end, segments.count > 1 || !hasUnread {
        first.file.remove()
        segments.removeFirst()
        baseOffset = 0
      }
    }
    if segments.isEmpty { next = base }
    return true
  }

  /// Lets all that was not acknowledged be read again.
  mutating func rewind() {
    (next, nextOffset) = (base, baseOffset)
    ends = ends.filter { acknowledged.contains($0.key) }
  }

  // MARK: Files

  /// Sends what was appended to the disk, and where reading is to go on.
  mutating func sync() {
    segments.last?.file.sync()
    savePosition()
  }

  /// Notes where reading is to go on, for the next process.
  private func savePosition() {
    let text = "\(segments.first?.number ?? 0) \(baseOffset) "
    position.replace(with: Array((text.padding(toLength: 40, withPad: " ", startingAt: 0)).utf8))
  }

  private static func name(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits + ".spool"
  }

  private mutating func load() throws(PublishError) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.filter { $0.hasSuffix(".spool") }.compactMap { Int($0.dropLast(6)) }
    let words = String(decoding: position.bytes(at: 0, count: 40), as: UTF8.self).split(
      separator: " ")
    let saved = words.count == 2 ? (Int(words[0]) ?? 0, Int(words[1]) ?? 0) : (0, 0)
    lastNumber = numbers.max() ?? 0
    for number in numbers.sorted() {
      let file = try SpoolFile(path: folder + "/" + Self.name(number))
      // Before the position all has arrived.
      if number < saved.0 {
        file.remove()
        continue
      }
      let start = segments.isEmpty && number == saved.0 && saved.1 <= file.size ? saved.1 : 0
      if segments.isEmpty { (baseOffset, nextOffset) = (start, start) }
      var (offset, count) = (start, UInt64(0))
      while let (_, end) = file.message(at: offset) { (offset, count) = (end, count + 1) }
      // What a power cut left of the last.
      if offset < file.size { file.truncate(to: offset) }
      if count == 0 {
        file.remove()
        continue
      }
      segments.append(
        Segment(file: file, number: number, first: segments.last?.end ?? base, count: count))
    }
    if segments.isEmpty { (baseOffset, nextOffset) = (0, 0) }
  }
}
