// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A bus that a chip supports.
public enum Wire: String, CaseIterable, Sendable {
  case i2c
  case spi
}

/// One channel of a chip with its full-scale ranges.
public struct ChannelDescription: Equatable, Sendable {
  public var channel: Channel
  /// Full scale on either side of zero, smallest first, in the channel's unit; empty for a fixed
  /// range.
  public var ranges: [Double]
  /// The largest size of one count at the smallest range, in the channel's unit; `nil` for that
  /// range divided by 32768.
  public var resolution: Double?
  /// The multiple of the range up to which the converter measures.
  public var reach: Double

  /// Creates a channel of a 16-bit converter, unless `resolution`, at the smallest range, is set.
  public init(
    _ channel: Channel, ranges: [Double], resolution: Double? = nil, reach: Double = 1
  ) {
    self.channel = channel
    self.ranges = ranges
    self.resolution = resolution
    self.reach = reach
  }

  /// Creates a channel with a fixed range.
  public init(_ channel: Channel, resolution: Double?) {
    self.channel = channel
    ranges = []
    self.resolution = resolution
    reach = 1
  }

  /// Returns the size of one count at full scale `range`, both in the channel's unit.
  public func resolution(at range: Double) -> Double {
    guard let smallest = ranges.first else { return resolution ?? .nan }
    return (resolution ?? smallest / 32768) * range / smallest
  }
}

/// An entry in the catalogue: facts about a kind of chip for board files, scans, documentation and
/// tests.
public struct ChipDescription: Sendable {
  /// The name in board files, as in device trees: `invensense,mpu6050`.
  public var name: String
  /// The part's name as the manufacturer writes it.
  public var title: String
  /// The family, whose members share one driver. The driver uses the identity read from the chip; a
  /// board file may select another member.
  public var family: String
  /// The name of the other chip in the same package, whose presence alone lets a scan distinguish
  /// this chip from one with the same identity; `nil` for a single chip.
  public var otherHalf: String?
  /// The quantities that the chip measures, in a few words.
  public var summary: String
  public var wires: [Wire]
  /// The 7-bit I2C addresses that the address pins can select.
  public var addresses: [UInt8]
  /// The data sheet's name for the address pin; `nil` for a chip with a fixed address.
  public var strap: String?
  public var wireFormat: WireFormat
  /// The byte order of a chip whose addresses refer to words; `nil` if they refer to bytes. For
  /// models and tools: the driver's registers contain it.
  public var words: ByteOrder?
  public var channels: [ChannelDescription]
  /// Output data rates in Hz, fastest first.
  public var rates: [Double]
  /// The supported acquisition modes, best first.
  public var acquisitions: [Acquisition]
  public var identity: IdentityDescription
  /// The events that the chip can detect.
  public var detections: DetectionSet
  /// True if the manufacturer provides a self-test with limits.
  public var hasSelfTest: Bool
  /// True if the chip can connect an auxiliary bus to the host's bus.
  public var hasAuxiliaryBus: Bool
  /// The built-in magnetometer that the auxiliary master can read; `nil` without one.
  public var magnetometer: ChannelDescription?
  /// The number of interrupt pins, at most 2.
  public var interruptPins: Int
  /// The noise figures in the data sheet, only for channels that have them.
  public var noise: [ChannelNoise]
  /// The error figures in the data sheet, only for channels that have them.
  public var tolerances: [ChannelTolerance]
  /// Returns the delays of the samples with these settings.
  public var delays: @Sendable (SensorSettings) -> StreamDelays

  public init(
    name: String, title: String, family: String, otherHalf: String? = nil, summary: String,
    wires: [Wire], addresses: [UInt8],
    strap: String?, wireFormat: WireFormat, words: ByteOrder? = nil, channels: [ChannelDescription],
    rates: [Double],
    acquisitions: [Acquisition], identity: IdentityDescription, detections: DetectionSet = [],
    hasSelfTest: Bool = false, hasAuxiliaryBus: Bool = false,
    magnetometer: ChannelDescription? = nil, interruptPins: Int = 1,
    noise: [ChannelNoise] = [], tolerances: [ChannelTolerance] = [],
    delays: @escaping @Sendable (SensorSettings) -> StreamDelays = { _ in StreamDelays() }
  ) {
    self.name = name
    self.title = title
    self.family = family
    self.otherHalf = otherHalf
    self.summary = summary
    self.wires = wires
    self.addresses = addresses
    self.strap = strap
    self.wireFormat = wireFormat
    self.words = words
    self.channels = channels
    self.rates = rates
    self.acquisitions = acquisitions
    self.identity = identity
    self.detections = detections
    self.hasSelfTest = hasSelfTest
    self.hasAuxiliaryBus = hasAuxiliaryBus
    self.magnetometer = magnetometer
    self.interruptPins = interruptPins
    self.noise = noise
    self.tolerances = tolerances
    self.delays = delays
  }
}

extension ChipDescription {
  /// Returns the channels that are sampled with `settings`.
  public func channels(of settings: SensorSettings) -> [ChannelDescription] {
    settings.usesMagnetometer ? channels + (magnetometer.map { [$0] } ?? []) : channels
  }
}

/// The register that holds a chip's identity, and its possible values.
public struct IdentityDescription: Sendable {
  public var register: UInt8
  /// The names of parts by their value in this register: the chip, its relatives, and unrelated
  /// parts at the same addresses.
  public var parts: [UInt8: String]
  /// The identities that the driver accepts without a setting in the board file.
  public var supported: [UInt8]
  /// Clones that the driver accepts if the board file says so: the part to treat each as, by
  /// identity.
  public var copies: [UInt8: String]

  public init(
    register: UInt8, parts: [UInt8: String], supported: [UInt8], copies: [UInt8: String] = [:]
  ) {
    self.register = register
    self.parts = parts
    self.supported = supported
    self.copies = copies
  }
}
