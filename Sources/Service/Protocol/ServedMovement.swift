// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Recognition

/// A question of a program about movement. Dates are nanoseconds since 1970, UTC, by the wall
/// clock.
public enum MovementQuestion: Equatable, Sendable {
  /// The counts until now. With `counts` the service counts on for this program, until it asks
  /// without or its connection ends.
  case now(counts: Bool)
  /// The sums from one date to another.
  case total(from: Int64, to: Int64)
  /// The bearer's activities from one date to another; the first may have begun before.
  case activities(from: Int64, to: Int64)
}

/// The service's counts until now.
public struct ServedMovement: Equatable, Sendable {
  /// The number of the counter: sums of two can be subtracted where this is the same.
  public var run: UInt64
  /// True while a counter runs.
  public var isCounting: Bool
  /// Sums since the counter began, and what is seen at present; times are CLOCK_MONOTONIC.
  public var movement: Movement
  /// The newest pause or resumption; `nil` before the first.
  public var event: WalkingEvent?

  public init(run: UInt64, isCounting: Bool, movement: Movement, event: WalkingEvent?) {
    self.run = run
    self.isCounting = isCounting
    self.movement = movement
    self.event = event
  }
}

/// The counts between two dates.
public struct ServedTotal: Equatable, Sendable {
  public var steps: Int
  /// Metres on foot.
  public var distance: Double
  /// Seconds on foot.
  public var activeTime: Double
  /// Seconds for which steps were counted.
  public var countedTime: Double
  /// Climbed and descended on foot; `nil` where floors were not counted.
  public var floorsAscended: Int?
  public var floorsDescended: Int?
  /// The counts at the very moment when this was summed.
  public var mark: ServedMovement

  public init(
    steps: Int, distance: Double, activeTime: Double, countedTime: Double, floorsAscended: Int?,
    floorsDescended: Int?, mark: ServedMovement
  ) {
    self.steps = steps
    self.distance = distance
    self.activeTime = activeTime
    self.countedTime = countedTime
    self.floorsAscended = floorsAscended
    self.floorsDescended = floorsDescended
    self.mark = mark
  }
}

/// The bearer's activity from a date on, until the next of these.
public struct ServedActivity: Equatable, Sendable {
  /// Nanoseconds since 1970, UTC.
  public var start: Int64
  public var activities: ActivitySet
  public var confidence: ActivityConfidence

  public init(start: Int64, activities: ActivitySet, confidence: ActivityConfidence) {
    self.start = start
    self.activities = activities
    self.confidence = confidence
  }

  /// More do not fit into an answer: of a longer list the newest are given.
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

extension ServedMovement {
  func write(to writer: inout PacketWriter) {
    writer.write(run)
    writer.write(isCounting)
    writer.write(movement.timestamp.nanoseconds)
    writer.write(UInt64(clamping: movement.steps))
    writer.write(movement.distance)
    writer.write(movement.activeTime)
    writer.write(UInt32(clamping: movement.floorsAscended))
    writer.write(UInt32(clamping: movement.floorsDescended))
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
    movement.steps = Int(clamping: try reader.read(UInt64.self))
    movement.distance = try reader.double()
    movement.activeTime = try reader.double()
    movement.floorsAscended = Int(try reader.read(UInt32.self))
    movement.floorsDescended = Int(try reader.read(UInt32.self))
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

extension ServedTotal {
  func write(to writer: inout PacketWriter) {
    writer.write(UInt64(clamping: steps))
    writer.write(distance)
    writer.write(activeTime)
    writer.write(countedTime)
    writer.write(floorsAscended != nil)
    writer.write(UInt32(clamping: floorsAscended ?? 0))
    writer.write(UInt32(clamping: floorsDescended ?? 0))
    mark.write(to: &writer)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    steps = Int(clamping: try reader.read(UInt64.self))
    distance = try reader.double()
    activeTime = try reader.double()
    countedTime = try reader.double()
    let hasFloors = try reader.flag()
    let ascended = Int(try reader.read(UInt32.self))
    let descended = Int(try reader.read(UInt32.self))
    floorsAscended = hasFloors ? ascended : nil
    floorsDescended = hasFloors ? descended : nil
    mark = try ServedMovement(&reader)
  }
}

extension ServedActivity {
  /// Bytes of each.
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
