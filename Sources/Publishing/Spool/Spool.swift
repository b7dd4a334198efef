// SPDX-License-Identifier: Apache-2.0

/// Messages that wait on disk, oldest first, in a folder of numbered files that together stay
/// below a limit: of more than it holds, the oldest file goes, and what was in it is counted.
///
/// A message stays until it is acknowledged; those that were read and not acknowledged are read
/// again after `rewind`, or by the next process. The folder has one user at a time. Every message
/// has a number, and the first and last number are noted twice: what the disk loses is counted by
/// the numbers that are missing, and reading goes on behind it.
struct Spool {
  /// A number for each message, in the order of the spool, across processes.
  typealias Index = UInt64

  private struct Segment {
    let file: SpoolFile
    /// The number that its first message has.
    let first: Index
  }

  /// Bytes on disk, at most; 0: nothing is kept.
  let limit: Int
  /// Messages of earlier processes that are damaged or missing on the disk, and that no process
  /// has reported yet.
  private(set) var damaged: UInt64 = 0
  private let place: SpoolFolder
  /// Two copies of the position.
  private let positions: [SpoolFile]
  private var segments: [Segment] = []
  /// The oldest that is not acknowledged, and a place in the first segment in front of it.
  private var base: Index = 0
  private var baseOffset = 0
  /// The number of the next message that is appended.
  private var end: Index = 0
  /// The next to be read, and where to look for it in the segment that begins with `first`.
  private var next: Index = 0
  private var cursor: (first: Index, offset: Int) = (0, 0)
  /// Ends of what was read, and which of that was acknowledged before its elders.
  private var ends: [Index: Int] = [:]
  private var acknowledged: Set<Index> = []
  /// From `base` on, what the disk has lost; counted already.
  private var lost = RangeSet<Index>()

  var folder: String { place.path }

  /// Opens the spool in `folder`, which is made where it is missing, with what an earlier process
  /// left in it. Throws `.file` where that fails, the folder or a file in it belongs to another
  /// user, or another process has it.
  init(folder: String, limit: Int) throws(PublishError) {
    self.limit = limit
    place = try SpoolFolder(path: folder)
    guard let position = try SpoolFile("position", in: place), position.lock() else {
      throw .file("\(folder): another otolith publishes from there; name another with --spool")
    }
    positions = [position, try SpoolFile("position.copy", in: place)].compactMap(\.self)
    try load()
  }

  /// The messages that are not acknowledged.
  var count: UInt64 { end - base - UInt64(acknowledged.count) - lost.total }

  var isEmpty: Bool { count == 0 }

  /// True where some were not read yet.
  var hasUnread: Bool { next < end }

  private var bytes: Int { segments.reduce(0) { $0 + $1.file.size } }

  /// The number behind the last message of a segment.
  private func end(of segment: Int) -> Index {
    segment + 1 < segments.count ? segments[segment + 1].first : end
  }

  // MARK: Messages in

  /// Appends `message`. Returns how many were dropped for it: older ones, or itself where nothing
  /// is to be kept. Throws where the disk takes no more; then it is not in the spool.
  mutating func append(_ message: Message) throws(PublishError) -> UInt64 {
    guard let record = SpoolRecord.bytes(message, number: end), record.count <= limit else {
      return 1
    }
    var dropped: UInt64 = 0
    while bytes + record.count > limit, !segments.isEmpty { dropped += dropOldest() }
    if segments.last.map({ $0.file.size + record.count > max(limit / 8, record.count) }) ?? true {
      try addSegment()
    }
    // Counted first: a message that a kill or a power cut tears is one that is missing.
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
    // Those that were acknowledged out of turn have arrived; what was lost is counted.
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

  /// Returns the next message that was not read yet; `nil` after the last. Those in front of it
  /// that the disk gives back damaged are counted in `lost`.
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
      // Acknowledged before a rewind.
      if acknowledged.contains(found.number) { continue }
      ends[found.number] = found.end
      return (found.number, found.message)
    }
    return nil
  }

  /// Passes over messages that cannot be read. Returns how many of them were not counted yet.
  private mutating func lose(_ range: Range<Index>) -> UInt64 {
    var new = RangeSet(range)
    new.subtract(lost)
    for index in acknowledged where range.contains(index) {
      new.remove(contentsOf: index..<index + 1)
    }
    lost.formUnion(new)
    next = max(next, range.upperBound)
    settle()
    return new.total
  }

  /// Takes a message that was read out of the spool; false where it was dropped meanwhile.
  @discardableResult
  mutating func acknowledge(_ index: Index) -> Bool {
    guard index >= base, ends[index] != nil, acknowledged.insert(index).inserted else {
      return false
    }
    settle()
    return true
  }

  /// Moves `base` over what is acknowledged or lost, and removes files that end in front of it.
  private mutating func settle() {
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

  /// Lets all that was not acknowledged be read again.
  mutating func rewind() {
    rewindCursor(to: base)
    ends = ends.filter { acknowledged.contains($0.key) }
  }

  private mutating func rewindCursor(to index: Index) {
    next = index
    cursor = (segments.first?.first ?? end, baseOffset)
  }

  // MARK: Files

  /// Sends what was appended to the disk, and where reading is to go on.
  mutating func sync() {
    segments.last?.file.sync()
    savePosition()
  }

  /// Notes where reading is to go on, for the next process.
  private func savePosition() {
    let bytes = SpoolPosition(base: base, end: end, lost: lost.total).bytes
    for copy in positions { copy.replace(with: bytes) }
  }

  /// Removes a file whose messages are accounted for: on the disk, too, before it goes.
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
      let survey = file.survey()
      unnumbered += survey.damaged
      numbers.formUnion(survey.numbers)
      if let first = survey.numbers.ranges.first, let last = survey.numbers.ranges.last {
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
    // Without a position, what is damaged in front of the first number and behind the last counts.
    damaged = saved == nil ? max(missing, unnumbered) : missing
    var held = base
    for (file, numbers) in found.sorted(by: { $0.numbers.lowerBound < $1.numbers.lowerBound }) {
      // A file that was copied has nothing new.
      let begin = max(numbers.lowerBound, held)
      if begin < numbers.upperBound {
        segments.append(Segment(file: file, first: begin))
        held = numbers.upperBound
      } else {
        file.remove()
      }
    }
    rewindCursor(to: base)
    settle()
    savePosition()
  }
}
