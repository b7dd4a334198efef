// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import Fusion
import Otolith
import Sensors

/// The samples of a reference chip, and of the chips that are aligned to it.
struct AlignedChips {
  /// The samples of one chip, in device axes according to the chip's mounting, at the times of the
  /// motion.
  struct Series {
    let chip: ChipPlacement
    let mounting: Mounting
    private let correction: ChipCorrection
    private let delays: StreamDelays
    private(set) var rates: [TimedVector] = []
    private(set) var forces: [TimedVector] = []

    init(_ chip: ChipPlacement, _ task: CalibrationTask) {
      self.chip = chip
      // Use the mounting and the delays without an earlier alignment.
      mounting = task.board.calibration?.chips[chip.name]?.mounting ?? chip.statedMounting
      correction = ChipCorrection(task.errors(of: chip))
      let offset = chip.alignment?.value.timeOffset ?? 0
      delays = StreamDelays(
        rotationRate: chip.delays.rotationRate - offset,
        acceleration: chip.delays.acceleration - offset)
    }

    mutating func take(_ moment: CalibrationSource.Moment) {
      let reading = correction.corrected(moment.reading)
      if let rate = reading.measuredRate, rate.isFinite {
        let time = moment.time - TimeSpan(seconds: delays.rotationRate)
        if rates.last.map({ $0.time < time }) ?? true {
          rates.append(TimedVector(time, mounting.matrix * rate))
        }
      }
      if let force = reading.measuredForce, force.isFinite {
        let time = moment.time - TimeSpan(seconds: delays.acceleration)
        if forces.last.map({ $0.time < time }) ?? true {
          forces.append(TimedVector(time, mounting.matrix * force))
        }
      }
    }
  }

  /// A chip that is aligned to the reference chip, with the result.
  struct Pair {
    var series: Series
    let params: IMUAlignment.Params
    var fit: IMUAlignment.Fit?
    var alignment: ChipAlignment?

    var chip: ChipPlacement { series.chip }

    /// The angle between the chip's new mounting and its previous mounting, in radians.
    var change: Double {
      guard let m = fit?.rotation else { return 0 }
      return acos(min(max((m.m11 + m.m22 + m.m33 - 1) / 2, -1), 1))
    }
  }

  static let instruction =
    "turn the device to and fro by hand about all its axes, a turn a second, for half a minute"

  private var reference: Series
  private(set) var pairs: [Pair]
  /// The angle that the device has turned about each axis, in radians.
  private var travel = Vector3.zero
  private var last: TimedVector?

  init(_ task: CalibrationTask, _ others: [ChipPlacement]) {
    reference = Series(task.chip, task)
    pairs = others.map {
      Pair(series: Series($0, task), params: IMUAlignment.Params(task.chip, $0, in: task))
    }
  }

  var names: String { ([reference.chip] + pairs.map(\.chip)).map(\.name).joined(separator: ", ") }

  mutating func take(_ moment: CalibrationSource.Moment) {
    if let other = moment.other { return pairs[other].series.take(moment) }
    reference.take(moment)
    guard let newest = reference.rates.last else { return }
    if let last {
      let rate = newest.value * min((newest.time - last.time).seconds, 0.1)
      travel += Vector3(abs(rate.x), abs(rate.y), abs(rate.z))
    }
    last = newest
  }

  /// Fits the alignment of each chip. If the result is not good enough yet, returns what the user
  /// must do; otherwise `nil`.
  mutating func solve() -> String? {
    for index in pairs.indices {
      let pair = pairs[index]
      let fit: IMUAlignment.Fit
      do throws(IMUAlignmentError) {
        fit = try IMUAlignment.fit(
          rates: reference.rates.span, forces: reference.forces.span,
          rates: pair.series.rates.span, forces: pair.series.forces.span, pair.params)
      } catch { return sentence(error, pair.chip) }
      guard fit.missing.isEmpty else { return Self.sentence(fit.missing) }
      pairs[index].fit = fit
      pairs[index].alignment = alignment(fit, pair)
    }
    return nil
  }

  /// Converts a fit to an alignment in chip axes.
  private func alignment(_ fit: IMUAlignment.Fit, _ pair: Pair) -> ChipAlignment {
    let own = fit.rotation * pair.series.mounting.matrix
    let misalignment = pair.params.misalignmentSigma
    let rotationSigma = fit.rotationSigma.largestComponent
    return ChipAlignment(
      rotation: reference.mounting.matrix.transposed * own,
      rotationSigma: (rotationSigma * rotationSigma + misalignment * misalignment).squareRoot(),
      leverArm: own.transposed * fit.leverArm, leverArmSigma: fit.leverArmSigma.largestComponent,
      timeOffset: fit.timeOffset, timeOffsetSigma: fit.timeOffsetSigma)
  }

  private func sentence(_ error: IMUAlignmentError, _ chip: ChipPlacement) -> String {
    switch error {
    case .tooShort: "\(chip.name) or \(reference.chip.name) gave too few samples"
    case .notMoved: "the device was not turned: \(Self.instruction)"
    case .unrelated:
      "\(chip.name) and \(reference.chip.name) do not measure the same motion: one of them is broken, or not fixed to the device"
    }
  }

  private static func sentence(_ missing: IMUAlignment.AxisSet) -> String {
    if missing == .all { return "turn it faster, about all axes" }
    let axes = [(IMUAlignment.AxisSet.x, "x"), (.y, "y"), (.z, "z")]
      .filter { missing.contains($0.0) }.map(\.1)
    return "turn it about its \(axes.joined(separator: " and its ")) axis too"
  }

  /// Returns the progress to show to the user.
  func step(seconds: Double, of duration: Double, advice: String?) -> GuidedStep {
    let share = min(seconds / duration, 1)
    // Require two whole turns about each axis.
    let enough = 4 * Double.pi
    return GuidedStep(
      instruction: advice ?? Self.instruction,
      progress: (share, "\(Int(min(seconds, duration))) of \(Int(duration)) s"),
      places: [("x", travel.x), ("y", travel.y), ("z", travel.z)].map { axis, angle in
        GuidedStep.Place(name: "turned about \(axis)", isTaken: angle >= enough)
      })
  }
}

extension IMUAlignment.Params {
  /// Creates parameters for two chips from the errors in their data sheets that no calibration
  /// removes, and from their positions in the board file.
  init(_ first: ChipPlacement, _ second: ChipPlacement, in task: CalibrationTask) {
    self.init()
    func tolerance(_ chip: ChipPlacement, _ channel: Channel) -> ChannelTolerance? {
      chip.sheet?.tolerances.first { $0.channel == channel }
    }
    /// Returns the remaining error: a calibration leaves a tenth of the data sheet's error.
    func left(_ isCalibrated: Bool, _ sigma: Double?, _ usual: Double) -> Double {
      (sigma ?? usual) * (isCalibrated ? 0.1 : 1)
    }
    func rates(_ chip: ChipPlacement) -> Double {
      left(
        task.errors(of: chip).gyroMatrix != .identity,
        tolerance(chip, .rotationRate)?.scale.sigma, rateScaleSigma)
    }
    func forces(_ chip: ChipPlacement) -> Double {
      left(
        task.errors(of: chip).accelerationMatrix != .identity,
        tolerance(chip, .acceleration)?.scale.sigma, forceScaleSigma / 2.0.squareRoot())
    }
    func sum(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    (rateScaleSigma, otherRateScaleSigma) = (rates(first), rates(second))
    forceScaleSigma = sum(forces(first), forces(second))
    // The error in the rotation of the three axes is half of the difference of two cross-axis
    // sensitivities.
    let turns = [first, second].compactMap { tolerance($0, .rotationRate)?.crossAxis.sigma }
    if let most = turns.max() { misalignmentSigma = most / 2.0.squareRoot() }
    if first.statedPosition != second.statedPosition {
      prior.leverArm = second.statedPosition - first.statedPosition
      // Positions are uncertain because chips are a few millimetres wide and users measure with a
      // ruler.
      prior.leverArmSigma = 0.003
    }
  }
}

extension Vector3 {
  fileprivate var largestComponent: Double { max(x, y, z) }
}
