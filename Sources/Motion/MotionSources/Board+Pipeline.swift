// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog
package import Quantities
package import Redundancy
package import Runtime
internal import Fusion
internal import Sensors

extension Board {
  /// The board's chips in the form that a pipeline expects, in the order of the file.
  package var pipelineChips: [PipelineChip] {
    let first = chips.first { !BoardSession.channels(of: $0).isEmpty }?.position ?? .zero
    return chips.map { chip in
      let channels = BoardSession.channels(of: chip)
      var input = PipelineChip(channels, uses: chip.uses)
      input.alignment.leverArm = chip.position - first
      if let found = chip.alignment?.value {
        // The chip's rotation, position and delays already contain the result of the alignment.
        input.alignment.rotationSigma = found.rotationSigma
        input.alignment.leverArmSigma = found.leverArmSigma
        input.alignment.timeOffsetSigma = found.timeOffsetSigma
      }
      for channel in Channel.allCases where channels.contains(channel) {
        input.traits[channel] = traits(of: channel, chip)
      }
      if !channels.isEmpty {
        var alone = self
        for index in alone.chips.indices {
          alone.chips[index].uses = alone.chips[index].name == chip.name ? .all : []
        }
        input.params = FusionEngine.Params(of: alone)
      }
      return input
    }
  }

  /// Returns the chips from which motion takes `channel`, the chip with the highest rate first: all
  /// of them if their values can be combined for this channel, otherwise the first.
  package func chips(using channel: Channel) -> [ChipPlacement] {
    let roles = ChipRole.roles(
      of: chips.map { PipelineChip(BoardSession.channels(of: $0), uses: $0.uses) })
    let used = chips.indices.filter { roles[$0].used.contains(channel) }.map { chips[$0] }
    // Keep the sort stable: among chips with the same rate, the first in the file stays the first.
    return used.enumerated()
      .sorted { ($1.element.settings.rate, $0.offset) < ($0.element.settings.rate, $1.offset) }
      .map(\.element)
  }

  /// Returns the range of a chip's channel, and the way back from a value to the chip's axes; `nil`
  /// if the chip has no ranges for this channel. Values are computed as `sign * mounting * matrix *
  /// (reading - offset)`; `sign` is -1 for Core Motion's acceleration.
  package func range(
    of channel: Channel, _ chip: ChipPlacement, sign: Double = 1
  ) -> SensorRange? {
    let known = calibration?.chips[chip.name]?.errors ?? ChipCalibration()
    let (matrix, offset): (Matrix3, Vector3) =
      switch channel {
      case .rotationRate: (known.gyroMatrix, known.gyroBias)
      case .acceleration: (known.accelerationMatrix, known.accelerationOffset)
      case .magneticField: (known.softIronMatrix, known.hardIron)
      default: (.identity, .zero)
      }
    let rows = chip.sheet?.channels(of: chip.settings)
    guard let row = rows?.first(where: { $0.channel == channel }), let inverse = matrix.inverse,
      let full = chip.range(of: channel) ?? row.ranges.first
    else { return nil }
    return SensorRange(
      end: row.end(at: full),
      matrix: channel.isVector ? inverse * chip.mounting.matrix.transposed : inverse,
      offset: offset * sign)
  }

  /// Returns the properties of a chip's channel from its data sheet, without the errors that a
  /// calibration has removed.
  package func traits(of channel: Channel, _ chip: ChipPlacement) -> SensorTraits {
    let rate = chip.settings.rate
    var traits = SensorTraits(channel, interval: 1 / rate)
    traits.delay = chip.delays[channel]
    if chip.settings.acquisition == .fifo {
      traits.batchInterval = chip.settings.batchInterval.seconds
    }
    guard let sheet = chip.sheet,
      let row = sheet.channels(of: chip.settings).first(where: { $0.channel == channel })
    else { return traits }
    let range = chip.range(of: channel) ?? row.ranges.first ?? 0
    let step = row.resolution(at: range)
    if step.isFinite, step > 0 { traits.step = step }
    traits.range = self.range(of: channel, chip, sign: channel == .acceleration ? -1 : 1)
    let band = min(chip.settings.bandwidth ?? .infinity, rate / 2)
    if let density = sheet.noiseDensity(of: channel, at: range) {
      traits.noise = density * band.squareRoot()
    } else if let deviation = sheet.noise.first(where: { $0.channel == channel })?.deviation {
      traits.noise = deviation
    }
    // Rounding to counts adds noise with a uniform distribution.
    traits.noise = (traits.noise * traits.noise + traits.step * traits.step / 12).squareRoot()
    if let tolerance = sheet.tolerances.first(where: { $0.channel == channel }) {
      let offset = max(tolerance.offset.sigma, tolerance.verticalOffset.sigma)
      (traits.offsetSigma, traits.scaleSigma, traits.crossAxisSigma) = (
        offset, tolerance.scale.sigma, tolerance.crossAxis.sigma
      )
      if channel == .rotationRate {
        // The effect of gravity on the offset. A part whose data sheet gives no figure has a small
        // effect too.
        let least = 0.02 * Double.pi / 180
        traits.unsteadiness = max(tolerance.perG?.sigma ?? 0, least)
      }
    }
    if let known = calibration?.chips[chip.name]?.errors { traits.remove(known, of: channel) }
    return traits
  }
}

extension SensorTraits {
  /// Reduces the errors to those that remain after a calibration; fusion expects the same errors of
  /// a calibrated chip.
  fileprivate mutating func remove(_ known: ChipCalibration, of channel: Channel) {
    var left = FusionEngine.Params()
    left.expectCalibratedAccelerometer()
    switch channel {
    case .rotationRate where known.gyroMatrix != .identity:
      (scaleSigma, crossAxisSigma) = (left.accelerationScaleSigma, left.accelerationCrossAxisSigma)
    case .acceleration
    where known.accelerationMatrix != .identity || known.accelerationOffset != .zero:
      offsetSigma = left.accelerationOffsetSigma
      (scaleSigma, crossAxisSigma) = (left.accelerationScaleSigma, left.accelerationCrossAxisSigma)
    default: break
    }
  }
}

extension StreamDelays {
  /// The delay of the samples of `channel`, in seconds; 0 for channels that have none.
  fileprivate subscript(channel: Channel) -> Double {
    switch channel {
    case .rotationRate: rotationRate
    case .acceleration: acceleration
    case .magneticField: magneticField
    default: 0
    }
  }
}
