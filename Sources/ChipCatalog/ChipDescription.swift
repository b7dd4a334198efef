// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A kind of bus that a chip can be wired to.
public enum Wire: String, CaseIterable, Sendable {
  case i2c
  case spi
}

/// One channel of a chip and the full-scale ranges it can be set to.
public struct ChannelDescription: Equatable, Sendable {
  public var channel: Channel
  /// Full scale on either side of zero, smallest first, in the channel's unit; empty where there is
  /// no choice.
  public var ranges: [Double]
  /// The largest size of one count at the smallest range, in the channel's unit; `nil` where it is
  /// that range over 32768.
  public var resolution: Double?

  /// A channel of a converter of 16 bits, but for a `resolution` at the smallest range that says
  /// otherwise.
  public init(_ channel: Channel, ranges: [Double], resolution: Double? = nil) {
    self.channel = channel
    self.ranges = ranges
    self.resolution = resolution
  }

  /// A channel of one range.
  public init(_ channel: Channel, resolution: Double?) {
    self.channel = channel
    ranges = []
    self.resolution = resolution
  }

  /// Returns what one count is at full scale `range`, both in the channel's unit.
  public func resolution(at range: Double) -> Double {
    guard let smallest = ranges.first else { return resolution ?? .nan }
    return (resolution ?? smallest / 32768) * range / smallest
  }
}

/// A row of the catalogue: the facts of a kind of chip that a board file, a scan, a page of
/// documentation or a test needs.
public struct ChipDescription: Sendable {
  /// The name in board files, as device trees spell it: `invensense,mpu6050`.
  public var name: String
  /// The part as its maker prints it.
  public var title: String
  /// Rows of one family have one driver, which goes by the identity that it reads: a board file may
  /// have a chip treated as another row of its family.
  public var family: String
  /// The row of the chip in the same package, by which alone a scan can tell this one from another
  /// that says the same; `nil`: it stands for itself.
  public var otherHalf: String?
  /// The quantities that it measures, in a few words.
  public var summary: String
  public var wires: [Wire]
  /// The 7-bit I2C addresses that its straps can select.
  public var addresses: [UInt8]
  /// The data sheet's name for the pin that selects among them; `nil` where there is one address
  /// and no pin.
  public var strap: String?
  public var wireFormat: WireFormat
  /// Each address is of a word, whose bytes travel in this order; `nil`: of a byte. Known to models
  /// and tools: a driver's registers say it themselves.
  public var words: ByteOrder?
  public var channels: [ChannelDescription]
  /// Output data rates in Hz, fastest first.
  public var rates: [Double]
  /// The ways in which it can be read, best first.
  public var acquisitions: [Acquisition]
  public var identity: IdentityDescription
  /// The events that it can detect by itself.
  public var detections: DetectionSet
  /// True where its maker has given it a self-test with limits.
  public var hasSelfTest: Bool
  /// True where a second bus is behind it that it can connect to its host's.
  public var hasAuxiliaryBus: Bool
  /// The magnetometer inside it that its own auxiliary master can read; `nil` where there is none.
  public var magnetometer: ChannelDescription?
  /// Its interrupt pins, at most 2.
  public var interruptPins: Int
  /// The data sheet's figures of its noise; channels without a figure are not here.
  public var noise: [ChannelNoise]
  /// The data sheet's figures of the errors with which it is sold; channels without one are not
  /// here.
  public var tolerances: [ChannelTolerance]
  /// Returns the delays of its samples as it runs with such settings.
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
  /// Returns the channels that it samples with `settings`.
  public func channels(of settings: SensorSettings) -> [ChannelDescription] {
    settings.usesMagnetometer ? channels + (magnetometer.map { [$0] } ?? []) : channels
  }
}

/// The register that tells a chip's identity, and the values that it can have.
public struct IdentityDescription: Sendable {
  public var register: UInt8
  /// Parts that answer in this register, by what it holds: the chip itself, its relatives, and
  /// strangers that are found at the same addresses.
  public var parts: [UInt8: String]
  /// The identities that the driver accepts.
  public var supported: [UInt8]
  /// Copies that the driver runs where the board file says so: what each is to be treated as, by
  /// its identity.
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
