// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Quantities
public import Recognition

/// A program's query about movement. Dates are nanoseconds since 1970, UTC, by the wall clock.
public enum MovementQuestion: Equatable, Sendable {
  /// The counts until now. With `counts` the service continues counting for this program, until it
  /// sends false or its connection ends.
  case now(counts: Bool)
  /// The sums from one date to another.
  case total(from: Int64, to: Int64)
  /// The bearer's activities from one date to another; the first may have begun earlier.
  case activities(from: Int64, to: Int64)
}

/// The bearer's activity from a date until the next activity.
public struct ServedActivity: Equatable, Sendable {
  /// The start in nanoseconds since 1970, UTC.
  public var start: Int64
  public var activities: ActivitySet
  public var confidence: ActivityConfidence

  public init(start: Int64, activities: ActivitySet, confidence: ActivityConfidence) {
    self.start = start
    self.activities = activities
    self.confidence = confidence
  }

  /// The largest number in an answer: longer lists are reduced to the newest.
  public static var most: Int { 12_000 }
}

// MARK: - Bytes

extension MovementQuestion {
  var kind: UInt8 {
    switch self {
    case .now: 9
    case .total: 10
    case .activities: 11
    }
  }

  func write(to writer: inout PacketWriter) {
    switch self {
    case .now(let counts): writer.write(counts)
    case .total(let start, let end), .activities(let start, let end):
      writer.write(start)
      writer.write(end)
    }
  }

  init(_ kind: UInt8, _ reader: inout PacketReader) throws(MalformedPacket) {
    switch kind {
    case 9: self = .now(counts: try reader.flag())
    case 10: self = .total(from: try reader.read(), to: try reader.read())
    default: self = .activities(from: try reader.read(), to: try reader.read())
    }
  }
}

extension MovementSnapshot {
  func write(to writer: inout PacketWriter) {
    writer.write(run)
    writer.write(isCounting)
    writer.write(movement.timestamp.nanoseconds)
    writer.write(UInt64(clamping: movement.counts.steps))
    writer.write(movement.counts.distance)
    writer.write(movement.counts.activeTime)
    writer.write(UInt32(clamping: movement.counts.floorsAscended))
    writer.write(UInt32(clamping: movement.counts.floorsDescended))
    writer.write(movement.currentCadence)
    writer.write(movement.currentPace)
    writer.write(movement.activity.timestamp.nanoseconds)
    writer.write(movement.activity.activities.rawValue)
    writer.write(movement.activity.confidence.rawValue)
    writer.write(event != nil)
    writer.write(event?.kind.rawValue ?? 0)
    writer.write(event?.timestamp.nanoseconds ?? 0)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    run = try reader.read()
    isCounting = try reader.flag()
    movement = Movement(timestamp: Timestamp(nanoseconds: try reader.read()))
    movement.counts.steps = Int(clamping: try reader.read(UInt64.self))
    movement.counts.distance = try reader.double()
    movement.counts.activeTime = try reader.double()
    movement.counts.floorsAscended = Int(try reader.read(UInt32.self))
    movement.counts.floorsDescended = Int(try reader.read(UInt32.self))
    movement.currentCadence = try reader.optionalDouble()
    movement.currentPace = try reader.optionalDouble()
    let since = Timestamp(nanoseconds: try reader.read())
    let activities = ActivitySet(rawValue: try reader.read())
    movement.activity = ActivityEstimate(
      timestamp: since, activities: activities, confidence: try ActivityConfidence(&reader))
    let isThere = try reader.flag()
    let number = try reader.read(UInt8.self)
    guard let kind = WalkingEvent.Kind(rawValue: number) else {
      throw MalformedPacket("an event of kind \(number)")
    }
    let last = WalkingEvent(kind, timestamp: Timestamp(nanoseconds: try reader.read()))
    event = isThere ? last : nil
  }
}

extension TotalWithCursor {
  func write(to writer: inout PacketWriter) {
    writer.write(UInt64(clamping: total.counts.steps))
    writer.write(total.counts.distance)
    writer.write(total.counts.activeTime)
    writer.write(total.countedTime.seconds)
    writer.write(total.hasFloors)
    writer.write(UInt32(clamping: total.counts.floorsAscended))
    writer.write(UInt32(clamping: total.counts.floorsDescended))
    mark.write(to: &writer)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    total = MovementTotal()
    total.counts.steps = Int(clamping: try reader.read(UInt64.self))
    total.counts.distance = try reader.double()
    total.counts.activeTime = try reader.double()
    total.countedTime = TimeSpan(seconds: try reader.double())
    total.hasFloors = try reader.flag()
    total.counts.floorsAscended = Int(try reader.read(UInt32.self))
    total.counts.floorsDescended = Int(try reader.read(UInt32.self))
    mark = try MovementSnapshot(&reader)
  }
}

extension ServedActivity {
  /// The number of bytes of each.
  static var size: Int { 10 }

  func write(to writer: inout PacketWriter) {
    writer.write(start)
    writer.write(activities.rawValue)
    writer.write(confidence.rawValue)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    start = try reader.read()
    activities = ActivitySet(rawValue: try reader.read())
    confidence = try ActivityConfidence(&reader)
  }
}

extension ActivityConfidence {
  fileprivate init(_ reader: inout PacketReader) throws(MalformedPacket) {
    let number = try reader.read(UInt8.self)
    guard let confidence = ActivityConfidence(rawValue: number) else {
      throw MalformedPacket("a confidence of \(number)")
    }
    self = confidence
  }
}
