// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import History
internal import Quantities
internal import Recognition

extension MovementSnapshot {
  func write(to writer: inout PacketWriter) {
    writer.write(run)
    writer.write(movement.timestamp.nanoseconds)
    movement.counts.write(to: &writer)
    writer.write(movement.currentCadence)
    writer.write(movement.currentPace)
    writer.write(movement.activity.timestamp.nanoseconds)
    writer.write(movement.activity.activities.rawValue)
    writer.write(movement.activity.confidence.rawValue)
    writer.write(event != nil)
    writer.write(event?.kind.rawValue ?? 0)
    writer.write(event?.timestamp.nanoseconds ?? 0)
    // The dates are not sent, because the client knows its request.
    total.counts.write(to: &writer)
    writer.write(total.countedTime.seconds)
    writer.write(total.hasFloors)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    let run: UInt64 = try reader.read()
    var movement = Movement(timestamp: Timestamp(nanoseconds: try reader.read()))
    movement.counts = try MovementCounts(&reader)
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
    self.init(run: run, movement: movement)
    event = isThere ? last : nil
    total.counts = try MovementCounts(&reader)
    total.countedTime = TimeSpan(seconds: try reader.double())
    total.hasFloors = try reader.flag()
  }
}

extension MovementCounts {
  fileprivate func write(to writer: inout PacketWriter) {
    writer.write(UInt64(clamping: steps))
    writer.write(distance)
    writer.write(activeTime)
    writer.write(UInt32(clamping: floorsAscended))
    writer.write(UInt32(clamping: floorsDescended))
  }

  fileprivate init(_ reader: inout PacketReader) throws(MalformedPacket) {
    self.init()
    steps = Int(clamping: try reader.read(UInt64.self))
    distance = try reader.double()
    activeTime = try reader.double()
    floorsAscended = Int(try reader.read(UInt32.self))
    floorsDescended = Int(try reader.read(UInt32.self))
  }
}

extension RecordedActivity {
  /// The largest number of activities in an answer. If there are more, only the newest are sent.
  package static var mostServed: Int { 12_000 }
  /// The number of bytes that an activity has in the answer.
  static var size: Int { 10 }

  func write(to writer: inout PacketWriter) {
    writer.write(start.wall)
    writer.write(activities.rawValue)
    writer.write(confidence.rawValue)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    let wall: Int64 = try reader.read()
    let start = Date(wall: min(max(wall, -HostClocks.furthest), HostClocks.furthest))
    let activities = ActivitySet(rawValue: try reader.read())
    self.init(
      start: start, activities: activities, confidence: try ActivityConfidence(&reader))
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
