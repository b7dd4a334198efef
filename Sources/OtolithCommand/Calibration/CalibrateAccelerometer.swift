// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith
import SensorCalibration

struct CalibrateAccelerometer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accelerometer",
    abstract: "The accelerometer's offset and scale, from six positions at rest.",
    discussion: """
      Lay the board on each of its six faces in turn, in any order, and hold it still until the \
      next line appears. 10 degrees off is good enough. With --positions 9 or more, lay it on \
      edges and corners too: then misalignment is found as well.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(help: "Positions, the six faces among them.")
  var positions = 6

  @Option(name: .customLong("gravity-g"), help: "Gravity where you are: 0.997 to 1.003.")
  var gravity = 1.0

  @Option(help: "Give up after so many seconds.")
  var timeout = 300.0

  func validate() throws {
    guard (6...SixPositions.capacity).contains(positions) else {
      throw ValidationError("--positions is between 6 and \(SixPositions.capacity)")
    }
    guard gravity >= 0.99, gravity <= 1.01 else {
      throw ValidationError("--gravity-g is between 0.99 and 1.01")
    }
    guard timeout > 0, timeout.isFinite else {
      throw ValidationError("--timeout is a number of seconds above 0")
    }
  }

  private struct Result: Encodable {
    var chip: String
    var positions: Int
    var offsetG: [Double]
    var matrix: [[Double]]
    var hasMisalignment: Bool
    var gravityOffBeforeG: Double
    var gravityOffAfterG: Double
  }

  func run() throws {
    let task = try CalibrationTask(options, .acceleration, "accelerometer")
    var params = SixPositions.Params()
    params.gravity = gravity
    var collected = SixPositions(params)
    if options.recording == nil {
      Terminal.complain(
        "lay the board on each of its faces; up are to be, in any order: \(collected.missing.words)"
      )
    }
    let source = StretchSource(task: task, recording: options.recording, patience: timeout)
    _ = try source.read(StillnessGate.Params()) { stretch, _ in
      guard stretch.isStill, let force = stretch.specificForce else { return true }
      switch collected.add(force) {
      case .taken(let face):
        let left =
          collected.missing.isEmpty
          ? "\(max(0, positions - collected.count)) more on edges or corners"
          : "still to be up: \(collected.missing.words)"
        Terminal.complain(
          "position \(collected.count): \(face?.words ?? "an edge or corner") is up; \(left)")
      case .notGravity(let norm):
        let text = String(format: "%.2f", norm)
        Terminal.complain("not taken: \(text) g at rest is not gravity")
      case .moved, .seen, .full: break
      }
      return !(collected.missing.isEmpty && collected.count >= positions)
    }
    let fit: AccelerationFit
    do throws(AccelerationFitError) { fit = try collected.solve() } catch {
      throw Failure("\(error.sentence); nothing was written", Failure.badData)
    }
    var errors = task.errors
    errors.accelerationOffset = fit.offset
    errors.accelerationMatrix = fit.matrix
    let m = fit.matrix
    let rows = [
      Vector3(m.m11, m.m12, m.m13), Vector3(m.m21, m.m22, m.m23), Vector3(m.m31, m.m32, m.m33),
    ]
    let off = String(
      format: "gravity is off by %.1f mg before, %.1f mg after (RMS of %d positions)",
      fit.residualBefore * 1000, fit.residual * 1000, fit.positions)
    try task.finish(
      errors,
      lines: [
        task.title("accelerometer") + ", chip axes x y z",
        CalibrationTask.row("offset", fit.offset, digits: 5, "g"),
        CalibrationTask.row("matrix", rows[0], digits: 5),
        CalibrationTask.row("", rows[1], digits: 5), CalibrationTask.row("", rows[2], digits: 5),
        off,
        fit.model == .offsetAndMatrix
          ? "with misalignment" : "without misalignment: that takes 9 positions, edges among them",
      ],
      json: Result(
        chip: task.chip.name, positions: fit.positions, offsetG: fit.offset.components,
        matrix: rows.map(\.components), hasMisalignment: fit.model == .offsetAndMatrix,
        gravityOffBeforeG: fit.residualBefore, gravityOffAfterG: fit.residual))
  }
}

extension Face {
  /// The chip's axis that points up.
  fileprivate var words: String {
    switch self {
    case .xUp: "+x"
    case .xDown: "-x"
    case .yUp: "+y"
    case .yDown: "-y"
    case .zUp: "+z"
    case .zDown: "-z"
    }
  }
}

extension FaceSet {
  fileprivate var words: String {
    Face.allCases.filter { contains($0) }.map(\.words).joined(separator: ", ")
  }
}

extension AccelerationFitError {
  fileprivate var sentence: String {
    switch self {
    case .missing(let faces):
      "not all faces have been up; missing: \(faces.words) (the chip's axes)"
    case .undetermined: "the positions do not tell the chip's errors: choose others"
    case .implausible:
      "the errors are larger than a working chip has: is its range right, and was it still?"
    case .inconsistent(let residual):
      "the positions contradict each other by \(Int((residual * 1000).rounded())) mg: "
        + "lay it on something that does not move"
    }
  }
}
