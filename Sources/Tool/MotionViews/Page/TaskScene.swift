// SPDX-License-Identifier: Apache-2.0
package import Text

/// A task that uses the board, started from the page and shown on all pages.
package struct TaskScene: Equatable, Sendable {
  package enum State: String, Sendable {
    case running
    /// The task was cancelled and is ending.
    case stopping
    case cancelled
    /// The task failed; `verdict` contains the reason.
    case failed
    case done
    /// The result is being written to its file.
    case saving
    case saved
  }

  /// A part of the task: a check, a position or a gesture.
  package struct Item: Equatable, Sendable {
    package enum State: String, Sendable { case open, running, passed, failed, skipped }

    package var name: String
    package var state: State
    package var text: String

    package init(_ name: String, _ state: State, _ text: String = "") {
      (self.name, self.state, self.text) = (name, state, text)
    }
  }

  /// A fault that the task found, with its remedy.
  package struct Fault: Equatable, Sendable {
    package var title: String
    package var explanation: String
    package var evidence: [String]
    package var steps: [String]

    package init(_ title: String, _ explanation: String, evidence: [String], steps: [String]) {
      (self.title, self.explanation) = (title, explanation)
      (self.evidence, self.steps) = (evidence, steps)
    }
  }

  /// The number of the task since the server's start. It ensures that a request for one task does
  /// not affect the next task.
  package var number: UInt64
  package var kind: String
  package var title: String
  package var state = State.running
  /// The current instruction for the user.
  package var instruction: String?
  /// The side of the device that must point up, such as `x` or `-x`.
  package var up: String?
  /// The completed fraction from 0 to 1, and a text that describes it.
  package var progress: Double?
  package var progressText = ""
  package var items: [Item] = []
  /// The directions covered so far, in six bands from the chip's +z axis to its -z axis. Each
  /// region is one character: `#` for covered, `.` for missing, `@` for the current region.
  package var map: [String] = []
  /// The last output lines of the task.
  package private(set) var lines: [String] = []
  /// A message that states the result.
  package var verdict: String?
  package var isGood = false
  /// The findings as lines for a monospaced font.
  package var result: [String] = []
  package var faults: [Fault] = []
  /// The file to which the result can be written.
  package var file: String?
  /// The reason why the result cannot be written; `nil` if it can be written.
  package var obstacle: String?
  package var hasReport = false

  package init(number: UInt64, kind: String, title: String) {
    (self.number, self.kind, self.title) = (number, kind, title)
  }

  package mutating func say(_ line: String) {
    lines.append(line)
    if lines.count > 12 { lines.removeFirst() }
  }

  /// Clears the values that apply only while the task runs.
  package mutating func clear() {
    (instruction, up, progress, progressText) = (nil, nil, nil, "")
  }

  /// True while the task uses the board.
  package var isUnderWay: Bool { state == .running || state == .stopping }
}

extension PageText {
  /// A task that a page can start.
  package struct TaskOffer: Sendable {
    package var kind: String
    package var label: String

    package init(kind: String, label: String) { (self.kind, self.label) = (kind, label) }
  }

  /// Returns the tasks that can be started, or the reason why none can be started. The current or
  /// last task is included.
  package static func task(
    _ scene: TaskScene?, offers: [TaskOffer], obstacle: String?, isForPage: Bool = false
  ) -> JSON {
    var members: [JSON.Member] = isForPage ? [.init("type", .text("task"))] : []
    members += [
      .init("obstacle", obstacle.map { .text($0) } ?? .null),
      .init(
        "offers",
        .list(
          offers.map { offer in
            .object([.init("kind", .text(offer.kind)), .init("label", .text(offer.label))])
          })
      ), .init("task", scene.map(text) ?? .null),
    ]
    return .object(members)
  }

  private static func text(_ scene: TaskScene) -> JSON {
    func text(_ value: String?) -> JSON { value.map { .text($0) } ?? .null }
    return .object([
      .init("number", .count(scene.number)), .init("kind", .text(scene.kind)),
      .init("title", .text(scene.title)), .init("state", .text(scene.state.rawValue)),
      .init("instruction", text(scene.instruction)), .init("up", text(scene.up)),
      .init("progress", .rounded(scene.progress, 4)),
      .init("progressText", .text(scene.progressText)),
      .init(
        "items",
        .list(
          scene.items.map { item in
            .object([
              .init("name", .text(item.name)), .init("state", .text(item.state.rawValue)),
              .init("text", .text(item.text)),
            ])
          })
      ), .init("map", .texts(scene.map)), .init("lines", .texts(scene.lines)),
      .init("verdict", text(scene.verdict)), .init("isGood", .flag(scene.isGood)),
      .init("result", .texts(scene.result)),
      .init(
        "faults",
        .list(
          scene.faults.map { fault in
            .object([
              .init("title", .text(fault.title)), .init("explanation", .text(fault.explanation)),
              .init("evidence", .texts(fault.evidence)), .init("steps", .texts(fault.steps)),
            ])
          })
      ), .init("file", text(scene.file)), .init("obstacle", text(scene.obstacle)),
      .init("hasReport", .flag(scene.hasReport)),
    ])
  }
}
