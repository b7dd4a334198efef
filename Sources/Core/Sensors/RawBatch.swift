// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Raw frames with everything that is needed to decode the frames later. A recorded batch decodes
/// to the same values as the live batch.
public struct RawBatch: ~Copyable {
  /// The largest number of bytes in one batch. A fuller FIFO is read in several batches.
  public static var capacity: Int { 1024 }

  /// The number of frames in the batch, each `frameSize` bytes, oldest first.
  public var frames = 0
  public var frameSize = 0
  /// The time at which the batch's newest frame was sampled.
  public var newest = Timestamp.zero
  /// The measured time between two frames of the batch.
  public var period = TimeSpan.zero
  /// The number of samples known to be lost before the batch's first frame.
  public var missing: UInt32 = 0
  /// The data that the chip's decoder needs in addition to the frames: the register codes of the
  /// ranges, the code of the part, and trim words.
  public var format = InlineArray<40, UInt8>(repeating: 0)
  public var bytes = InlineArray<1024, UInt8>(repeating: 0)
  /// The chip's detections, oldest first. Only the first `detectionCount` are valid.
  public private(set) var detections = InlineArray<8, Detection>(repeating: Detection())
  public private(set) var detectionCount = 0
  private let pin = Pin()

  public init() {}

  /// Empties the batch for the next read of the chip. The bytes of the batch are not cleared.
  public mutating func removeAll() {
    frames = 0
    missing = 0
    detectionCount = 0
  }

  /// Adds an event that the chip detected. A batch holds eight events; any further event replaces
  /// the last one, because the newest event matters most.
  public mutating func append(_ detection: Detection) {
    let place = min(detectionCount, 7)
    detections[place] = detection
    detectionCount = place + 1
  }

  /// Adds a detection of this `kind` if the chip reports the event and `wanted` contains the kind.
  @inlinable @inline(__always)
  package mutating func append(
    _ kind: DetectionKind, of wanted: DetectionSet, if isThere: Bool?, at time: Timestamp,
    detail: @autoclosure () -> Int32 = 0
  ) {
    guard isThere == true, wanted.contains(DetectionSet(kind)) else { return }
    append(Detection(kind, at: time, detail: detail()))
  }

  /// Returns the time at which frame `index` was sampled.
  public func timestamp(ofFrame index: Int) -> Timestamp {
    newest - period * Int64(frames - 1 - index)
  }

  /// Returns byte `index` of the batch.
  @inlinable @inline(__always)
  public func byte(_ index: Int) -> UInt8 { bytes[index] }

  /// Returns two bytes of frame `index` at `offset`, high byte first.
  @inlinable @inline(__always)
  public func bigEndian(_ index: Int, _ offset: Int) -> Int16 {
    let start = index &* frameSize &+ offset
    return Int16(bitPattern: UInt16(bytes[start]) << 8 | UInt16(bytes[start &+ 1]))
  }

  /// Returns three words of frame `index` starting at `offset`, each word with its high byte first,
  /// in counts.
  @inlinable @inline(__always)
  public func bigEndianVector(_ index: Int, _ offset: Int) -> Vector3 {
    let start = index &* frameSize &+ offset
    // One span over the six bytes needs one bounds check instead of six. That check also catches an
    // index that wrapped.
    let words = bytes.span.extracting(start..<start &+ 6)
    // The conversion goes through Int, because the standard library uses 64-bit arithmetic for a
    // direct conversion.
    func count(_ place: Int) -> Scalar {
      Scalar(Int(Int16(bitPattern: UInt16(words[place]) << 8 | UInt16(words[place &+ 1]))))
    }
    return Vector3(count(0), count(2), count(4))
  }

  /// Returns three words of frame `index` starting at `offset`, each word with its low byte first,
  /// in counts.
  @inlinable @inline(__always)
  public func littleEndianVector(_ index: Int, _ offset: Int) -> Vector3 {
    let start = index &* frameSize &+ offset
    // One span over the six bytes needs one bounds check instead of six. That check also catches an
    // index that wrapped.
    let words = bytes.span.extracting(start..<start &+ 6)
    func count(_ place: Int) -> Scalar {
      Scalar(Int(Int16(bitPattern: UInt16(words[place &+ 1]) << 8 | UInt16(words[place]))))
    }
    return Vector3(count(0), count(2), count(4))
  }

  /// Returns two bytes of frame `index` at `offset`, low byte first.
  @inlinable @inline(__always)
  public func littleEndian(_ index: Int, _ offset: Int) -> Int16 {
    let start = index &* frameSize &+ offset
    return Int16(bitPattern: UInt16(bytes[start &+ 1]) << 8 | UInt16(bytes[start]))
  }
}
