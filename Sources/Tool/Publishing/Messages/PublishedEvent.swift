// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Recognition
package import Text

/// A detected event to publish.
package struct PublishedEvent: Equatable, Sendable {
  /// The last level of the event's topic.
  package var kind: String
  /// The type of the event. It equals `kind` if there is only one type.
  package var type: String
  package var timestamp: Timestamp
  package var fields: [JSON.Member]
  /// True if the event is a state that holds until the next event, so that the broker retains it.
  package var isState: Bool

  package init(
    _ kind: String, _ type: String? = nil, at timestamp: Timestamp,
    fields: [JSON.Member] = [], isState: Bool = false
  ) {
    self.kind = kind
    self.type = type ?? kind
    self.timestamp = timestamp
    self.fields = fields
    self.isState = isState
  }

  /// The words for orientations in events, in the order of UIKit's numbers.
  package static let orientations = DeviceOrientation.allCases.filter { $0 != .unknown }.map(word)

  package static func word(_ orientation: DeviceOrientation) -> String { "\(orientation)" }
}

/// A detector for the events that are published, in samples and motions.
package struct EventFinder {
  private var shakes = ShakeRecognizer()
  private var orientation = OrientationRecognizer()
  private var movement: MovementEstimator
  private var fall = DeviceFallRecognizer()
  private var door: DoorRecognizer?

  /// Creates a detector for a source with `channels`. `isDoor` is true if the board is mounted on a
  /// door.
  package init(channels: ChannelSet, hasStepCounter: Bool, isDoor: Bool) {
    movement = MovementEstimator(channels: channels, hasStepCounter: hasStepCounter)
    if isDoor { door = DoorRecognizer() }
  }

  /// Adds the next sample. Returns the events that it completes.
  package mutating func update(_ sample: Sample) -> [PublishedEvent] {
    var events: [PublishedEvent] = []
    movement.update(sample)
    let time = sample.timestamp
    if sample.channels.contains(.acceleration) {
      if shakes.update(sample.acceleration, at: time) == .ended {
        events.append(PublishedEvent("shake", at: time))
      }
      if let side = orientation.update(sample.acceleration, at: time) {
        events.append(
          PublishedEvent("orientation", PublishedEvent.word(side), at: time, isState: true))
      }
      if fall.update(sample.acceleration, at: time) {
        events.append(PublishedEvent("fall", at: time))
      }
    }
    return events + steps()
  }

  /// Adds the count of a chip's step counter.
  package mutating func update(stepCount: Int32, at time: Timestamp) -> [PublishedEvent] {
    movement.update(stepCount: stepCount, at: time)
    return steps()
  }

  /// Returns one event for the newest step. One event is enough, because several steps are
  /// confirmed together.
  private mutating func steps() -> [PublishedEvent] {
    var newest: Step?
    while let step = movement.nextStep() { newest = step }
    return newest.map {
      [
        PublishedEvent(
          "step", at: $0.timestamp,
          fields: [.init("numberOfSteps", .integer(Int64(movement.movement.counts.steps)))])
      ]
    } ?? []
  }

  /// Adds a motion, given by its rotation rate with the bias removed and by gravity.
  package mutating func update(
    rotationRate: Vector3, gravity: Vector3, at time: Timestamp
  ) -> [PublishedEvent] {
    guard let isOpen = door?.update(rotationRate: rotationRate, gravity: gravity, at: time) else {
      return []
    }
    return [PublishedEvent("door", isOpen ? "opened" : "closed", at: time, isState: true)]
  }
}
