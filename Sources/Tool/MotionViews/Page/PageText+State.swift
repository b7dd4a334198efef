// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Fusion

extension PageText {
  /// The effect of a task on the chip states in a scene.
  package enum TaskPart: Sendable {
    case none
    /// A task uses the board: missing samples do not mean that a chip fails.
    case underWay
    /// The task has just released the board, and the chips are starting.
    case over
  }

  /// Returns the values that change occasionally: chips, faults that have occurred, calibration,
  /// movement and events, in the terms of /openapi.json, with times in ISO 8601. Only `message`,
  /// `text` and `notes` are sentences for people.
  package static func state(
    _ scene: MonitorScene, task: TaskPart = .none, at date: Date = Date(), isForPage: Bool = false
  ) -> JSON {
    var members: [(String, JSON)] = isForPage ? [("type", .text("state"))] : []
    members += [
      ("time", stamp(date)), ("origin", .text(scene.origin.rawValue)),
      ("silence", task == .none ? .rounded(scene.silence, 1) : .null),
      ("chips", .list(scene.chips.map { chip($0, task) })),
    ]
    let faults = scene.faults.filter { $0.count > 0 }
    members += [("isCoasting", .flag(scene.isCoasting)), ("faults", .list(faults.map(fault)))]
    if let known = scene.calibration { members.append(("calibration", calibration(known))) }
    if let movement = scene.movement { members.append(("movement", self.movement(movement))) }
    let events = scene.events.suffix(isForPage ? 12 : 64)
    members.append(("events", .list(events.map(event))))
    return .object(members)
  }

  private static func fault(_ fault: MonitorScene.SensorFault) -> JSON {
    .object([
      ("name", .text(fault.name)), ("sensor", .text(fault.sensor)), ("chip", .text(fault.chip)),
      ("isPresent", .flag(fault.isPresent)), ("seconds", .rounded(fault.seconds, 1)),
      ("count", .count(fault.count)), ("text", .text(fault.text)),
    ])
  }

  private static func calibration(_ known: MonitorScene.Calibration) -> JSON {
    let level =
      switch known.magnetic {
      case .unknown: "unknown"
      case .hardIron: "hardIron"
      case .full: "full"
      }
    return .object([
      ("gyroBiasSigma", .number(known.gyroBiasSigma)),
      ("gyroScale", known.gyroScale.map { vector($0, 6) } ?? .null),
      ("magnetic", .text(level)), ("coverage", .rounded(known.coverage, 3)),
    ])
  }

  private static func movement(_ movement: MonitorScene.Movement) -> JSON {
    .object([
      ("steps", .count(movement.steps)), ("cadence", .rounded(movement.cadence, 2)),
      ("activities", .texts(movement.activities.map(\.rawValue))),
      ("floorsAscended", movement.floors.map { .count($0.ascended) } ?? .null),
      ("floorsDescended", movement.floors.map { .count($0.descended) } ?? .null),
    ])
  }

  private static func event(_ event: MonitorScene.Event) -> JSON {
    let level =
      switch event.ink {
      case .good: "good"
      case .warning: "warning"
      case .bad: "error"
      default: "info"
      }
    return .object([
      ("time", stamp(event.date)), ("kind", .text(event.kind.rawValue)), ("level", .text(level)),
      ("text", .text(event.text)),
    ])
  }

  /// Returns a time such as `2026-11-29T01:14:20.123Z`.
  private static func stamp(_ date: Date) -> JSON {
    .text(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }

  private static func chip(_ chip: MonitorScene.Chip, _ task: TaskPart) -> JSON {
    var message: String?
    var silence: Double?
    let state: String
    switch (chip.state, task) {
    case (_, .underWay): state = "task"
    case (.starting, _), (.silent, .over): state = "starting"
    case (.delivering, _): state = "delivering"
    case (.silent(let seconds), .none): (state, silence) = ("silent", seconds)
    case (.failed(let sentence), _): (state, message) = ("failed", sentence)
    }
    return .object([
      ("name", .text(chip.name)), ("kind", .text(chip.kind)), ("state", .text(state)),
      ("silence", .rounded(silence, 1)), ("message", message.map { .text($0) } ?? .null),
      ("measuredHz", .rounded(chip.measuredRate, 2)),
      ("configuredHz", .rounded(chip.configuredRate, 2)), ("lost", .count(chip.lost)),
      ("late", .count(chip.late)), ("busErrors", .count(chip.busErrors)),
      ("restarts", .count(chip.restarts)), ("notes", .texts(chip.notes)),
    ])
  }
}
