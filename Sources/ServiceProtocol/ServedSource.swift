// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import Geomagnetism
public import Quantities
public import Runtime

/// What the service says of its source: everything that a program knows of a board before it starts.
public struct ServedSource: Equatable, Sendable {
  public struct Chip: Equatable, Sendable {
    /// Its name in the board file.
    public var name: String
    /// What it is used for.
    public var channels: ChannelSet
    /// Whether the board counts steps by what this chip detects.
    public var countsSteps: Bool

    public init(name: String, channels: ChannelSet, countsSteps: Bool = false) {
      self.name = name
      self.channels = channels
      self.countsSteps = countsSteps
    }
  }
  /// The board's name.
  public var name: String
  /// What it samples.
  public var channels: ChannelSet
  /// Samples per second by channel; `nil` where there are none, or nobody knows.
  public var rates: [Double?]
  /// Whether samples come from elsewhere than chips: a simulation, a recording, a script.
  public var isMadeUp: Bool
  public var chips: [Chip]
  public var location: Location?

  public init(_ source: any MotionSource) {
    name = source.name
    channels = source.channels
    rates = Channel.allCases.map { source.rate(of: $0) }
    isMadeUp = source.isMadeUp
    chips = source.pipeline.chips.indices.map { index in
      Chip(
        name: source.name(ofChip: index), channels: source.channels(ofChip: index),
        countsSteps: index == source.stepCounter)
    }
    location = source.location
  }

  func write(to writer: inout PacketWriter) {
    writer.write(name)
    writer.write(UInt8(truncatingIfNeeded: channels.rawValue))
    for rate in rates { writer.write(rate) }
    writer.write(isMadeUp)
    writer.write(UInt16(chips.count))
    for chip in chips {
      writer.write(chip.name)
      let counts: UInt8 = chip.countsSteps ? Self.countsSteps : 0
      writer.write(UInt8(truncatingIfNeeded: chip.channels.rawValue) | counts)
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
    rates = []
    for _ in Channel.allCases { rates.append(try reader.optionalDouble()) }
    isMadeUp = try reader.flag()
    chips = []
    for _ in 0..<(try reader.count(of: 3)) {
      let name = try reader.text()
      let byte = try reader.read(UInt8.self)
      chips.append(
        Chip(
          name: name, channels: ChannelSet(rawValue: .init(byte & ~Self.countsSteps)),
          countsSteps: byte & Self.countsSteps != 0))
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

  /// In the byte of a chip's channels.
  private static var countsSteps: UInt8 { 0x80 }

  private static func channels(_ reader: inout PacketReader) throws(MalformedPacket) -> ChannelSet {
    ChannelSet(rawValue: .init(try reader.read(UInt8.self)))
  }
}
