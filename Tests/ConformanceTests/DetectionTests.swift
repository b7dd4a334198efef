// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Foundation
import Quantities
import Sensors
import Boards
import Testing

/// A chip of the catalogue, an event that it detects, and the acquisition in which it reports it.
struct DetectionCase: CustomTestStringConvertible, Sendable {
  let row: Row
  let kind: DetectionKind
  let acquisition: Acquisition

  var testDescription: String { "\(row.testDescription), \(kind), \(acquisition)" }

  static let all: [DetectionCase] = Row.distinct.flatMap { row in
    DetectionKind.allCases.filter { row.description.detections.contains(DetectionSet($0)) }
      .flatMap { kind in
        row.description.acquisitions.filter { $0 == .detections || $0 == .fifo }
          .map { DetectionCase(row: row, kind: kind, acquisition: $0) }
      }
  }
}

/// The chips' own detections, in a world that contains just the event.
@Suite struct DetectionTests {
  /// Returns the specific force after `t` seconds: two seconds at rest, flat and face up, then the
  /// event.
  static func force(_ kind: DetectionKind, _ t: Double) -> Vector3 {
    let rest = Vector3(0, 0, 1)
    guard t > 2 else {
      // An event of rest starts in motion, and an event of lying flat starts upright.
      if kind == .noMotion { return shaken(t) }
      return kind == .flat ? Vector3(0, 1, 0) : rest
    }
    let s = t - 2
    switch kind {
    case .step: return walking(s)
    // Each step includes the blow of the heel.
    case .significantMotion:
      return walking(s) + knock(s - 0.5 * (2 * s).rounded(.down), at: 0) * 0.2
    case .singleTap: return rest + knock(s, at: 0.5)
    case .doubleTap: return rest + knock(s, at: 0.5) + knock(s, at: 0.75)
    case .freeFall: return s < 1 ? Vector3(0.01, 0.01, 0.02) : rest
    case .tilt, .orientation: return Vector3(0, 1, 0)
    case .motion: return s < 2 ? shaken(s) : rest
    case .noMotion, .flat: return rest
    }
  }

  /// Returns the force of two steps per second, as measured at a waist.
  private static func walking(_ t: Double) -> Vector3 {
    Vector3(0, 0, 1 + 0.4 * sine(2 * t))
  }

  /// Returns an abrupt motion: chips compare adjacent samples, and a smooth motion hardly changes
  /// between two samples at 400 Hz.
  private static func shaken(_ t: Double) -> Vector3 {
    func jerk(_ turns: Double) -> Double { sine(turns) > 0 ? 0.4 : -0.4 }
    return Vector3(jerk(3 * t), jerk(4.1 * t), 1 + jerk(5.3 * t))
  }

  /// Returns a pulse of 5 ms on +z.
  private static func knock(_ t: Double, at begin: Double) -> Vector3 {
    t >= begin && t < begin + 0.012 ? Vector3(0, 0, 3) : .zero
  }

  private static func sine(_ turns: Double) -> Double { sin(2 * .pi * turns) }

  @Test(arguments: DetectionCase.all)
  func `what a chip detects is found, and soon`(_ one: DetectionCase) throws {
    let rig = Rig(one.row)
    let begin = rig.clock.now
    rig.input.script = { Self.force(one.kind, ($0 - begin).seconds) }
    var settings = Way(row: one.row, acquisition: one.acquisition, power: .normal)
      .settings(rate: one.acquisition == .fifo ? 400 : 100)
    settings.detection = DetectionSettings(DetectionSet(one.kind))
    settings.detection.stillDuration = .seconds(3)
    settings.detection.motionThreshold = 0.2
    settings.detection.tapThreshold = 1
    let chosen = try rig.start(settings)
    guard chosen.detection.kinds.contains(DetectionSet(one.kind)) else {
      // A detection that is not available together with samples must be available in detection
      // mode.
      #expect(one.acquisition != .detections)
      return
    }
    rig.run(for: .milliseconds(1900))
    let early = rig.collector.detections.filter { $0.kind == one.kind }
    if one.kind != .orientation && one.kind != .flat {
      #expect(early.isEmpty, "nothing has happened yet")
    }
    // Steps are counted for 20 s; other events end the run when they are reported.
    var end: Timestamp?
    rig.run(for: .seconds(20)) {
      guard one.kind != .step else { return false }
      if end == nil,
        rig.collector.detections.contains(where: {
          $0.kind == one.kind && $0.timestamp > begin + .seconds(2)
        })
      {
        end = rig.clock.now + .milliseconds(600)
      }
      return end.map { rig.clock.now >= $0 } ?? false
    }
    let found = rig.collector.detections.filter {
      $0.kind == one.kind && $0.timestamp > begin + .seconds(2)
    }
    #expect(rig.collector.detections.allSatisfy { $0.kind == one.kind }, "and nothing else")
    #expect(rig.collector.errors.isEmpty)
    let first = try #require(found.first)
    let delay = (first.timestamp - begin).seconds - 2
    switch one.kind {
    case .step:
      // Chips report steps only after several of them, but then count all.
      let last = try #require(found.last)
      #expect(delay < 6)
      #expect((24...42).contains(last.detail), "\(last.detail) of 40 steps")
    case .singleTap, .doubleTap: #expect((0.5...1.6).contains(delay))
    case .freeFall: #expect(delay < 1.1)
    case .motion: #expect(delay < 1)
    case .noMotion: #expect((2...5).contains(delay))
    case .tilt, .significantMotion: #expect(delay < 15)
    case .orientation:
      #expect(delay < 2)
      #expect(found.last?.detail == 2, "+y is up")
    case .flat:
      #expect(delay < 3)
      #expect(found.last?.detail == 1)
    }
    #expect((rig.collector.count > 0) == (one.acquisition == .fifo))
  }
}
