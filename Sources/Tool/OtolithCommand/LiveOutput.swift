// SPDX-License-Identifier: Apache-2.0
import Text
import SourceReading
import CommandOutput
import Foundation
import Fusion
import Otolith
import Runtime
import Sensors
import MotionViews

/// The standard output of `otolith run`.
struct Output {
  private let format: LiveFormat
  private let isInteractive = Terminal.isInteractive
  private var linesShown = 0
  /// The reason why writing failed; `nil` if the reader merely closed the pipe.
  private(set) var failure: Failure?

  init(_ format: LiveFormat) { self.format = format }

  /// Writes all of `bytes`. Returns false if the output has ended, so that the caller stops.
  mutating func write(_ bytes: [UInt8]) -> Bool {
    guard let number = Terminal.write(bytes, to: 1) else { return true }
    // EPIPE and ETIMEDOUT are not failures: the reader closed the pipe, or did not read while the
    // command ended.
    if number != EPIPE && number != ETIMEDOUT { failure = Failure(writing: number) }
    return false
  }

  /// Draws the table. On a terminal the table replaces the previous one. Returns false if the
  /// output has ended.
  mutating func show(
    _ motion: MotionSample, _ auxiliary: AuxiliaryReadings, _ frame: FrameOption,
    _ declination: Double,
    _ source: any MotionSource
  ) -> Bool {
    var lines = Table.lines(motion, auxiliary, frame, declination, source)
    guard isInteractive else {
      return write(Array((lines.joined(separator: "\n") + "\n\n").utf8))
    }
    // Omit lines below the last row of the terminal; otherwise the cursor could not return to the
    // top of the table.
    if let rows = Terminal.rows { lines = Array(lines.prefix(max(rows - 1, 1))) }
    // Move the cursor to the top of the previous table, and turn line wrapping off. Each line then
    // clears the rest of its row.
    var text = "\u{1B}[?7l" + (linesShown > 0 ? "\u{1B}[\(linesShown)A" : "")
    for line in lines { text += line + "\u{1B}[K\n" }
    text += "\u{1B}[J\u{1B}[?7h"
    linesShown = lines.count
    return write(Array(text.utf8))
  }
}

/// The live table, which has fixed columns and units in every line.
enum Table {
  static func lines(
    _ motion: MotionSample, _ auxiliary: AuxiliaryReadings, _ frame: FrameOption,
    _ declination: Double,
    _ source: any MotionSource
  ) -> [String] {
    var lines = [row("time", [motion.timestamp.seconds], "s", digits: 3)]
    if let attitude = motion.attitude(in: frame.frame, declination: declination) {
      let angles = EulerAngles(attitude)
      lines.append(
        row(
          "roll pitch yaw", [angles.roll, angles.pitch, angles.yaw].map(degrees(fromRadians:)),
          "deg", digits: 1))
      lines.append(row("gravity", motion.gravity, "g", digits: 3))
      lines.append(row("user acceleration", motion.userAcceleration, "g", digits: 3))
      if frame.isNorth {
        lines.append(row("heading", [headingDegrees(of: attitude)], "deg", digits: 1))
      }
    }
    if motion.contents.contains(.rotationRate) {
      lines.append(row("rotation rate", motion.rotationRate, "rad/s", digits: 3))
      lines.append(row("gyroscope bias", motion.gyroBias, "rad/s", digits: 4))
    } else if source.channels.contains(.rotationRate), motion.contents.contains(.attitude) {
      lines.append(
        "rotation rate".padded(to: 18) + " none: the attitude comes from the accelerometer alone")
    }
    if motion.contents.contains(.magneticField) {
      lines.append(row("magnetic field", motion.magneticField, "uT", digits: 1))
    }
    if motion.contents.contains(.temperature) {
      lines.append(row("temperature", [motion.temperature], "degC", digits: 1))
    }
    for channel in auxiliary.channels {
      guard let value = auxiliary[channel] else { continue }
      let of = channel.row
      lines.append(row("\(of.words)", [value], "\(of.unit)", digits: of.digits))
    }
    let report = source.report
    let faults = source.pipeline.faults
    for row in SensorFaultRow.rows(of: faults.occurred) {
      lines.append(
        "\(row.sensor.padded(to: 18)) \(faults.noted.contains(row.fault) ? "is" : "was") \(row.state), for "
          + "\(FaultTimes.text(faults.record(of: row.fault).seconds, of: faults.total))")
    }
    for chip in report {
      lines.append(
        "\(chip.name.padded(to: 18)) \(chip.health.received) samples, \(chip.health.missing) lost, "
          + "\(chip.late) late, \(chip.health.busErrors) bus errors")
    }
    return lines
  }

  private static func row(_ name: String, _ v: Vector3, _ unit: String, digits: Int) -> String {
    row(name, [v.x, v.y, v.z], unit, digits: digits)
  }

  private static func row(_ name: String, _ values: [Double], _ unit: String, digits: Int)
    -> String
  {
    var text = name.padded(to: 18)
    for value in values { text += fixed(value, digits: digits, width: 10) }
    text += " "
    text += unit
    return text
  }
}
