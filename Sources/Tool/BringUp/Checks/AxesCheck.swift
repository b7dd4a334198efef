// SPDX-License-Identifier: Apache-2.0
internal import MotionSources
internal import Boards
internal import ChipCatalog
internal import Foundation
package import Quantities
internal import Registers
package import Runtime
package import Fusion
internal import Sensors

/// A check of the chips' mounting against the board file. A person lays the board flat, then holds
/// it with the top edge up, then with the right edge down. Gravity shows the accelerometer's axes;
/// the magnetic field during the turns shows the magnetometer's axes.
package enum AxesCheck {
  /// The findings for one chip.
  package struct Chip: Codable, Sendable {
    package var name: String
    /// The chip axes along the device's x, y and z in the notation of board files: first the stated
    /// axes, then the measured axes.
    package var expected: String
    package var measured: String
    /// The angle between the stated and the measured axes in degrees.
    package var off: Double

    init(_ name: String, _ expected: Matrix3, _ measured: Matrix3, off: Double) {
      self.name = name
      self.expected = Mounting(expected).boardText
      self.measured = Mounting(measured).boardText
      self.off = off
    }
  }

  package struct Result: Codable, Sendable {
    package var chips: [Chip] = []
    /// The reason why the result is incomplete; `nil` if it is complete.
    package var shortfall: String?
    package var findings: [Finding] = []
  }

  /// The largest accepted angle, 40 degrees. Stated mountings differ by 90 degrees; the limit is
  /// half of that, minus 5 degrees for an inexact hand movement.
  private static let largestAngle = 40.0

  /// Runs the check. `ask` is called with each next gesture, and `refuse` with the reason why an
  /// attempt was invalid.
  package static func run(
    _ examination: Examination, timeout: TimeSpan = .seconds(60),
    ask: (MountingGestures.Step) -> Void = { _ in },
    refuse: (MountingError) -> Void = { _ in }, isWanted: () -> Bool = { true }
  ) throws(SessionError) -> Result {
    var result = Result()
    let board = examination.board
    func first(_ channel: Channel) throws(SessionError) -> ExaminedChip? {
      for chip in board.chips where chip.behind == nil {
        let rows =
          chip.sheet?.channels(of: chip.settings) ?? []
        if rows.contains(where: { $0.channel == channel }) {
          return try examination.open(chip.name, usesInterrupt: false)
        }
      }
      return nil
    }
    guard let imu = try first(.acceleration) else {
      result.shortfall = "no accelerometer on this board"
      return result
    }
    let compass = try first(.magneticField)
    var watch = GestureWatch()
    ask(.flat)
    var jobs = [(chip: imu, settings: settings(imu.placement.settings))]
    if let compass { jobs.append((chip: compass, settings: settings(compass.placement.settings))) }
    do throws(ChipError) {
      _ = try examination.sample(jobs, for: timeout) { index, reading, time in
        if index == 1 {
          watch.take(field: reading.magneticField, at: time)
          return isWanted()
        }
        switch watch.take(reading, at: time) {
        case .taken:
          guard let next = watch.next else { return false }
          ask(next)
        case .refused(let error): refuse(error)
        case .waiting, nil: break
        }
        return isWanted()
      }
    } catch {
      result.shortfall = imu.placement.sentence(for: error, on: imu.bus)
      return result
    }
    judge(watch, imu, compass, &result)
    return result
  }

  private static func judge(
    _ watch: GestureWatch, _ imu: ExaminedChip, _ compass: ExaminedChip?, _ result: inout Result
  ) {
    guard let fit = watch.fit, watch.next == nil else {
      result.shortfall =
        watch.next == .flat
        ? "it never lay still" : "the board was not turned as instructed, or not held still"
      return
    }
    let force = compare(imu, fit.matrix, fit.square)
    result.chips.append(force.chip)
    if let mistake = force.mistake {
      result.findings.append(
        finding(
          imu.placement.name, mistake,
          evidence:
            "flat, \(axis(fit.square.m31, fit.square.m32, fit.square.m33)) of the chip points up; "
            + "with the top edge up, \(axis(fit.square.m21, fit.square.m22, fit.square.m23)); the "
            + "board file's mounting \(force.chip.expected) differs"))
    }
    guard let compass else { return }
    guard let field = watch.alignment.fit, field.isClear else {
      result.shortfall =
        "the magnetometer's axes could not be determined: too few turns, lost samples, or a magnet "
        + "near by"
      return
    }
    let measured = fit.square * field.matrix
    let magnetic = compare(compass, measured, measured)
    result.chips.append(magnetic.chip)
    if let mistake = magnetic.mistake {
      let residual = String(
        format: "%.1f uT are left with %@, %.1f with the next best", field.residual,
        magnetic.chip.measured, field.residualOfSecond)
      result.findings.append(
        finding(
          compass.placement.name, mistake,
          evidence: "while it turned, the field moved against the gyroscope as mounted "
            + "\(magnetic.chip.measured), not \(magnetic.chip.expected): \(residual)"))
    }
  }

  private static func compare(_ chip: ExaminedChip, _ measured: Matrix3, _ square: Matrix3) -> (
    chip: Chip, mistake: Chip?
  ) {
    let expected = chip.placement.mounting.matrix
    let turn = expected.transposed * measured
    let cosine = (turn.m11 + turn.m22 + turn.m33 - 1) / 2
    let off = degrees(fromRadians: acos(min(max(cosine, -1), 1)))
    let found = Chip(chip.placement.name, expected, square, off: off)
    return (found, off > largestAngle ? found : nil)
  }

  private static func finding(_ name: String, _ chip: Chip, evidence: String) -> Finding {
    Finding(
      .swappedAxes, of: name, evidence: evidence,
      explanation:
        "\(name) differs in orientation from the board file by \(Int(saturating: chip.off)) "
        + "degrees: every attitude would be wrong, and gravity would turn with the board.",
      steps: [
        "write 'mounting: \(chip.measured)' for \(name) in the board file, or let it be measured: "
          + "otolith calibrate mounting",
        "if this orientation is not intended, turn the module; the arrows next to the chip are its "
          + "x and y",
      ])
  }

  /// Returns the chip axis with the largest component, such as `+x`.
  private static func axis(_ x: Double, _ y: Double, _ z: Double) -> String {
    let parts = [("x", x), ("y", y), ("z", z)]
    guard let most = parts.max(by: { abs($0.1) < abs($1.1) }) else { return "" }
    return (most.1 < 0 ? "-" : "+") + most.0
  }

  /// Returns settings that every board supports and that are fast enough for movements by hand:
  /// polling at 100 Hz, normal power.
  private static func settings(_ of: SensorSettings) -> SensorSettings {
    var settings = of
    settings.acquisition = .polling
    settings.rate = min(settings.rate, 100)
    settings.power = .normal
    return settings
  }
}

/// A recogniser for the gestures in the chips' readings.
private struct GestureWatch {
  private var gate: StationaryDetector
  private var gestures: MountingGestures
  private(set) var alignment = FieldAlignment()
  /// The gyroscope's bias in rad/s, from the first interval at rest. Rotations of the board are
  /// integrated only once the bias is known.
  private var bias: Vector3?

  init() {
    // The limits suit a board in a hand with a possibly noisy supply: noise of 0.05 g per axis
    // still counts as rest, but a turn that takes half a second does not.
    var still = StationaryDetector.Params()
    still.length = 0.8
    still.specificForceSpread = 0.12
    still.specificForceChange = 0.08
    still.rotationRateSpread = radians(fromDegrees: 8)
    still.rotationRateChange = radians(fromDegrees: 4)
    gate = StationaryDetector(still)
    var fit = MountingFit.Params()
    fit.largestSpread = 0.12
    gestures = MountingGestures(fit)
  }

  var next: MountingGestures.Step? { gestures.next }
  var fit: MountingFit? { gestures.fit }

  mutating func take(_ reading: ChipReading, at time: Timestamp) -> MountingGestures.Verdict? {
    let turns = reading.channels.contains(.rotationRate)
    if turns, let bias { alignment.add(rotationRate: reading.rotationRate - bias, at: time) }
    let stretch = gate.add(
      specificForce: reading.channels.contains(.acceleration) ? reading.specificForce : nil,
      rotationRate: turns ? reading.rotationRate : nil, temperature: nil, at: time)
    guard let stretch, stretch.isStill, let force = stretch.specificForce else { return nil }
    let verdict = gestures.add(force)
    if case .taken(.flat) = verdict { bias = stretch.rotationRate?.mean ?? .zero }
    return verdict
  }

  mutating func take(field: Vector3, at time: Timestamp) {
    alignment.add(magneticField: field, at: time)
  }
}
