// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Fusion
internal import Recognition
package import Text

extension PageText {
  /// The effect of a task on the chip states that a page shows.
  package enum TaskPart: Sendable {
    case none
    /// A task uses the board, so missing samples do not mean that a chip fails.
    case underWay
    /// A task has just released the board, and the chips are starting.
    case over
  }

  /// Returns the values that change occasionally: chips, faults, calibration, movement and events.
  /// The names are from /openapi.json, and times are in ISO 8601. Only `message`, `text` and
  /// `notes` are messages for users.
  package static func state(
    _ scene: MonitorScene, task: TaskPart = .none, at date: Date = Date(), isForPage: Bool = false
  ) -> JSON {
    var members: [JSON.Member] = isForPage ? [.init("type", .text("state"))] : []
    members += [
      .init("time", stamp(date)), .init("origin", .text(scene.origin.rawValue)),
      .init("silence", task == .none ? .rounded(scene.silence, 1) : .null),
      .init("chips", .list(scene.chips.map { chip($0, task) })),
    ]
    let faults = scene.faults.filter { $0.count > 0 }
    members += [
      .init("isCoasting", .flag(scene.isCoasting)), .init("faults", .list(faults.map(fault))),
    ]
    if let known = scene.calibration { members.append(.init("calibration", calibration(known))) }
    if let movement = scene.movement {
      members.append(.init("movement", self.movement(movement, scene.countsFloors)))
    }
    let events = scene.events.suffix(isForPage ? 12 : 64)
    members.append(.init("events", .list(events.map(event))))
    return .object(members)
  }

  private static func fault(_ fault: MonitorScene.SensorFault) -> JSON {
    .object([
      .init("name", .text(fault.name)), .init("sensor", .text(fault.sensor)),
      .init("chip", .text(fault.chip)),
      .init("isPresent", .flag(fault.isPresent)), .init("seconds", .rounded(fault.seconds, 1)),
      .init("count", .count(fault.count)), .init("text", .text(fault.text)),
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
      .init("gyroBiasSigma", .number(known.gyroBiasSigma)),
      .init("gyroScale", known.gyroScale.map { vector($0, 6) } ?? .null),
      .init("magnetic", .text(level)), .init("coverage", .rounded(known.coverage, 3)),
    ])
  }

  private static func movement(_ movement: Movement, _ countsFloors: Bool) -> JSON {
    func floors(_ count: Int) -> JSON { countsFloors ? .count(count) : .null }
    return .object([
      .init("steps", .count(movement.counts.steps)),
      .init("cadence", .rounded(movement.currentCadence, 2)),
      .init("activities", .texts(movement.activity.activities.names)),
      .init("floorsAscended", floors(movement.counts.floorsAscended)),
      .init("floorsDescended", floors(movement.counts.floorsDescended)),
    ])
  }

  private static func event(_ event: MonitorScene.Event) -> JSON {
    let level =
      switch event.style {
      case .good: "good"
      case .warning: "warning"
      case .bad: "error"
      default: "info"
      }
    return .object([
      .init("time", stamp(event.date)), .init("kind", .text(event.kind.rawValue)),
      .init("level", .text(level)),
      .init("text", .text(event.text)),
    ])
  }

  /// Returns a time as text, such as `2026-11-29T01:14:20.123Z`.
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
      .init("name", .text(chip.name)), .init("kind", .text(chip.kind)),
      .init("state", .text(state)),
      .init("silence", .rounded(silence, 1)), .init("message", message.map { .text($0) } ?? .null),
      .init("measuredHz", .rounded(chip.measuredRate, 2)),
      .init("configuredHz", .rounded(chip.configuredRate, 2)), .init("lost", .count(chip.lost)),
      .init("late", .count(chip.late)), .init("clipped", .count(chip.clipped)),
      .init("busErrors", .count(chip.busErrors)),
      .init("restarts", .count(chip.restarts)), .init("notes", .texts(chip.notes)),
    ])
  }
}
