// SPDX-License-Identifier: Apache-2.0

/// A queue of messages on disk, oldest first, in a folder of numbered files. If its size exceeds a
/// limit, the oldest file is deleted, and the messages in it are counted as dropped.
///
/// A message stays until it is acknowledged. Messages that were read but not acknowledged are read
/// again after `rewind`, or by the next process. One process uses the folder at a time. Messages
/// are numbered, and the first and last number are stored twice. Messages that are lost on disk are
/// therefore counted as missing numbers, and reading continues after them.
struct Spool {
  /// The number of a message in the order of the spool, across processes.
  typealias Index = UInt64

  private struct Segment {
    let file: SpoolFile
    /// The number of the segment's first message.
    let first: Index
  }

  /// The maximum size on disk in bytes; 0 disables the spool.
  let limit: Int
  /// The number of messages from earlier processes that are damaged or missing on disk, and that no
  /// process has reported yet.
  private(set) var damaged: UInt64 = 0
  private let place: SpoolFolder
  /// The files with the two copies of the position.
  private let positions: [SpoolFile]
  private var segments: [Segment] = []
  /// The number of the oldest unacknowledged message, and an offset in the first segment that is
  /// not after this message.
  private var base: Index = 0
  private var baseOffset = 0
  /// The number that the next appended message gets.
  private var end: Index = 0
  /// The number of the next message to read, and an offset in the segment that begins with `first`.
  private var next: Index = 0
  private var cursor: (first: Index, offset: Int) = (0, 0)
  /// The end offsets of messages that were read, and the messages acknowledged out of order.
  private var ends: [Index: Int] = [:]
  private var acknowledged: Set<Index> = []
  /// The messages from `base` on that were lost on disk and are already counted.
  private var lost = RangeSet<Index>()

  var folder: String { place.path }

  /// Opens the spool in `folder`, which is created if missing, with the messages from earlier
  /// processes. Throws `.file` if this fails, if another process has locked the folder, or if the
  /// folder or a file in it belongs to another user.
  init(folder: String, limit: Int) throws(PublishError) {
    self.limit = limit
    place = try SpoolFolder(path: folder)
    guard let position = try SpoolFile("position", in: place), position.lock() else {
      throw .file("\(folder): in use by another otolith; choose another folder with --spool")
    }
    positions = [position, try SpoolFile("position.copy", in: place)].compactMap(\.self)
    try load()
  }

  var count: UInt64 { end - base - UInt64(acknowledged.count) - lost.total }

  var isEmpty: Bool { count == 0 }

  var hasUnread: Bool { next < end }

  private var bytes: Int { segments.reduce(0) { $0 + $1.file.size } }

  /// Returns the number of the message that follows the last one of a segment.
  private func end(of segment: Int) -> Index {
    segment + 1 < segments.count ? segments[segment + 1].first : end
  }

  // MARK: Messages in

  /// Appends `message`. Returns the number of messages that were dropped to make room: older
  /// messages, or `message` itself if the spool is disabled. Throws if the disk is full; the
  /// message is then not in the spool.
  mutating func append(_ message: Message) throws(PublishError) -> UInt64 {
    guard let record = SpoolRecord.bytes(message, number: end), record.count <= limit else {
      return 1
    }
    var dropped: UInt64 = 0
    while bytes + record.count > limit, !segments.isEmpty { dropped += dropOldest() }
    if segments.last.map({ $0.file.size + record.count > max(limit / 8, record.count) }) ?? true {
      try addSegment()
    }
    // Store the new number first. A message that is cut off by a kill or a power failure then
    // counts as missing.
    end += 1
    savePosition()
    do throws(PublishError) { try segments[segments.count - 1].file.append(record) } catch {
      end -= 1
      savePosition()
      throw error
    }
    return dropped
  }

  private mutating func addSegment() throws(PublishError) {
    segments.last?.file.sync()
    if segments.isEmpty { (baseOffset, cursor) = (0, (end, 0)) }
    var number = 1
    var file: SpoolFile?
    while file == nil {
      file = try SpoolFile(SpoolFolder.name(number), in: place, isNew: true)
      number += 1
    }
    if let file { segments.append(Segment(file: file, first: end)) }
  }

  private mutating func dropOldest() -> UInt64 {
    let end = max(end(of: 0), base)
    let oldest = segments.removeFirst()
    // Exclude messages that were acknowledged out of order, because they have arrived. Also exclude
    // lost messages, because they are already counted.
    let early = acknowledged.count { $0 < end }
    let dropped =
      end - base - UInt64(early) - lost.intersection(RangeSet(base..<end)).total
    base = end
    baseOffset = 0
    if next < base { rewindCursor(to: base) }
    ends = ends.filter { $0.key >= base }
    acknowledged = acknowledged.filter { $0 >= base }
    lost.remove(contentsOf: 0..<base)
    remove(oldest.file)
    return dropped
  }

  // MARK: Messages out

  /// Returns the next unread message; `nil` after the last message. Adds to `lost` the number of
  /// damaged messages before the returned message.
  mutating func read(lost count: inout UInt64) -> (index: Index, message: Message)? {
    while next < end {
      guard let segment = segments.lastIndex(where: { $0.first <= next }) else {
        count += lose(next..<(segments.first?.first ?? end))
        continue
      }
      let (first, upper) = (segments[segment].first, end(of: segment))
      if cursor.first != first { cursor = (first, segment == 0 ? baseOffset : 0) }
      guard let found = segments[segment].file.next(from: cursor.offset, in: next..<upper) else {
        count += lose(next..<upper)
        continue
      }
      cursor.offset = found.end
      if found.number > next { count += lose(next..<found.number) }
      next = found.number + 1
      // This message was acknowledged before a rewind.
      if acknowledged.contains(found.number) { continue }
      ends[found.number] = found.end
      return (found.number, found.message)
    }
    return nil
  }

  /// Skips messages that cannot be read. Returns the number of those that were not counted before.
  private mutating func lose(_ range: Range<Index>) -> UInt64 {
    var new = RangeSet(range)
    new.subtract(lost)
    for index in acknowledged where range.contains(index) {
      new.remove(contentsOf: index..<index + 1)
    }
    lost.formUnion(new)
    next = max(next, range.upperBound)
    advanceBase()
    return new.total
  }

  /// Removes a message that was read. Returns false if the spool dropped the message after it was
  /// read.
  @discardableResult
  mutating func acknowledge(_ index: Index) -> Bool {
    guard index >= base, ends[index] != nil, acknowledged.insert(index).inserted else {
      return false
    }
    advanceBase()
    return true
  }

  /// Advances `base` past acknowledged and lost messages, and removes files that are completely
  /// before `base`.
  private mutating func advanceBase() {
    while base < end {
      if acknowledged.remove(base) != nil {
        baseOffset = ends.removeValue(forKey: base) ?? baseOffset
        base += 1
      } else if let gap = lost.ranges.first, gap.lowerBound <= base {
        base = max(base, gap.upperBound)
        lost.remove(contentsOf: gap)
      } else {
        break
      }
      while !segments.isEmpty, base >= end(of: 0) {
        let file = segments.removeFirst().file
        baseOffset = 0
        remove(file)
      }
    }
    if next < base { rewindCursor(to: base) }
  }

  /// Marks all unacknowledged messages as unread.
  mutating func rewind() {
    rewindCursor(to: base)
    ends = ends.filter { acknowledged.contains($0.key) }
  }

  private mutating func rewindCursor(to index: Index) {
    next = index
    cursor = (segments.first?.first ?? end, baseOffset)
  }

  // MARK: Files

  /// Writes appended messages and the position to disk.
  mutating func sync() {
    segments.last?.file.sync()
    savePosition()
  }

  /// Stores the position for the next process.
  private func savePosition() {
    let bytes = SpoolPosition(base: base, end: end, lost: lost.total).bytes
    for copy in positions { copy.replace(with: bytes) }
  }

  /// Removes a file whose messages were all acknowledged or counted, after the new position is on
  /// disk.
  private func remove(_ file: SpoolFile) {
    savePosition()
    positions.first?.sync()
    file.remove()
  }

  private mutating func load() throws(PublishError) {
    var found: [(file: SpoolFile, numbers: Range<Index>)] = []
    var numbers = RangeSet<Index>()
    var unnumbered: UInt64 = 0
    for name in place.names {
      guard let file = try SpoolFile(name, in: place) else { continue }
      let scanned = file.scan()
      unnumbered += scanned.damaged
      numbers.formUnion(scanned.numbers)
      if let first = scanned.numbers.ranges.first, let last = scanned.numbers.ranges.last {
        found.append((file, first.lowerBound..<last.upperBound))
      } else {
        file.remove()
      }
    }
    let copies = positions.compactMap {
      SpoolPosition(bytes: $0.bytes(at: 0, count: SpoolPosition.size))
    }
    let first = numbers.ranges.first?.lowerBound
    let saved = SpoolPosition.of(copies, first: first)
    base = saved?.base ?? first ?? 0
    end = max(saved?.end ?? base, numbers.ranges.last?.upperBound ?? base, base)
    lost = RangeSet(base..<end)
    lost.subtract(numbers)
    let missing = lost.total - min(lost.total, saved?.lost ?? 0)
    // Without a stored position, also count damaged messages before the first and after the last
    // number.
    damaged = saved == nil ? max(missing, unnumbered) : missing
    var held = base
    for (file, numbers) in found.sorted(by: { $0.numbers.lowerBound < $1.numbers.lowerBound }) {
      // Skip numbers that are already known, because a copy of a file contains such numbers.
      let begin = max(numbers.lowerBound, held)
      if begin < numbers.upperBound {
        segments.append(Segment(file: file, first: begin))
        held = numbers.upperBound
      } else {
        file.remove()
      }
    }
    rewindCursor(to: base)
    advanceBase()
    savePosition()
  }
}
