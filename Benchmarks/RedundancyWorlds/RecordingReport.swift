// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities
internal import Redundancy

/// A recording with a second, worse IMU that is made of it: three times the noise, 100 samples/s,
/// 5 ms late, a scale that is off by 3 %, an offset of 3 degrees/s and 20 mg, and a rotation of 3
/// degrees that the board file does not say. Prints the attitudes of the recording's IMU alone, of
/// the second one alone, and of both as one, for a program that knows the truth.
enum RecordingReport {
  private static let rate: Scalar = 100
  private static let delay: Scalar = 0.005
  private static let scale: Scalar = 1.03
  private static let offset = 3 * degree
  private static let offsetOfGravity: Scalar = 0.02
  private static let rotation = Quaternion(rotationVector: Vector3(0.03, -0.03, 0.03))

  private struct Row {
    var time: Scalar
    var rate: Vector3
    var force: Vector3
    var field: Vector3
  }

  static func print(_ path: String, seed: UInt64) throws {
    let rows = try rows(of: path)
    guard let first = rows.first, let last = rows.last, rows.count > 2 else { return }
    let interval = (last.time - first.time) / Scalar(rows.count - 1)
    var draws = Draws(seed: seed)
    var readings: [Reading] = []
    for row in rows {
      readings.append(reading(row, of: 0, arrival: row.time))
    }
    let noise = Scalar(rate / 2).squareRoot()
    let traits = (0..<2).map { chip in
      { (channel: Channel) -> SensorTraits in
        var traits = SensorTraits(channel, interval: chip == 0 ? interval : 1 / rate)
        if chip == 1 {
          traits.noise *= 3
          return traits
        }
        // The recording's IMU is calibrated; the second one has the errors of a common part.
        var left = FusionEngine.Params()
        left.expectCalibratedAccelerometer()
        if channel == .acceleration { traits.offsetSigma = left.accelerationOffsetSigma }
        traits.scaleSigma = left.accelerationScaleSigma
        traits.crossAxisSigma = left.accelerationCrossAxisSigma
        return traits
      }
    }
    let density = (
      turn: SensorTraits(.rotationRate, interval: 0.5).noise,
      force: SensorTraits(.acceleration, interval: 0.5).noise
    )
    var index = 0
    var time = first.time + 0.5 / rate
    while time < last.time {
      while rows[index + 1].time < time { index += 1 }
      var row = between(rows[index], rows[index + 1], at: time)
      row.rate = rotation.rotate(row.rate) * scale + Vector3(offset, -offset, offset)
      row.force =
        rotation.rotate(row.force) * scale
        + Vector3(offsetOfGravity, -offsetOfGravity, offsetOfGravity)
      row.rate += draws.vector(sigma: 3 * density.turn * noise)
      row.force += draws.vector(sigma: 3 * density.force * noise)
      row.time = time + delay
      readings.append(reading(row, of: 1, arrival: row.time))
      time += 1 / rate
    }
    readings.sort { $0.arrival < $1.arrival }
    var groups = SensorGroups()
    let alignment = SensorAlignment(rotationSigma: 0.035, timeOffsetSigma: 0.005)
    groups.add(chipWith: [.rotationRate, .acceleration, .magneticField], traits: traits[0])
    groups.add(chipWith: [.rotationRate, .acceleration], alignment: alignment, traits: traits[1])
    var engines = [FusionEngine](repeating: FusionEngine(), count: 3)
    for reading in readings {
      feed(&engines[reading.chip], reading.sample)
      guard let sample = groups.add(reading.sample, from: reading.chip) else { continue }
      feed(&engines[2], sample, &groups)
      if reading.chip == 0 { line(reading.sample.timestamp.seconds, engines) }
    }
  }

  private static func feed(
    _ engine: inout FusionEngine, _ sample: Sample, _ groups: inout SensorGroups
  ) {
    exchangeDoubts(&engine, &groups, for: sample.channels)
    feed(&engine, sample)
  }

  private static func feed(_ engine: inout FusionEngine, _ sample: Sample) {
    if sample.channels.contains(.rotationRate) {
      engine.update(rotationRate: sample.rotationRate, at: sample.timestamp)
    }
    if sample.channels.contains(.acceleration) {
      engine.update(acceleration: sample.acceleration, at: sample.timestamp)
    }
    if sample.channels.contains(.magneticField) {
      engine.update(magneticField: sample.magneticField, at: sample.timestamp)
    }
  }

  private static func line(_ time: Double, _ engines: [FusionEngine]) {
    let attitudes = engines.map { engine in
      let q = engine.hasHeading ? engine.attitude9 : engine.attitude6
      return "\(q.w),\(q.x),\(q.y),\(q.z)"
    }
    Swift.print("\(time),\(attitudes.joined(separator: ","))")
  }

  private static func reading(_ row: Row, of chip: Int, arrival: Scalar) -> Reading {
    var sample = Sample(
      timestamp: Timestamp(seconds: row.time), channels: [.rotationRate, .acceleration])
    sample.rotationRate = row.rate
    sample.acceleration = row.force
    if chip == 0, row.field.isFinite {
      sample.channels.insert(.magneticField)
      sample.magneticField = row.field
    }
    return Reading(chip: chip, arrival: arrival, sample: sample)
  }

  private static func between(_ a: Row, _ b: Row, at time: Scalar) -> Row {
    let share = (time - a.time) / (b.time - a.time)
    return Row(
      time: time, rate: a.rate + (b.rate - a.rate) * share,
      force: a.force + (b.force - a.force) * share, field: .zero)
  }

  /// Reads rows of ten numbers: seconds, rotation rate, acceleration, magnetic field.
  private static func rows(of path: String) throws -> [Row] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: ",", omittingEmptySubsequences: false).map {
        Double($0) ?? .nan
      }
      guard numbers.count >= 10, numbers[0].isFinite else { return nil }
      func vector(_ k: Int) -> Vector3 { Vector3(numbers[k], numbers[k + 1], numbers[k + 2]) }
      return Row(time: numbers[0], rate: vector(1), force: vector(4), field: vector(7))
    }
  }
}
