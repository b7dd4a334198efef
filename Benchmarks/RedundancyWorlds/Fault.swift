// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// What goes wrong with a chip from a moment on.
enum Fault: String, CaseIterable {
  /// No samples come any more.
  case dead
  /// All values repeat.
  case frozen
  /// The rotation rate about one axis repeats.
  case stuckAxis = "stuck-axis"
  /// Every 50th rotation rate is off by 5 to 30 rad/s in one axis.
  case glitching
  /// The gyroscope's offset jumps by 1 degree/s in one axis.
  case bias1 = "bias-1"
  /// It jumps by 5 degrees/s.
  case bias5 = "bias-5"
  /// The accelerometer's offset jumps by 0.2 g.
  case push
  /// The gyroscope's scale is off by 20 %.
  case scale
  /// The gyroscope ends at half of the largest rate to come.
  case clipped
  /// Samples come 100 ms after they were taken, with the right time stamps.
  case late
  /// Time stamps are 30 ms after the motion.
  case stale
  /// The noise of the gyroscope is tenfold.
  case noisy
  /// The chip lost its range: values are eightfold, up to the end of the range that is believed.
  case wrongRange = "wrong-range"
  /// Three of four samples are lost.
  case slow
  /// Values are not numbers, or far outside of any range.
  case implausible
  /// Two axes of the gyroscope are swapped.
  case swapped
  /// Nothing comes for 0.3 s of each second.
  case intermittent

  /// True if the chip's accelerometer is affected.
  var isOfChip: Bool {
    switch self {
    case .dead, .frozen, .late, .stale, .wrongRange, .slow, .implausible, .intermittent, .push: true
    default: false
    }
  }
}

/// One sample of a chip, and when it is read.
struct Reading {
  var chip: Int
  var arrival: Double
  var sample: Sample
}

/// A chip with drawn errors that follows a track.
struct SimulatedChip {
  let sheet: ChipSheet
  let rate: Double
  /// The true interval, s.
  let interval: Double
  private let phase: Double
  private let delay: Double
  private let gyroMatrix: Matrix3
  private let gyroOffset: Vector3
  private let perG: Matrix3
  private let forceMatrix: Matrix3
  private let forceOffset: Vector3
  /// The number of samples that are read together.
  let batch: Int
  private var draws: Draws
  private var count = 0
  private var last: Sample?
  var fault: Fault?
  var faultTime = Double.infinity
  private let faultAxis: Int
  private let faultSign: Double
  private let clipEnd: Double

  init(_ sheet: ChipSheet, rate: Double, batch: Int = 1, largestRate: Double, _ draws: inout Draws)
  {
    self.sheet = sheet
    self.rate = rate
    self.batch = batch
    interval = (1 + draws.uniform(-0.01, 0.01)) / rate
    phase = draws.uniform(0, 1) * interval
    delay = sheet.delay + draws.uniform(-0.0005, 0.0005)
    func matrix(_ errors: ChipSheet.Errors) -> Matrix3 {
      func row(_ axis: Int) -> Vector3 {
        var row = draws.vector(sigma: errors.crossAxis)
        let own = 1 + errors.scale * draws.normal()
        if axis == 0 { row.x = own } else if axis == 1 { row.y = own } else { row.z = own }
        return row
      }
      return Matrix3(rows: row(0), row(1), row(2))
    }
    func offset(_ sigma: Double, within limit: Double) -> Double {
      while true {
        let value = sigma * draws.normal()
        if abs(value) <= limit { return value }
      }
    }
    gyroMatrix = matrix(sheet.gyroscope)
    let most = ChipSheet.largestGyroOffset
    gyroOffset = Vector3(
      offset(sheet.gyroscope.offset, within: most), offset(sheet.gyroscope.offset, within: most),
      offset(sheet.gyroscope.offset, within: most))
    perG = Matrix3(
      rows: draws.vector(sigma: sheet.perG), draws.vector(sigma: sheet.perG),
      draws.vector(sigma: sheet.perG))
    forceMatrix = matrix(sheet.accelerometer)
    forceOffset = draws.vector(sigma: sheet.accelerometer.offset)
    faultAxis = draws.index(below: 3)
    faultSign = draws.sign()
    clipEnd = 0.5 * largestRate
    self.draws = Draws(seed: UInt64(draws.uniform(0, 1e15)))
  }

  /// The end of the gyroscope's range as the driver knows it, rad/s.
  var range: Double { fault == .clipped ? clipEnd : sheet.gyroscope.range }

  /// Returns the next sample; `nil` after the end of the track.
  mutating func next(on track: Track) -> Sample? {
    while true {
      count += 1
      let time = phase + Double(count) * interval
      guard time < Track.seconds - 0.1 else { return nil }
      let isFaulty = time >= faultTime
      let stale = isFaulty && fault == .stale ? 0.03 : 0
      let shown = time - delay - stale
      let shakes = time > Track.rest ? 1.0 : 0
      let force = track.force(at: shown) + draws.vector(sigma: shakes * track.vibration.force)
      let bandwidth = (rate / 2).squareRoot()
      let turn = track.rate(at: shown) + draws.vector(sigma: shakes * track.vibration.rate)
      let noisy = isFaulty && fault == .noisy ? 10.0 : 1
      var gyro =
        gyroMatrix * turn + gyroOffset + perG * force
        + draws.vector(sigma: noisy * sheet.gyroscope.density * bandwidth)
      var acceleration =
        -(forceMatrix * force + forceOffset
        + draws.vector(sigma: sheet.accelerometer.density * bandwidth))
      if isFaulty, let fault {
        guard spoil(&gyro, &acceleration, fault, time) else { continue }
      }
      var sample = Sample(
        timestamp: Timestamp(seconds: time), channels: [.rotationRate, .acceleration])
      sample.rotationRate = counted(gyro, sheet.gyroscope.step, range)
      sample.acceleration = counted(
        acceleration, sheet.accelerometer.step, sheet.accelerometer.range)
      if isFaulty, let last {
        if fault == .frozen {
          sample.rotationRate = last.rotationRate
          sample.acceleration = last.acceleration
        } else if fault == .stuckAxis {
          set(&sample.rotationRate, component(last.rotationRate))
        } else if fault == .implausible {
          sample.rotationRate = Vector3(1e4, .nan, 0)
          sample.acceleration = Vector3(.nan, 0, 0)
        }
      }
      last = sample
      return sample
    }
  }

  /// The time at which a sample is read.
  func arrival(of sample: Sample) -> Double {
    let time = sample.timestamp.seconds
    let late = fault == .late && time >= faultTime ? 0.1 : 0
    guard batch > 1 else { return time + late + 1e-4 }
    let span = Double(batch) * interval
    return (time / span).rounded(.up) * span + late + 1e-4
  }

  private func component(_ v: Vector3) -> Double {
    faultAxis == 0 ? v.x : faultAxis == 1 ? v.y : v.z
  }

  private func set(_ v: inout Vector3, _ value: Double) {
    if faultAxis == 0 { v.x = value } else if faultAxis == 1 { v.y = value } else { v.z = value }
  }

  private func counted(_ v: Vector3, _ step: Double, _ range: Double) -> Vector3 {
    func count(_ c: Double) -> Double { max(-range, min((c / step).rounded() * step, range)) }
    return Vector3(count(v.x), count(v.y), count(v.z))
  }

  /// Returns false if the sample is lost.
  private mutating func spoil(
    _ gyro: inout Vector3, _ acceleration: inout Vector3, _ fault: Fault, _ time: Double
  ) -> Bool {
    switch fault {
    case .dead: return false
    case .glitching:
      if count % 50 == 0 {
        set(&gyro, component(gyro) + draws.sign() * draws.uniform(5, 30))
      }
    case .bias1: set(&gyro, component(gyro) + faultSign * degree)
    case .bias5: set(&gyro, component(gyro) + faultSign * 5 * degree)
    case .push: set(&acceleration, component(acceleration) + faultSign * 0.2)
    case .scale: gyro = gyro * (1 + 0.2 * faultSign)
    case .wrongRange:
      gyro = gyro * 8
      acceleration = acceleration * 8
    case .slow: return count % 4 == 0
    case .swapped: gyro = Vector3(gyro.y, gyro.x, gyro.z)
    case .intermittent: return (time - faultTime).truncatingRemainder(dividingBy: 1) >= 0.3
    case .frozen, .stuckAxis, .clipped, .late, .stale, .noisy, .implausible: break
    }
    return true
  }
}
