// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
package import Fusion
import Sensors

/// A guide for the user through the gestures that show how chips are mounted.
struct MountingFollower {
  private var gestures = MountingGestures()
  /// One field alignment for each magnetometer.
  private(set) var alignments: [FieldAlignment]
  private var gate: StationaryDetector
  private let correction: ChipCorrection
  private let guide: any Guide
  /// The gyroscope's mean reading at rest, from the first gesture.
  private var bias = Vector3.zero
  /// The time of the last gesture, in seconds; `nil` before the first gesture.
  private var end: Double?
  private var lastRefusal: MountingError?

  init(_ task: CalibrationTask, compasses: Int, guide: any Guide) {
    alignments = Array(repeating: FieldAlignment(), count: compasses)
    correction = ChipCorrection(task.errors)
    var params = StationaryDetector.Params()
    // The limits for rest are wider than the defaults, because a device in a hand trembles.
    params.length = 0.8
    params.specificForceSpread = 0.05
    params.specificForceChange = 0.05
    params.rotationRateSpread = 6 * .pi / 180
    params.rotationRateChange = 4 * .pi / 180
    gate = StationaryDetector(params)
    self.guide = guide
  }

  var fit: MountingFit? { gestures.fit }
  var isDone: Bool { gestures.next == nil }

  /// The instruction to the user for the next gesture.
  var sentence: String {
    switch gestures.next {
    case .flat: "1 of 3: lay the device flat, face up, and leave it for two seconds"
    case .upright: "2 of 3: hold it upright, its top edge up, for two seconds"
    case .rightEdgeDown: "3 of 3: lay it flat again, then hold it with its right edge down"
    case nil: "turn it over, about two of its edges, until the magnetometer is found"
    }
  }

  private var up: Face { gestures.next?.up ?? .zUp }

  private var done: Int { gestures.next.map { Int($0.rawValue) } ?? 3 }

  /// Adds a reading; returns true if more readings are needed.
  mutating func take(_ moment: CalibrationSource.Moment) -> Bool {
    guide.show {
      GuidedStep(
        up: up, instruction: sentence, progress: (Double(done) / 3, "\(done) of 3"),
        places: MountingGestures.Step.allCases.map { step in
          GuidedStep.Place(name: step.done, isTaken: step.rawValue < done)
        })
    }
    if let other = moment.other {
      if let field = moment.reading.measuredField {
        alignments[other].add(magneticField: field, at: moment.time)
      }
      return isWanted(at: moment.seconds)
    }
    let reading = correction.corrected(moment.reading)
    if let rate = reading.measuredRate {
      for index in alignments.indices {
        alignments[index].add(rotationRate: rate - bias, at: moment.time)
      }
    }
    if let stretch = gate.add(reading, at: moment.time), stretch.isStill,
      let force = stretch.specificForce
    {
      take(force, rate: stretch.rotationRate?.mean, at: moment.seconds)
    }
    return isWanted(at: moment.seconds)
  }

  private mutating func take(_ force: StillSegment, rate: Vector3?, at seconds: Double) {
    switch gestures.add(force) {
    case .taken(let step):
      lastRefusal = nil
      if step == .flat { bias = rate ?? .zero }
      if gestures.next == nil { end = seconds }
      guide.say("\(step.done) at \(Int(seconds)) s\(gestures.next == nil ? "" : "; \(sentence)")")
    case .refused(let error):
      // Print an error about a gesture only once, not in each second in which the device is held
      // wrongly.
      if lastRefusal.map({ !error.hasSameKind(as: $0) }) ?? true {
        guide.say("not used: \(error.localizedDescription)")
      }
      lastRefusal = error
      if case .contradicted = error {
        gestures.reset()
        guide.say("start again; \(sentence)")
      }
    case .waiting: break
    }
  }

  /// Returns true until all mountings are known. While a magnetometer's mounting stays unclear,
  /// returns true for at most 15 s after the last gesture.
  private func isWanted(at seconds: Double) -> Bool {
    guard let end else { return true }
    return seconds - end < 15 && alignments.contains { $0.fit?.isClear != true }
  }
}

extension MountingGestures.Step {
  /// The side of the device that points up in the gesture.
  package var up: Face {
    switch self {
    case .flat: .zUp
    case .upright: .yUp
    case .rightEdgeDown: .xDown
    }
  }

  fileprivate var done: String {
    switch self {
    case .flat: "flat"
    case .upright: "upright"
    case .rightEdgeDown: "right edge down"
    }
  }
}

extension MountingError {
  fileprivate func hasSameKind(as other: MountingError) -> Bool {
    switch (self, other) {
    case (.moved, .moved), (.notGravity, .notGravity), (.notTurned, .notTurned),
      (.turnedOver, .turnedOver), (.contradicted, .contradicted):
      true
    default: false
    }
  }
}
