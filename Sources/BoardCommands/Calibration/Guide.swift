// SPDX-License-Identifier: Apache-2.0
package import Fusion

/// The side of a guided task that a person sees: a terminal, or the page of `otolith serve`. A task
/// tells it what to do next and how far it is, and asks it whether to go on.
package protocol Guide: AnyObject {
  /// A line that stays.
  func say(_ line: String)
  /// The state of this moment, in the place of the one before; made only where it will be seen.
  func show(_ step: () -> GuidedStep)
  /// Takes that state away.
  func clear()
  /// Called before chips are in use, and when they are no more. Throws where what is needed for
  /// their orderly end cannot be had.
  func takesChips() throws(Failure)
  func leavesChips()
  /// True where the person wants no more.
  var isStopped: Bool { get }
}

extension Guide {
  package func takesChips() throws(Failure) {}
  package func leavesChips() {}

  static var interruption: Failure { Failure("interrupted; nothing was written", 130) }
}

/// The state of a guided task, as every view of it shows it.
package struct GuidedStep {
  /// The side of the device that is to be up next.
  package var up: Face?
  /// The directions that were seen, and the one of this moment.
  package var map: SphereMap?
  /// The instruction for now.
  package var instruction: String?
  /// The part that is done, of 1, and the same in words.
  package var progress: (share: Double, words: String)?
  /// The positions that are wanted.
  package var places: [Place] = []

  package struct Place {
    package var name: String
    package var isTaken: Bool
  }

  /// The lines of a terminal.
  var lines: [String] {
    var lines = up.map { DevicePicture.of($0).lines } ?? []
    lines += map?.lines ?? []
    if let instruction { lines.append("  \(instruction)") }
    if let progress { lines.append("  \(ProgressLine.bar(progress.share)) \(progress.words)") }
    return lines
  }
}
