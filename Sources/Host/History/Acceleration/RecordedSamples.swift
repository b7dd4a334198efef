// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Quantities

extension SampleStore {
  /// Returns the samples after `start` and not after `end`, by the wall clock at the time of
  /// measurement. The samples are in the order of recording, so a clock that was set back neither
  /// hides nor reorders samples. To continue after a sample, pass its date as the next `start`.
  ///
  /// The samples are read when they are needed: segments of at most an hour and 4 MB. Samples that
  /// are recorded meanwhile may be included; segments that are deleted meanwhile are not. Every
  /// iterator starts at the beginning. Throws if the folder exists and cannot be read.
  public func samples(after start: Date = .distantPast, through end: Date = .distantFuture)
    throws(HistoryError) -> RecordedSamples
  {
    // The store's folder is checked here, because a sequence cannot throw.
    _ = try segments()
    return RecordedSamples(store: self, start: start, end: end)
  }
}

/// The samples of a store, which are read when they are needed.
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

  /// Returns the nanoseconds of a date. `.distantPast` gives the lowest number, because this date
  /// is below the range of 64 bits.
  private static func nanoseconds(_ date: Date) -> Int64 {
    let scaled = (date.timeIntervalSince1970 * 1e9).rounded()
    if scaled.isNaN { return 0 }
    return scaled >= 9e18 ? 9_000_000_000_000_000_000 : Int64(Swift.max(scaled, -9e18))
  }

  public struct Iterator: IteratorProtocol, Sendable {
    var segments: ArraySlice<Segment>
    let start: Date
    let end: Date
    /// The interval in nanoseconds, accurate to half a microsecond. Blocks are compared with this
    /// interval.
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
            // Samples are compared as dates, which are less precise than nanoseconds. Otherwise a
            // caller that passes a sample's date as the next `start` could receive that sample
            // again.
            let date = recorded.date
            if date > start, date <= end { return recorded }
          }
        }
        block = nextBlock()
        index = 0
        if block == nil { return nil }
      }
    }

    /// Returns the next block that may contain samples of the interval; `nil` after the last.
    private mutating func nextBlock() -> SampleBlock? {
      while true {
        while let header = walk.peek() {
          // A segment's blocks are ordered by time, apart from jumps of the wall clock up to the
          // slack, and a block lasts only seconds. So no later block of the segment can match.
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

    /// Returns true if a block ends before `wall`. For evenly timed blocks the header is
    /// sufficient; for other blocks the samples are read.
    private static func isBefore(_ header: BlockHeader, _ wall: Int64) -> Bool {
      guard !header.hasOwnTimes else { return false }
      let length = Int64(header.count) * Int64(header.period)
      return header.clocks.wall + length + Segment.slack < wall
    }

    private mutating func nextSegment() -> [UInt8]? {
      while let segment = segments.popFirst() {
        // A segment that does not start with a block is damaged at the start, so the segment is
        // searched for blocks.
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
