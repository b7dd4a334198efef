// SPDX-License-Identifier: Apache-2.0
package import Boards
package import ChipCatalog
package import Fusion
internal import Quantities
package import Sensors

extension FusionEngine.Params {
  /// Creates the default parameters for the carrier of `board`, with the delays and ranges of the
  /// chips in use, and with the errors from their data sheets that no calibration removes. If two
  /// chips sample the same channel, the first is used.
  package init(of board: Board) {
    self.init(carrier: board.carrier)
    func chip(_ channel: ChannelSet) -> ChipPlacement? {
      board.chips.first { BoardSession.channels(of: $0).contains(channel) }
    }
    func errors(_ chip: ChipPlacement) -> ChipCalibration {
      board.calibration?.chips[chip.name]?.errors ?? ChipCalibration()
    }
    func tolerance(_ chip: ChipPlacement, _ channel: Channel) -> ChannelTolerance? {
      ChipCatalog.entry(named: chip.chip)?.description.tolerances.first { $0.channel == channel }
    }
    /// Samples are computed as `mounting * matrix * (reading - offset)`.
    func range(
      _ chip: ChipPlacement, _ channel: Channel, _ matrix: Matrix3, offset: Vector3
    ) -> SensorRange? {
      guard let full = chip.range(of: channel), let inverse = matrix.inverse,
        let row = ChipCatalog.entry(named: chip.chip)?.description.channels
          .first(where: { $0.channel == channel })
      else { return nil }
      return SensorRange(
        end: full * row.reach, matrix: inverse * chip.mounting.matrix.transposed, offset: offset)
    }
    if let chip = chip(.rotationRate) {
      gyroDelay = chip.delays.rotationRate
      let known = errors(chip)
      rotationRateRange = range(chip, .rotationRate, known.gyroMatrix, offset: known.gyroBias)
      if let sheet = tolerance(chip, .rotationRate) { expect(sheet, but: errors(chip)) }
    }
    if let chip = chip(.acceleration) {
      accelerationDelay = chip.delays.acceleration
      let known = errors(chip)
      accelerationRange = range(
        chip, .acceleration, known.accelerationMatrix, offset: known.accelerationOffset)
      if let sheet = tolerance(chip, .acceleration) { expect(sheet, but: errors(chip)) }
    }
    if let chip = chip(.magneticField) {
      magneticDelay = chip.delays.magneticField
      isMagnetometerCalibrated = errors(chip).hardIron != .zero
    }
  }

  /// Sets the expected errors to those of a data sheet, except for errors that a calibration has
  /// removed. Temperature errors remain after a calibration.
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
