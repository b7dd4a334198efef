// SPDX-License-Identifier: Apache-2.0
package import Fusion

/// The user interface of a guided task: a terminal, or the page of `otolith serve`. A task reports
/// its next step and progress to it, and checks whether to stop.
package protocol Guide: AnyObject {
  /// Prints a permanent line.
  func say(_ line: String)
  /// Shows the current state instead of the previous one; `step` is called only if the state is
  /// displayed.
  func show(_ step: () -> GuidedStep)
  /// Clears the state.
  func clear()
  /// Called before chips are used, and afterwards. Throws if the means for stopping them
  /// properly are missing.
  func takesChips() throws(Failure)
  func leavesChips()
  /// True if the user wants to stop.
  var isStopped: Bool { get }
}

extension Guide {
  package func takesChips() throws(Failure) {}
  package func leavesChips() {}

  static var interruption: Failure { Failure("interrupted; nothing was written", 130) }
}

/// The state of a guided task, for every user interface.
package struct GuidedStep {
  /// The side of the device that should point up next.
  package var up: Face?
  /// The measured directions, and the current one.
  package var map: SphereMap?
  /// The current instruction.
  package var instruction: String?
  /// The progress from 0 to 1, with its description.
  package var progress: (share: Double, words: String)?
  /// The required positions.
  package var places: [Place] = []

  package struct Place {
    package var name: String
    package var isTaken: Bool
  }

  /// The lines for a terminal.
  var lines: [String] {
    var lines = up.map { DevicePicture.of($0).lines } ?? []
    lines += map?.lines ?? []
    if let instruction { lines.append("  \(instruction)") }
    if let progress { lines.append("  \(ProgressLine.bar(progress.share)) \(progress.words)") }
    return lines
  }
}
