// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import Quantities
internal import SystemPackage

/// The writer of a store. While a writer exists, other processes cannot open a writer, but can read
/// the store.
public struct SampleWriter: ~Copyable, Sendable {
  public let store: SampleStore
  /// The time span for which samples are kept.
  public let retention: TimeSpan
  private let clocks: HostClocks
  private let lock: FileDescriptor
  /// The type is not `Current?`, because Swift 6.2 destroys its implicit first value `nil` twice if
  /// `init` throws.
  private var current: Optional<Current>
  private var nextIdentifier: UInt64

  /// The segment file that is being written.
  private struct Current {
    let segment: Segment
    let file: FileDescriptor
    /// The size of the valid blocks in bytes. Anything after these blocks must be truncated first.
    var size: Int
    /// True if partial data may follow the segment's valid blocks.
    var isTorn = false
    /// The clocks of the first block and the wall clock of the last sample; `nil` for an empty
    /// segment.
    var span: (first: ClockReading, boot: BootIdentifier, endWall: Int64)?
  }

  /// Opens the store for writing. Creates its folder, removes an incomplete block of an earlier
  /// writer, and deletes data older than `retention`. Throws `.inUse` if another writer is open.
  public init(
    _ store: SampleStore, keeping retention: TimeSpan = .seconds(3 * 86_400),
    clocks: HostClocks = .system
  ) throws(HistoryError) {
    try HistoryPlace.make(store.folder)
    let lock = try WriterLock.take(in: store.folder)
    let resumed: (current: Current?, next: UInt64)
    do throws(HistoryError) { resumed = try Self.resume(store) } catch {
      try? lock.close()
      throw error
    }
    self.store = store
    self.retention = retention
    self.clocks = clocks
    self.lock = lock
    nextIdentifier = resumed.next
    current = resumed.current
    prune()
  }

  deinit {
    try? current?.file.close()
    try? lock.close()
  }

  /// Writes `samples`, in the order of their times, and returns when the samples are on disk.
  /// `lost` samples preceded them. Samples that are not finite, or not later than the previous
  /// sample, are skipped. Samples of one call have the same batch identifier, unless there are very
  /// many samples, or gaps of more than four seconds.
  ///
  /// If this function throws, the remaining `samples` are not stored and the file is unchanged. A
  /// later call may succeed: after `.noSpace` once there is space again.
  public mutating func append(_ samples: [TimedAcceleration], lost: UInt64 = 0)
    throws(HistoryError)
  {
    let now = clocks.now()
    var lost = lost
    for run in Self.runs(of: samples) {
      guard let first = run.first, let last = run.last else { continue }
      let block = SampleBlock(
        identifier: nextIdentifier, clocks: Self.clocks(at: first, last: last, now: now),
        boot: clocks.boot, lost: UInt32(clamping: lost), samples: run)
      try write(block)
      lost = 0
    }
  }

  /// Returns what the clocks showed at the sample `first`. A recording that is played back has time
  /// stamps of another clock; its sample `last` is then taken as measured now.
  private static func clocks(
    at first: TimedAcceleration, last: TimedAcceleration, now: ClockReading
  ) -> ClockReading {
    let age = now.boot - last.timestamp
    let isForeign = abs(age.seconds) > 60
    let sinceFirst = isForeign ? last.timestamp - first.timestamp : now.boot - first.timestamp
    return ClockReading(
      wall: now.wall &- sinceFirst.nanoseconds, boot: first.timestamp, suspended: now.suspended)
  }

  private static func runs(of samples: [TimedAcceleration]) -> [[TimedAcceleration]] {
    var runs: [[TimedAcceleration]] = []
    var run: [TimedAcceleration] = []
    for sample in samples where sample.acceleration.isFinite {
      if let last = run.last {
        let step = (sample.timestamp - last.timestamp).nanoseconds
        if step <= 0 { continue }
        if step > 4_000_000_000 || run.count == SampleBlock.mostSamples {
          runs.append(run)
          run = []
        }
      }
      run.append(sample)
    }
    if !run.isEmpty { runs.append(run) }
    return runs
  }

  // MARK: Files

  private mutating func write(_ block: SampleBlock) throws(HistoryError) {
    if current.map({ !Self.fits(block, $0) || Self.isErased($0) }) ?? true {
      let segment = Segment(in: store.folder, first: block.identifier)
      let file = try Self.create(segment, in: store.folder)
      try? current?.file.close()
      current = Current(segment: segment, file: file, size: 0)
      prune()
    }
    guard var target = current.take() else { return }
    defer { current = target }
    try Self.put(block.encoded, into: &target)
    target.span = (
      target.span?.first ?? block.clocks, target.span?.boot ?? block.boot, block.endWall
    )
    nextIdentifier = block.identifier + 1
  }

  /// Returns true if `block` may be added to the segment (see `Segment`).
  private static func fits(_ block: SampleBlock, _ current: Current) -> Bool {
    guard let span = current.span else { return true }
    return span.boot == block.boot && current.size < Segment.largest
      && block.clocks.wall >= span.endWall - Segment.slack
      && block.endWall <= span.first.wall + Segment.longest
      && block.clocks.boot >= span.first.boot
  }

  /// Returns true if the file was deleted, so that data written to it would never be read.
  private static func isErased(_ current: Current) -> Bool {
    var status = stat()
    // The C function keeps neither pointer.
    return unsafe fstat(current.file.rawValue, &status) == 0 && status.st_nlink == 0
  }

  private static func create(_ segment: Segment, in folder: String) throws(HistoryError)
    -> FileDescriptor
  {
    // After a full disk, an empty file with the segment's name may exist.
    let file = try StateFile.open(segment.path, .writeOnly, options: .append)
    syncFolder(folder)
    return file
  }

  /// Flushes the folder to the disk. Without this flush a new file may be missing after a power
  /// failure.
  private static func syncFolder(_ folder: String) {
    guard let folder = try? FileDescriptor.open(FilePath(folder), .readOnly) else { return }
    fsync(folder.rawValue)
    try? folder.close()
  }

  /// Writes all of `bytes` by one system call and flushes the bytes, or writes nothing.
  private static func put(_ bytes: [UInt8], into target: inout Current) throws(HistoryError) {
    let path = target.segment.path
    if target.isTorn { try cut(&target) }
    do {
      target.isTorn = true
      // The C function does not keep the buffer's pointer.
      let written = try unsafe bytes.withUnsafeBytes { try unsafe target.file.write($0) }
      // On a full disk the kernel writes only a part of the block.
      guard written == bytes.count else { throw Errno.noSpace }
      guard fdatasync(target.file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      target.size += written
      target.isTorn = false
    } catch {
      // If truncating the segment fails now, truncating is repeated before the next block or by the
      // next writer.
      try? cut(&target)
      throw HistoryError(error, path: path)
    }
  }

  private static func cut(_ target: inout Current) throws(HistoryError) {
    guard ftruncate(target.file.rawValue, off_t(target.size)) == 0 else {
      throw .last(path: target.segment.path)
    }
    target.isTorn = false
  }

  /// Opens the newest segment and continues where the last writer stopped.
  private static func resume(_ store: SampleStore) throws(HistoryError)
    -> (current: Current?, next: UInt64)
  {
    guard let segment = try store.segments().last else { return (nil, 1) }
    try StateFile.check(segment.path)
    guard let bytes = segment.read() else {
      throw HistoryError(.failed, path: segment.path, reason: "cannot be read")
    }
    var walk = BlockWalk(bytes)
    var first: SampleBlock?
    var last: SampleBlock?
    while let block = walk.next() {
      if first == nil { first = block }
      last = block
    }
    let file = try create(segment, in: store.folder)
    var current = Current(
      segment: segment, file: file, size: walk.end, isTorn: walk.end < bytes.count)
    if current.isTorn {
      do throws(HistoryError) { try cut(&current) } catch {
        try? file.close()
        throw error
      }
    }
    if let first, let last { current.span = (first.clocks, first.boot, last.endWall) }
    return (current, max(segment.first, (last?.identifier ?? 0) + 1))
  }

  // MARK: Retention

  /// Deletes segments whose last sample is too old. If a deletion fails, the deletion is tried
  /// again with the next segment.
  private func prune() {
    guard let segments = try? store.segments() else { return }
    let now = clocks.now()
    for (segment, following) in zip(segments, segments.dropFirst()) {
      if isTooOld(segment, following: following, now) {
        unsafe unlink(segment.path)  // the C function keeps no pointer
      }
    }
  }

  /// Returns true if a segment is too old. Within one boot the segment's age is computed from a
  /// clock that cannot be set, otherwise from the wall clock. If the wall clock was in the future
  /// during recording, the number of later blocks decides, because a block lasts about a second.
  private func isTooOld(_ segment: Segment, following: Segment, _ now: ClockReading) -> Bool {
    let kept = retention.nanoseconds
    if nextIdentifier - following.first > UInt64(clamping: kept / 1_000_000_000) { return true }
    // An empty segment before another one contains no samples and therefore no time.
    guard let header = segment.header else { return (segment.read()?.isEmpty) ?? false }
    if header.boot == clocks.boot {
      return (now.uptime - header.clocks.uptime).nanoseconds - Segment.longest > kept
    }
    // The difference is limited to the range of 64 bits, because each clock may have been set to
    // any time.
    let since = Timestamp(nanoseconds: now.wall) - TimeSpan(nanoseconds: Segment.longest)
    return (since - Timestamp(nanoseconds: header.clocks.wall)).nanoseconds > kept
  }
}
