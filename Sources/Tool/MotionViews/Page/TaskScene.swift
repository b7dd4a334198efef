// SPDX-License-Identifier: Apache-2.0

/// A task that uses the board, started from the page and shown on all pages.
package struct TaskScene: Equatable, Sendable {
  package enum State: String, Sendable {
    case running
    /// Ending after cancellation.
    case stopping
    case cancelled
    /// The task failed: `verdict` has the reason.
    case failed
    case done
    /// The result is being written to its file.
    case saving
    case saved
  }

  /// A check, a position or a gesture.
  package struct Item: Equatable, Sendable {
    package enum State: String, Sendable { case open, running, passed, failed, skipped }

    package var name: String
    package var state: State
    package var text: String

    package init(_ name: String, _ state: State, _ text: String = "") {
      (self.name, self.state, self.text) = (name, state, text)
    }
  }

  /// A fault that was found, with its remedy.
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

  /// The number of the task since the start: requests for one task must not affect the next.
  package var number: UInt64
  package var kind: String
  package var title: String
  package var state = State.running
  /// The current instruction.
  package var instruction: String?
  /// The side of the device that must be up: `x`, `-x`, `y` and so on.
  package var up: String?
  /// The completed fraction, from 0 to 1, and a text for it.
  package var progress: Double?
  package var progressText = ""
  package var items: [Item] = []
  /// The covered directions: six bands from the chip's +z to its -z, one letter per region: `#`
  /// covered, `.` not yet, `@` current.
  package var map: [String] = []
  /// The last output lines.
  package private(set) var lines: [String] = []
  /// The result in a sentence.
  package var verdict: String?
  package var isGood = false
  /// The findings, as lines for a monospaced font.
  package var result: [String] = []
  package var faults: [Fault] = []
  /// The file for the result.
  package var file: String?
  /// The reason why the result cannot be written.
  package var obstacle: String?
  package var hasReport = false

  package init(number: UInt64, kind: String, title: String) {
    (self.number, self.kind, self.title) = (number, kind, title)
  }

  package mutating func say(_ line: String) {
    lines.append(line)
    if lines.count > 12 { lines.removeFirst() }
  }

  /// Clears the temporary values.
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

  /// Returns the tasks that can be started, or the reason why none can, and the current or last
  /// task.
  package static func task(
    _ scene: TaskScene?, offers: [TaskOffer], obstacle: String?, isForPage: Bool = false
  ) -> JSON {
    var members: [(String, JSON)] = isForPage ? [("type", .text("task"))] : []
    members += [
      ("obstacle", obstacle.map { .text($0) } ?? .null),
      (
        "offers",
        .list(
          offers.map { offer in
            .object([("kind", .text(offer.kind)), ("label", .text(offer.label))])
          })
      ), ("task", scene.map(text) ?? .null),
    ]
    return .object(members)
  }

  private static func text(_ scene: TaskScene) -> JSON {
    func text(_ value: String?) -> JSON { value.map { .text($0) } ?? .null }
    return .object([
      ("number", .count(scene.number)), ("kind", .text(scene.kind)),
      ("title", .text(scene.title)), ("state", .text(scene.state.rawValue)),
      ("instruction", text(scene.instruction)), ("up", text(scene.up)),
      ("progress", .rounded(scene.progress, 4)), ("progressText", .text(scene.progressText)),
      (
        "items",
        .list(
          scene.items.map { item in
            .object([
              ("name", .text(item.name)), ("state", .text(item.state.rawValue)),
              ("text", .text(item.text)),
            ])
          })
      ), ("map", .texts(scene.map)), ("lines", .texts(scene.lines)),
      ("verdict", text(scene.verdict)), ("isGood", .flag(scene.isGood)),
      ("result", .texts(scene.result)),
      (
        "faults",
        .list(
          scene.faults.map { fault in
            .object([
              ("title", .text(fault.title)), ("explanation", .text(fault.explanation)),
              ("evidence", .texts(fault.evidence)), ("steps", .texts(fault.steps)),
            ])
          })
      ), ("file", text(scene.file)), ("obstacle", text(scene.obstacle)),
      ("hasReport", .flag(scene.hasReport)),
    ])
  }
}
