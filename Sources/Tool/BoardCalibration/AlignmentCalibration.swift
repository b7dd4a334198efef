// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
package import Boards
import Foundation
import Otolith
import Fusion
import Sensors

/// A calibration of the rotation, the lever arm and the time offset between a board's inertial
/// chips, from turning the board by hand.
package struct AlignmentCalibration: GuidedCalibration {
  private let request: CalibrationRequest
  /// The duration of the motion in seconds.
  package var duration = 30.0
  /// The timeout in seconds.
  package var timeout = 120.0

  package init(_ request: CalibrationRequest = CalibrationRequest()) { self.request = request }

  private struct Result: Encodable {
    var reference: String
    var chips: [Chip] = []

    struct Chip: Encodable {
      var chip: String
      /// The rotation from this chip's axes to the reference chip's axes.
      var rotation: [[Double]]
      var rotationSigmaDeg: Double
      var changeDeg: Double
      /// The lever arm in this chip's axes, in millimetres.
      var leverArmMm: [Double]
      var leverArmSigmaMm: Double
      var timeOffsetMs: Double
      var timeOffsetSigmaMs: Double
    }
  }

  /// Returns true if the board has at least two chips that can be aligned.
  package static func isPossible(on board: Board) -> Bool {
    reference(of: board) != nil && inertial(board).count > 1
  }

  private static func inertial(_ board: Board) -> [ChipPlacement] {
    board.chips.filter { $0.measures(.rotationRate) || $0.measures(.acceleration) }
  }

  private static func reference(of board: Board) -> ChipPlacement? {
    board.chips.first { $0.measures(.rotationRate) && $0.measures(.acceleration) }
      ?? board.chips.first { $0.measures(.rotationRate) }
  }

  package func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome) {
    let (task, others) = try chips(of: board)
    var pairs = AlignedChips(task, others)
    if request.recording == nil { guide.say("\(pairs.names): \(AlignedChips.instruction)") }
    let source = CalibrationSource(
      task: task, guide: guide, others: others, timeout: timeout, asked: .handling,
      keepsSettings: true)
    var next = duration
    var said: String?
    let isComplete = try source.moments { moment in
      pairs.take(moment)
      guide.show { pairs.step(seconds: moment.seconds, of: duration, advice: said) }
      guard moment.seconds >= next else { return true }
      // Fit only every five seconds, because a fit takes about 0.1 s on a small machine.
      next = moment.seconds + 5
      guard let advice = pairs.solve() else { return false }
      if advice != said { guide.say("not yet: \(advice)") }
      said = advice
      return true
    }
    guide.clear()
    // If the result is still not good enough at the end, report the reason as a failure.
    if !isComplete, let advice = pairs.solve() {
      throw Failure("\(advice); nothing was written", Failure.badData)
    }
    return (task, outcome(task, pairs))
  }

  private func chips(of board: Board) throws(Failure) -> (CalibrationTask, [ChipPlacement]) {
    guard request.recording == nil else {
      throw Failure(
        "a recording has the samples of one chip in device axes, and an alignment needs those of "
          + "two: omit --recording", Failure.usage)
    }
    let all = Self.inertial(board)
    guard let reference = Self.reference(of: board), all.count > 1 else {
      throw Failure(
        all.isEmpty
          ? "\(board.file) has no gyroscope"
          : "\(board.file) has one inertial chip, \(all[0].name): an alignment needs two of them",
        Failure.usage)
    }
    var others = all.filter { $0.name != reference.name }
    if let name = request.chip {
      let chip = try board.chip(named: name, among: all, is: " to align")
      guard chip.name != reference.name else {
        throw Failure(
          "\(chip.name) is what the others are aligned to: name one of "
            + others.map(\.name).joined(separator: ", "), Failure.usage)
      }
      others = [chip]
    }
    var request = request
    request.chip = reference.name
    return (try CalibrationTask(request, .rotationRate, "gyroscope", on: board), others)
  }

  private func outcome(_ task: CalibrationTask, _ pairs: AlignedChips) -> CalibrationOutcome {
    let degrees = 180 / Double.pi
    var outcome = CalibrationOutcome(lines: [], json: 0, changes: [.init(task.chip) { _ in }])
    var result = Result(reference: task.chip.name)
    for pair in pairs.pairs {
      guard let alignment = pair.alignment, let fit = pair.fit else { continue }
      let reference = task.chip.name
      let arm = alignment.leverArm * 1000
      outcome.lines += [
        "alignment of \(pair.chip.name), \(pair.chip.chip), to \(reference): axes of "
          + "\(reference), chip axes x y z"
      ]
      outcome.lines += CalibrationTask.rows("rotation", alignment.rotation)
      outcome.lines += [
        String(
          format: "  %.2f degrees from its mounting, known within %.2f", pair.change * degrees,
          alignment.rotationSigma * degrees),
        CalibrationTask.row("lever arm", arm, digits: 1, "mm"),
        String(format: "  known within %.1f mm", alignment.leverArmSigma * 1000),
        String(
          format: "its samples are %.2f ms late, known within %.2f", alignment.timeOffset * 1000,
          alignment.timeOffsetSigma * 1000),
      ]
      if let residual = fit.rateResidual {
        outcome.lines.append(
          String(format: "the rates differ by %.2f degrees/s after (RMS)", residual * degrees))
      }
      result.chips.append(
        Result.Chip(
          chip: pair.chip.name, rotation: alignment.rotation.rows.map(\.components),
          rotationSigmaDeg: alignment.rotationSigma * degrees, changeDeg: pair.change * degrees,
          leverArmMm: arm.components, leverArmSigmaMm: alignment.leverArmSigma * 1000,
          timeOffsetMs: alignment.timeOffset * 1000,
          timeOffsetSigmaMs: alignment.timeOffsetSigma * 1000))
      outcome.changes.append(
        .init(pair.chip) { $0.alignment = MeasuredAlignment(to: reference, alignment) })
    }
    outcome.changes.append(.init(task.chip) { $0.alignment = nil })
    outcome.json = result
    return outcome
  }
}
