// SPDX-License-Identifier: Apache-2.0
import Text
import CommandOutput
import ArgumentParser
import Boards
import Foundation
import Fusion
import Otolith
import Runtime

struct CalibrationStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the sensor errors that fusion has learned on a board, and their uncertainty.",
    discussion: """
      Fusion calibrates the sensors while the board moves, and stores the result for the next run. \
      Shown are the stored values in device axes, relative to the calibration file, with their \
      standard deviations grown with age. The stored file may be deleted at any time.
      """)

  @OptionGroup var options: BoardOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let board = try options.select().board
    guard
      let path = LearnedPlace.path(
        of: board, environment: ProcessInfo.processInfo.environment)
    else {
      throw Failure(
        "\(board.name) stores nothing: it is simulated, or its file has 'learned: off'",
        Failure.configuration)
    }
    let file: LearnedFile?
    do throws(BoardErrors) { file = try LearnedFile.load(path: path) } catch {
      throw Failure(error)
    }
    guard let file else {
      throw Failure(
        "nothing has been learned yet: there is no \(path); run the board for some minutes and "
          + "turn it in all directions",
        Failure.configuration)
    }
    guard file.board == board.fingerprint else {
      throw Failure(
        "\(path) was learned with other chips than \(board.name) has now, and will be replaced",
        Failure.configuration)
    }
    let age = max(0, Date().timeIntervalSince1970 - file.written)
    let report = LearnedReport(file.memory.aged(by: age), age: age, path: path)
    if json {
      try Terminal.say(json: report)
    } else {
      for line in report.lines { Terminal.say(line) }
    }
  }
}

/// The stored learned values, as text for users and as JSON for programs.
struct LearnedReport: Encodable {
  struct Part: Encodable {
    var name: String
    var unit: String
    var values: [Double]
    var sigmas: [Double]
  }
  var file: String
  /// The time since the values were learned, in seconds.
  var age: Double
  var parts: [Part] = []

  init(_ memory: FusionMemory, age: Double, path: String) {
    file = path
    self.age = age
    func list(_ v: Vector3) -> [Double] { [v.x, v.y, v.z] }
    let degrees = 180 / Double.pi
    if let gyro = memory.gyroscope {
      parts.append(
        Part(
          name: "gyroscope bias", unit: "deg/s", values: list(gyro.bias * degrees),
          sigmas: [Double](repeating: gyro.sigma * degrees, count: 3)))
    }
    if let kept = memory.gyroscopeMatrix {
      let (m, s) = (kept.matrix, kept.sigma)
      parts.append(
        Part(
          name: "gyroscope scale", unit: "%",
          values: [m.m11 - 1, m.m22 - 1, m.m33 - 1].map { 100 * $0 },
          sigmas: [s.m11, s.m22, s.m33].map { 100 * $0 }))
      parts.append(
        Part(
          name: "gyroscope misalignment", unit: "deg",
          values: [m.m12, m.m13, m.m21, m.m23, m.m31, m.m32].map { degrees * $0 },
          sigmas: [s.m12, s.m13, s.m21, s.m23, s.m31, s.m32].map { degrees * $0 }))
    }
    if let kept = memory.accelerometer {
      parts.append(
        Part(
          name: "accelerometer offset", unit: "mg", values: list(kept.offset * 1000),
          sigmas: list(kept.offsetSigma * 1000)))
      parts.append(
        Part(
          name: "accelerometer scale", unit: "%",
          values: list((kept.scale - Vector3(1, 1, 1)) * 100), sigmas: list(kept.scaleSigma * 100)))
    }
    if let magnet = memory.magnetometer {
      parts.append(
        Part(
          name: "hard iron", unit: "uT", values: list(magnet.hardIron),
          sigmas: [Double](repeating: magnet.sigma, count: 3)))
    }
    if let kept = memory.magneticDelay {
      parts.append(
        Part(
          name: "magnetometer delay", unit: "ms", values: [kept.delay * 1000],
          sigmas: [kept.sigma * 1000]))
    }
  }

  var lines: [String] {
    let hours = age / 3600
    let when =
      hours < 1
      ? String(format: "%.0f minutes", age / 60)
      : hours < 48 ? String(format: "%.0f hours", hours) : String(format: "%.0f days", hours / 24)
    return ["learned \(when) ago, stored in \(file)", ""]
      + parts.map { part in
        let values = zip(part.values, part.sigmas).map {
          String(format: "%+8.3f \u{B1} %.3f", $0, $1)
        }
        return part.name.padded(to: 24)
          + part.unit.padded(to: 7)
          + values.joined(separator: "  ")
      }
  }
}
