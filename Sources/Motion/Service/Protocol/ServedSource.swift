// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities
package import Runtime

/// The service's description of its source: what a client needs to know about the board before the
/// client starts.
package struct ServedSource: Equatable, Sendable {
  package struct Chip: Equatable, Sendable {
    /// The chip's name in the board file.
    package var name: String
    /// The channels that the chip samples.
    package var channels: ChannelSet
    /// The channels for which motion uses the chip, alone or combined with other chips.
    package var uses: ChannelSet
    /// True if the board counts steps with this chip's step counter.
    package var countsSteps: Bool

    package init(
      name: String, channels: ChannelSet, uses: ChannelSet = .all, countsSteps: Bool = false
    ) {
      self.name = name
      self.channels = channels
      self.uses = uses
      self.countsSteps = countsSteps
    }
  }
  /// The board's name.
  package var name: String
  /// The sampled channels.
  package var channels: ChannelSet
  /// The sample rate of each channel in Hz; `nil` if the channel is not sampled or its rate is
  /// unknown.
  package var rates: [Double?]
  /// True if samples do not come from chips: a simulation, a recording, a script.
  package var isMadeUp: Bool
  package var chips: [Chip]
  package var location: Location?
  /// The layout of the ring of samples.
  package var layout = SampleLayout.own

  package init(_ source: any MotionSource) {
    name = source.name
    channels = source.channels
    rates = Channel.allCases.map { source.rate(of: $0) }
    isMadeUp = source.isMadeUp
    chips = source.pipeline.chips.indices.map { index in
      Chip(
        name: source.name(ofChip: index), channels: source.channels(ofChip: index),
        uses: source.pipeline.channelsUsed(ofChip: index), countsSteps: index == source.stepCounter)
    }
    location = source.location
  }

  func write(to writer: inout PacketWriter) {
    writer.write(name)
    writer.write(channels.rawValue)
    layout.write(to: &writer)
    // Write one rate for each channel in the layout, in that order.
    for field in layout.fields {
      let place = Int(field.number)
      writer.write(rates.indices.contains(place) ? rates[place] : nil)
    }
    writer.write(isMadeUp)
    writer.write(UInt16(chips.count))
    for chip in chips {
      writer.write(chip.name)
      writer.write(chip.channels.rawValue)
      writer.write(chip.uses.rawValue)
      writer.write(chip.countsSteps)
    }
    writer.write(location != nil)
    writer.write(location?.declination)
    writer.write(location?.position?.latitude)
    writer.write(location?.position?.longitude)
    writer.write(location?.position?.height)
    writer.write(location?.height)
    writer.write(location?.seaLevelPressure)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    name = try reader.text()
    channels = try Self.channels(&reader)
    layout = try SampleLayout(&reader)
    rates = [Double?](repeating: nil, count: Channel.allCases.count)
    for field in layout.fields {
      let rate = try reader.optionalDouble()
      if Int(field.number) < rates.count { rates[Int(field.number)] = rate }
    }
    isMadeUp = try reader.flag()
    chips = []
    for _ in 0..<(try reader.count(of: 7)) {
      chips.append(
        Chip(
          name: try reader.text(), channels: try Self.channels(&reader),
          uses: try Self.channels(&reader), countsSteps: try reader.flag()))
    }
    let isSomewhere = try reader.flag()
    var location = Location(declination: try reader.optionalDouble())
    let latitude = try reader.optionalDouble()
    let longitude = try reader.optionalDouble()
    let ellipsoidal = try reader.optionalDouble()
    if let latitude, let longitude, let ellipsoidal {
      do throws(GeodeticPositionError) {
        location.position = try GeodeticPosition(
          latitude: latitude, longitude: longitude, height: ellipsoidal)
      } catch { throw MalformedPacket("a place at \(latitude), \(longitude)") }
    }
    location.height = try reader.optionalDouble()
    location.seaLevelPressure = try reader.optionalDouble()
    self.location = isSomewhere ? location : nil
  }

  /// Reads channels, and omits the channels that this program does not know.
  private static func channels(_ reader: inout PacketReader) throws(MalformedPacket) -> ChannelSet {
    ChannelSet(rawValue: try reader.read()).intersection(.all)
  }
}
