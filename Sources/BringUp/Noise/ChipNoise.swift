// SPDX-License-Identifier: Apache-2.0
internal import Boards
public import ChipCatalog
public import Quantities
public import Registers
internal import MotionSources
internal import Runtime
public import Sensors

/// The noise of one chip at rest, beside its data sheet.
public struct ChipNoise: Sendable {
  /// The noise of one channel.
  public struct ChannelResult: Sendable {
    public let channel: Channel
    /// x, y and z, or one.
    public let axes: [NoiseAnalysis]
    /// The number of gaps in the record; `axes` are of its longest part without any.
    public let gaps: Int
    /// The data sheet's figures of the channel, if there are any.
    public let dataSheet: ChannelNoise?
    /// Its noise density at the full scale that is set, in the channel's unit / sqrt(Hz).
    public let dataSheetDensity: Double?

    public var units: NoiseUnits { NoiseUnits.of(channel) }

    /// The axes that stayed at the end of the range for some samples.
    package let pinned: [PinnedAxes.End]

    /// x, y, z, or nothing where there is only one axis.
    public var axisNames: [String] { axes.count == 3 ? ["x", "y", "z"] : [""] }

    /// The noise of the worst axis in multiples of the data sheet's: its density, or its standard
    /// deviation where there is no other figure. `nil` where nothing can be compared.
    public var ratio: Double? {
      if let density = dataSheetDensity {
        return axes.compactMap(\.noiseDensity).max().map { $0 / density }
      }
      guard let deviation = dataSheet?.deviation else { return nil }
      return axes.map(\.standardDeviation).max().map { $0 / deviation }
    }
  }

  /// The chip's name in the board file, or of what it is a recording.
  public let name: String
  /// The part, as its maker prints it; empty where that is not known.
  public let title: String
  public let channels: [ChannelResult]
  /// The seconds in which it did not lie still, of so many that were looked at.
  public let movedSeconds: [Int]
  public let secondsSeen: Int
  /// Degrees Celsius at the begin and at the end, where the chip tells.
  public let temperatures: (first: Double, last: Double)?

  /// Readings without a value, and at the end of a range.
  package let quality: ReadingQuality
  /// Words for the axes at the end of their range.
  package let beyond: [String]

  /// Analyses `record`. Channels of fewer than 32 samples without a gap between them are left out.
  public init(
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

  /// Lets `chip` run as its board file says, for `span`, and looks at what it sampled, in its own
  /// axes and without calibration. `progress` is given the seconds that there are, and returns
  /// whether to go on. Throws where the chip cannot run so, or says nothing.
  public static func measure(
    _ chip: ExaminedChip, for span: TimeSpan, progress: (Double) -> Bool = { _ in true }
  ) throws(ChipError) -> ChipNoise {
    var settings = chip.placement.settings
    settings.power = .normal
    if settings.acquisition == .detections { settings.acquisition = .polling }
    var record = NoiseRecord()
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
