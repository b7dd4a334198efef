// SPDX-License-Identifier: Apache-2.0
package import Quantities
internal import Fusion
package import Sensors

/// The series of one chip or of a recording. Each channel has its own sample times.
package struct NoiseRecord: Sendable {
  struct Track: Sendable {
    /// The times of the samples, in seconds since the first sample of any channel.
    var times: [Double] = []
    /// One series per axis, in the channel's unit.
    var axes: [[Double]]
  }

  /// The channels for noise reports. Temperature is excluded, because it follows the room's
  /// temperature.
  static let channels = Channel.allCases.filter { $0 != .temperature }

  private(set) var tracks: [Channel: Track] = [:]
  /// The first and the last temperature in degrees Celsius; `nil` if the chip measures no
  /// temperature.
  private(set) var temperatures: (first: Double, last: Double)?
  /// The seconds, counted from the first sample, in which the board moved.
  package private(set) var movedSeconds: [Int] = []
  private(set) var secondsSeen = 0
  /// The number of samples.
  package private(set) var count = 0
  /// The counts of readings without a value, and of readings at the end of a range.
  package private(set) var quality: ReadingQuality
  private var gate = StationaryDetector()
  private var start: Timestamp?

  /// Creates an empty record. With the `sizes` of the chip's counts, readings at the end of a range
  /// are recognised by their codes.
  package init(_ sizes: CountSizes = CountSizes()) { quality = ReadingQuality(sizes) }

  /// Adds a reading at `time`; its axes may be chip axes or device axes.
  package mutating func add(_ reading: ChipReading, at time: Timestamp) {
    let begin = start ?? time
    start = begin
    count += 1
    quality.add(reading)
    let seconds = (time - begin).seconds
    for channel in Self.channels where reading.channels.contains(channel) {
      let values = Self.values(reading, channel)
      var track =
        tracks.removeValue(forKey: channel)
        ?? Track(axes: values.map { _ in [] })
      track.times.append(seconds)
      for index in values.indices { track.axes[index].append(values[index]) }
      tracks[channel] = track
    }
    if reading.channels.contains(.temperature) {
      temperatures = (temperatures?.first ?? reading.temperature, reading.temperature)
    }
    checkForMovement(reading, at: time, seconds)
  }

  private static func values(_ reading: ChipReading, _ channel: Channel) -> [Double] {
    let value = reading[channel]
    return channel.isVector ? [value.x, value.y, value.z] : [value.x]
  }

  private mutating func checkForMovement(
    _ reading: ChipReading, at time: Timestamp, _ seconds: Double
  ) {
    let force = reading.channels.contains(.acceleration) ? reading.specificForce : nil
    let rate = reading.channels.contains(.rotationRate) ? reading.rotationRate : nil
    guard force != nil || rate != nil,
      let stretch = gate.add(
        specificForce: force, rotationRate: rate, temperature: nil, at: time)
    else { return }
    secondsSeen += 1
    if !stretch.isStill { movedSeconds.append(Int(saturating: seconds.rounded(.towardZero) - 1)) }
  }
}
