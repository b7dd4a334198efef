// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Quantities

extension SampleStore {
  /// Returns the samples after `start` and not after `end`, by the wall clock as it was set when
  /// they were measured. They come in the order of recording, so that a clock that was set back
  /// hides none and moves none. Passing the date of a sample as the next `start` goes on behind it.
  ///
  /// They are read as they are asked for: from the disk a segment of at most an hour, and 4 MB, at
  /// a time. Samples recorded meanwhile are found or not; segments that grew too old are not. Every
  /// iterator starts at the begin. Throws where there is a folder that cannot be read.
  public func samples(after start: Date = .distantPast, through end: Date = .distantFuture)
    throws(HistoryError) -> RecordedSamples
  {
    // Asked here, because a sequence has no way to throw.
    _ = try segments()
    return RecordedSamples(store: self, start: start, end: end)
  }
}

/// Samples of a store, read as they are asked for.
public struct RecordedSamples: Sequence, Sendable {
  let store: SampleStore
  let start: Date
  let end: Date

  public func makeIterator() -> Iterator {
    let segments = (try? store.segments()) ?? []
    return Iterator(
      segments: segments[...], start: start, end: end, first: Self.nanoseconds(start),
      last: Self.nanoseconds(end))
  }

  /// Held at the ends: `.distantPast` is before what 64 bits can count.
  private static func nanoseconds(_ date: Date) -> Int64 {
    let scaled = (date.timeIntervalSince1970 * 1e9).rounded()
    if scaled.isNaN { return 0 }
    return scaled >= 9e18 ? 9_000_000_000_000_000_000 : Int64(Swift.max(scaled, -9e18))
  }

  public struct Iterator: IteratorProtocol, Sendable {
    var segments: ArraySlice<Segment>
    let start: Date
    let end: Date
    /// The same in nanoseconds, for blocks: to half a microsecond.
    let first: Int64
    let last: Int64
    private var walk = BlockWalk([])
    private var block: SampleBlock?
    private var index = 0

    init(segments: ArraySlice<Segment>, start: Date, end: Date, first: Int64, last: Int64) {
      self.segments = segments
      self.start = start
      self.end = end
      self.first = first
      self.last = last
    }

    public mutating func next() -> RecordedSample? {
      while true {
        if let block {
          while index < block.samples.count {
            let sample = block.samples[index]
            let wall = block.clocks.wall + (sample.timestamp - block.clocks.boot).nanoseconds
            let recorded = RecordedSample(
              identifier: block.identifier, wall: wall, timestamp: sample.timestamp,
              acceleration: sample.acceleration)
            index += 1
            // In dates, so that the date of a sample compares with itself as equal.
            let date = recorded.date
            if date > start, date <= end { return recorded }
          }
        }
        block = nextBlock()
        index = 0
        if block == nil { return nil }
      }
    }

    /// The next block that may hold something of the interval.
    private mutating func nextBlock() -> SampleBlock? {
      while true {
        while let header = walk.peek() {
          // Blocks of a segment are in order up to the slack, and last seconds.
          if header.clocks.wall - 2 * Segment.slack > last { break }
          if Self.isBefore(header, first) {
            walk.skip(header)
          } else if let block = walk.next() {
            return block
          }
        }
        guard let bytes = nextSegment() else { return nil }
        walk = BlockWalk(bytes)
      }
    }

    /// Returns true where a block ends before `wall`: in evenly timed ones the header says so,
    /// others are read.
    private static func isBefore(_ header: BlockHeader, _ wall: Int64) -> Bool {
      guard !header.hasOwnTimes else { return false }
      let length = Int64(header.count) * Int64(header.period)
      return header.clocks.wall + length + Segment.slack < wall
    }

    private mutating func nextSegment() -> [UInt8]? {
      while let segment = segments.popFirst() {
        // A segment that does not begin with a block is damaged there, and looked through.
        if let header = segment.header {
          if header.clocks.wall - 2 * Segment.slack > last { continue }
          if header.clocks.wall + Segment.longest + 2 * Segment.slack < first { continue }
        }
        if let bytes = segment.read(), !bytes.isEmpty { return bytes }
      }
      return nil
    }
  }
}
