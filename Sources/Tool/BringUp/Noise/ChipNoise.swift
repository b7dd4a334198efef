// SPDX-License-Identifier: Apache-2.0
internal import Boards
package import ChipCatalog
package import Quantities
package import Registers
internal import MotionSources
internal import Runtime
package import Sensors

/// The noise of one chip at rest, with the figures from its data sheet.
package struct ChipNoise: Sendable {
  /// The noise of one channel.
  package struct ChannelResult: Sendable {
    package let channel: Channel
    /// One analysis for each axis: for x, y and z, or for the only axis.
    package let axes: [NoiseAnalysis]
    /// The number of gaps in the record; `axes` analyse the longest part without gaps.
    package let gaps: Int
    /// The data sheet's values for the channel; `nil` if there are none.
    package let dataSheet: ChannelNoise?
    /// The data sheet's noise density at the current full scale, in the channel's unit / sqrt(Hz).
    package let dataSheetDensity: Double?

    package var units: NoiseUnits { NoiseUnits.of(channel) }

    /// The axes that reached the end of their range in some samples.
    package let pinned: [PinnedAxes.End]

    /// The names x, y and z; if there is only one axis, an empty name.
    package var axisNames: [String] { axes.count == 3 ? ["x", "y", "z"] : [""] }

    /// The noise of the worst axis relative to the data sheet. The noise density is compared or, if
    /// the data sheet has no density, the standard deviation; `nil` if the data sheet has neither.
    package var ratio: Double? {
      if let density = dataSheetDensity {
        return axes.compactMap(\.noiseDensity).max().map { $0 / density }
      }
      guard let deviation = dataSheet?.deviation else { return nil }
      return axes.map(\.standardDeviation).max().map { $0 / deviation }
    }
  }

  /// The chip's name in the board file, or in the recording.
  package let name: String
  /// The part's name as the manufacturer writes it; empty if unknown.
  package let title: String
  package let channels: [ChannelResult]
  /// The seconds in which the board moved, and the number of seconds examined.
  package let movedSeconds: [Int]
  package let secondsSeen: Int
  /// The temperature in degrees Celsius at the start and the end, if the chip measures it.
  package let temperatures: (first: Double, last: Double)?

  /// The counts of readings without a value, and of readings at the end of a range.
  package let quality: ReadingQuality
  /// Messages about the axes that reached the end of their range.
  package let beyond: [String]

  /// Analyses `record`. Channels with fewer than 32 samples between gaps are omitted.
  package init(
    _ record: NoiseRecord, name: String, of chip: ChipDescription? = nil,
    with settings: SensorSettings? = nil
  ) {
    self.name = name
    title = chip?.title ?? ""
    movedSeconds = record.movedSeconds
    secondsSeen = record.secondsSeen
    temperatures = record.temperatures
    quality = record.quality
    let range = { (channel: Channel) in settings?[range: channel] }
    let pinned = (0..<PinnedAxes.places).compactMap { place in
      record.quality.pinned.end(at: place, range: range)
    }
    beyond = record.quality.pinned.words(range: range)
    channels = NoiseRecord.channels.compactMap { channel in
      guard let track = record.tracks[channel],
        let stretch = UnbrokenStretch(times: track.times), stretch.range.count >= 32
      else { return nil }
      return ChannelResult(
        channel: channel,
        axes: track.axes.map {
          NoiseAnalysis(of: Array($0[stretch.range]), interval: stretch.interval)
        },
        gaps: stretch.gaps, dataSheet: chip?.noise.first { $0.channel == channel },
        dataSheetDensity: chip?.noiseDensity(of: channel, at: settings?[range: channel] ?? 0),
        pinned: pinned.filter { $0.channel == channel })
    }
  }

  /// Runs `chip` with the board file's settings for `span`, and analyses its samples in chip axes
  /// without calibration. `progress` receives the number of seconds so far, and returns false to
  /// stop the run. Throws if the chip does not support these settings or delivers no samples.
  package static func measure(
    _ chip: ExaminedChip, for span: TimeSpan, progress: (Double) -> Bool = { _ in true }
  ) throws(ChipError) -> ChipNoise {
    var settings = chip.placement.settings
    settings.power = .normal
    if settings.acquisition == .detections { settings.acquisition = .polling }
    var record = NoiseRecord(chip.entry.description.countSizes(with: settings))
    let begin = chip.now
    let run = try chip.sample(settings, for: span) { reading, time in
      record.add(reading, at: time)
      return progress((time - begin).seconds)
    }
    if record.count == 0, let error = run.errors.first?.error { throw error }
    return ChipNoise(
      record, name: chip.placement.name, of: chip.entry.description, with: run.settings)
  }
}
