// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
package import Fusion

/// The user interface of a guided task: a terminal, or the page of `otolith serve`. The task
/// reports its steps and progress to the guide, and stops if the guide requests it.
package protocol Guide: AnyObject {
  /// Prints a line that stays visible.
  func say(_ line: String)
  /// Replaces the displayed state. `step` is called only if the state is displayed.
  func show(_ step: () -> GuidedStep)
  /// Clears the displayed state.
  func clear()
  /// Prepares for a task that uses the chips; called before the task. Throws if Ctrl-C cannot be
  /// handled, because the chips must be stopped in any case.
  func takesChips() throws(Failure)
  func leavesChips()
  /// True if the user has stopped the task.
  var isStopped: Bool { get }
  /// True if messages of the task may name the options of `otolith calibrate`.
  var hasOptions: Bool { get }
}

extension Guide {
  package func takesChips() throws(Failure) {}
  package func leavesChips() {}

  package var hasOptions: Bool { false }

  package static var interruption: Failure { Failure("interrupted; nothing was written", 130) }
}

/// The state of a guided task, independent of the user interface.
package struct GuidedStep {
  /// The side of the device that must point up next.
  package var up: Face?
  /// The map of measured field directions, with the current direction.
  package var map: SphereMap?
  /// The instruction that the user sees now.
  package var instruction: String?
  /// The progress from 0 to 1, and its description.
  package var progress: (share: Double, words: String)?
  /// The positions that the task requires.
  package var places: [Place] = []

  package struct Place {
    package var name: String
    package var isTaken: Bool
  }

  /// The state as lines for a terminal.
  package var lines: [String] {
    var lines = up.map { DevicePicture.of($0).lines } ?? []
    lines += map?.lines ?? []
    if let instruction { lines.append("  \(instruction)") }
    if let progress { lines.append("  \(ProgressLine.bar(progress.share)) \(progress.words)") }
    return lines
  }
}
