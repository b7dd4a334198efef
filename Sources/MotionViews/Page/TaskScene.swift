// SPDX-License-Identifier: Apache-2.0

/// A task that is made with the board from the page, as all pages see it.
package struct TaskScene: Equatable, Sendable {
  package enum State: String, Sendable {
    case running
    /// Under way to its end, as it was cancelled.
    case stopping
    case cancelled
    /// It could not be made: `verdict` says why.
    case failed
    case done
    /// Being written to its file.
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

  /// A fault that was found, and what to do.
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

  /// Of all tasks since the start: what is asked of one does not meet the next.
  package var number: UInt64
  package var kind: String
  package var title: String
  package var state = State.running
  /// The instruction for now.
  package var instruction: String?
  /// The side of the device that is to be up: `x`, `-x`, `y` and so on.
  package var up: String?
  /// The part that is done, of 1, and the same in words.
  package var progress: Double?
  package var progressText = ""
  package var items: [Item] = []
  /// The directions that were seen: six bands from the chip's +z to its -z, a letter a region:
  /// `#` seen, `.` not yet, `@` now.
  package var map: [String] = []
  /// The last lines that were said.
  package private(set) var lines: [String] = []
  /// The end in a sentence.
  package var verdict: String?
  package var isGood = false
  /// The findings, in lines of one width a letter.
  package var result: [String] = []
  package var faults: [Fault] = []
  /// The file that it would be written to.
  package var file: String?
  /// The reason why it cannot be written.
  package var obstacle: String?
  package var hasReport = false

  package init(number: UInt64, kind: String, title: String) {
    (self.number, self.kind, self.title) = (number, kind, title)
  }

  package mutating func say(_ line: String) {
    lines.append(line)
    if lines.count > 12 { lines.removeFirst() }
  }

  /// Takes away what is of a moment.
  package mutating func clear() {
    (instruction, up, progress, progressText) = (nil, nil, nil, "")
  }

  /// True while the board is in its hands.
  package var isUnderWay: Bool { state == .running || state == .stopping }
}

extension PageText {
  /// A task that a page can start.
  package struct TaskOffer: Sendable {
    package var kind: String
    package var label: String

    package init(kind: String, label: String) { (self.kind, self.label) = (kind, label) }
  }

  /// Returns what can be started, or why nothing can, and the task that is or was under way.
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
