// SPDX-License-Identifier: Apache-2.0
package import Boards
package import ChipCatalog
package import Fusion
internal import Quantities
package import Sensors

extension FusionEngine.Params {
  /// Creates the default parameters for the carrier of `board`, with the delays and ranges of the
  /// chips in use, and with the errors from their data sheets that no calibration removes.
  ///
  /// If chips are combined, the delay is that of the fastest chip and the range is that of the chip
  /// with the widest range. The errors are those of the mean, weighted by inverse variances.
  package init(of board: Board) {
    self.init(carrier: board.carrier)
    func widest(_ chips: [ChipPlacement], _ channel: Channel) -> ChipPlacement? {
      // If several chips have the same range, use the first.
      chips.reduce(nil) { best, chip in
        guard let best, let reach = best.range(of: channel) else { return best ?? chip }
        guard let range = chip.range(of: channel), range > reach else { return best }
        return chip
      }
    }
    func expectErrors(of chips: [ChipPlacement], _ channel: Channel) {
      let each = chips.map { chip -> FusionEngine.Params in
        var one = self
        if let sheet = tolerance(chip, channel) { one.expect(sheet, but: errors(chip)) }
        return one
      }
      expect(meanOf: each, channel == .rotationRate ? Self.gyroSigmas : Self.accelerationSigmas)
    }
    func errors(_ chip: ChipPlacement) -> ChipCalibration {
      board.calibration?.chips[chip.name]?.errors ?? ChipCalibration()
    }
    func tolerance(_ chip: ChipPlacement, _ channel: Channel) -> ChannelTolerance? {
      chip.sheet?.tolerances.first { $0.channel == channel }
    }
    let gyroscopes = board.chips(using: .rotationRate)
    if let fastest = gyroscopes.first, let chip = widest(gyroscopes, .rotationRate) {
      gyroDelay = fastest.delays.rotationRate
      rotationRateRange = board.range(of: .rotationRate, chip)
      expectErrors(of: gyroscopes, .rotationRate)
    }
    let accelerometers = board.chips(using: .acceleration)
    if let fastest = accelerometers.first, let chip = widest(accelerometers, .acceleration) {
      accelerationDelay = fastest.delays.acceleration
      accelerationRange = board.range(of: .acceleration, chip)
      expectErrors(of: accelerometers, .acceleration)
    }
    let magnetometers = board.chips(using: .magneticField)
    if let fastest = magnetometers.first {
      magneticDelay = fastest.delays.magneticField
      isMagnetometerCalibrated = magnetometers.allSatisfy { errors($0).hardIron != .zero }
    }
  }

  private static var gyroSigmas: [WritableKeyPath<FusionEngine.Params, Double>] {
    [\.biasSigmaAtStart, \.biasWalk, \.gyroScaleSigma, \.gyroMisalignmentSigma]
  }

  private static var accelerationSigmas: [WritableKeyPath<FusionEngine.Params, Double>] {
    [
      \.accelerationOffsetSigma, \.accelerationOffsetWalk, \.accelerationScaleSigma,
      \.accelerationCrossAxisSigma,
    ]
  }

  /// Sets these errors to the errors of the mean of several sensors, weighted by the inverse
  /// variances of the errors.
  private mutating func expect(
    meanOf each: [FusionEngine.Params], _ sigmas: [WritableKeyPath<FusionEngine.Params, Double>]
  ) {
    for sigma in sigmas {
      let values = each.map { $0[keyPath: sigma] }
      let information = values.reduce(0.0) { $0 + 1 / ($1 * $1) }
      self[keyPath: sigma] = values.count == 1 ? values[0] : 1 / information.squareRoot()
    }
  }

  /// Sets the expected errors to the values in a data sheet, except for errors that a calibration
  /// has removed. Temperature errors remain after a calibration.
  package mutating func expect(
    _ sheet: ChannelTolerance, but known: ChipCalibration = ChipCalibration()
  ) {
    switch sheet.channel {
    case .rotationRate:
      if let perKelvin = sheet.perKelvin { biasWalk = perKelvin.sigma * Self.temperatureWalk }
      if known.gyroBias == .zero { biasSigmaAtStart = sheet.offset.sigma }
      guard known.gyroMatrix == .identity else { break }
      gyroScaleSigma = sheet.scale.sigma
      gyroMisalignmentSigma = sheet.crossAxis.sigma
    case .acceleration:
      if let perKelvin = sheet.perKelvin {
        accelerationOffsetWalk = perKelvin.sigma * Self.temperatureWalk
      }
      guard known.accelerationOffset == .zero, known.accelerationMatrix == .identity else {
        expectCalibratedAccelerometer()
        break
      }
      accelerationOffsetSigma = sheet.offset.sigma
      accelerationScaleSigma = sheet.scale.sigma
      accelerationCrossAxisSigma = sheet.crossAxis.sigma
    default: break
    }
  }
}
