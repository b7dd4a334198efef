// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Recognition

/// Something that happened, as it is published.
package struct PublishedEvent: Equatable, Sendable {
  /// The last word of its topic.
  package var kind: String
  /// The sort of what happened; the kind where there is but one.
  package var type: String
  package var timestamp: Timestamp
  package var fields: [PublishedValue.Field]
  /// True where it holds until the next: the broker keeps it.
  package var isState: Bool

  package init(
    _ kind: String, _ type: String? = nil, at timestamp: Timestamp,
    fields: [PublishedValue.Field] = [], isState: Bool = false
  ) {
    self.kind = kind
    self.type = type ?? kind
    self.timestamp = timestamp
    self.fields = fields
    self.isState = isState
  }

  /// The words of orientation events, in the order of UIKit's numbers.
  package static let orientations = DeviceOrientation.allCases.filter { $0 != .unknown }.map(word)

  package static func word(_ orientation: DeviceOrientation) -> String { "\(orientation)" }
}

/// Finds in samples and motion what is worth a message of its own.
package struct EventFinder {
  private var shakes = ShakeRecognizer()
  private var orientation = OrientationRecognizer()
  private var movement: MovementEstimator
  private var fall = FallRecognizer()
  private var door: DoorRecognizer?

  /// Creates one for a source of these channels; `isDoor` where it hangs on one.
  package init(channels: ChannelSet, hasStepCounter: Bool, isDoor: Bool) {
    movement = MovementEstimator(channels: channels, hasStepCounter: hasStepCounter)
    if isDoor { door = DoorRecognizer() }
  }

  /// Takes the next sample. Returns what it settled.
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

  /// Takes what a chip that counts steps by itself says.
  package mutating func update(stepCount: Int32, at time: Timestamp) -> [PublishedEvent] {
    movement.update(stepCount: stepCount, at: time)
    return steps()
  }

  /// Steps come a few at once, when they are settled: one event for the newest.
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

  /// Takes a motion: its rotation rate without bias, and gravity.
  package mutating func update(
    rotationRate: Vector3, gravity: Vector3, at time: Timestamp
  ) -> [PublishedEvent] {
    guard let isOpen = door?.update(rotationRate: rotationRate, gravity: gravity, at: time) else {
      return []
    }
    return [PublishedEvent("door", isOpen ? "opened" : "closed", at: time, isState: true)]
  }
}
