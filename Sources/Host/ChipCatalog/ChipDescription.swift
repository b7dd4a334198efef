// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A kind of bus that a chip can be connected to.
public enum Wire: String, CaseIterable, Sendable {
  case i2c
  case spi
}

/// One channel of a chip with its full-scale ranges.
public struct ChannelDescription: Equatable, Sendable {
  public var channel: Channel
  /// The full scales on either side of zero, smallest first, in the channel's unit; empty for a
  /// fixed range.
  public var ranges: [Double]
  /// An upper limit of the size of one count at the smallest range, in the channel's unit; `nil` if
  /// the size is that range divided by 32768.
  public var resolution: Double?
  /// The size of one count at each of `ranges`; empty if the size is proportional to the range.
  package var counts: [Double]
  /// The smallest raw value of a measurement. Some chips reserve -32768 for a missing value.
  package var lowestCode: Double
  /// The range of values that the part can measure according to its data sheet, in the channel's
  /// unit; a reading outside this range is rejected. `nil` if the full scale is the only limit.
  public var limits: ClosedRange<Double>?

  /// Creates a channel. `resolution` is the size of one count at the smallest range; `nil` for a
  /// 16-bit converter.
  public init(_ channel: Channel, ranges: [Double], resolution: Double? = nil) {
    self.init(channel, ranges: ranges, counts: [], resolution: resolution)
  }

  /// Creates a channel with the size of one count at each of its ranges.
  package init(
    _ channel: Channel, ranges: [Double], counts: [Double], lowestCode: Double = -32768,
    resolution: Double? = nil
  ) {
    self.channel = channel
    self.ranges = ranges
    self.counts = counts
    self.lowestCode = lowestCode
    self.resolution = resolution
    limits = nil
  }

  /// Creates a channel with a fixed full-scale range.
  public init(
    _ channel: Channel, resolution: Double?, limits: ClosedRange<Double>? = nil
  ) {
    self.channel = channel
    ranges = []
    counts = []
    lowestCode = -32768
    self.resolution = resolution
    self.limits = limits
  }

  /// Returns the largest value that the converter can give at full scale `range`, both in the
  /// channel's unit: that of its largest code where the size of a count is known, which in ST's
  /// parts is far beyond the full scale.
  package func end(at range: Double) -> Double {
    counts.isEmpty ? range : 32767 * resolution(at: range)
  }

  /// Returns the size of one count at full scale `range`, both in the channel's unit.
  public func resolution(at range: Double) -> Double {
    guard let smallest = ranges.first else { return resolution ?? .nan }
    if let index = ranges.firstIndex(where: { $0 >= range * 0.999 }), counts.indices.contains(index)
    {
      return counts[index]
    }
    return (resolution ?? smallest / 32768) * range / smallest
  }
}

/// An entry in the catalogue: facts about a kind of chip for board files, scans, documentation and
/// tests.
public struct ChipDescription: Sendable {
  /// The chip's name in board files, as in device trees: `invensense,mpu6050`.
  public var name: String
  /// The part's name as the manufacturer writes it.
  public var title: String
  /// The family, whose members share one driver. The identity read from the chip selects the
  /// member; a board file may select another member.
  public var family: String
  /// The name of the second chip in the same package; `nil` if there is no second chip. A scan
  /// distinguishes this chip from another chip with the same identity only if the second chip is
  /// present.
  public var otherHalf: String?
  /// The quantities that the chip measures, in a few words.
  public var summary: String
  public var wires: [Wire]
  /// The 7-bit I2C addresses that the address pins can select.
  public var addresses: [UInt8]
  /// The data sheet's name of the address pin; `nil` for a chip with a fixed address.
  public var strap: String?
  public var wireFormat: WireFormat
  /// The byte order of a chip whose register addresses refer to 16-bit words; `nil` if they refer
  /// to bytes. Only models and tools need this value, because the driver's registers are declared
  /// with their byte order.
  public var words: ByteOrder?
  public var channels: [ChannelDescription]
  /// The output data rates in Hz, fastest first.
  public var rates: [Double]
  /// The supported acquisition modes, best first.
  public var acquisitions: [Acquisition]
  public var identity: IdentityDescription
  /// The events that the chip can detect.
  public var detections: DetectionSet
  /// True if the manufacturer specifies a self-test with limits.
  public var hasSelfTest: Bool
  /// True if the chip can connect its auxiliary bus to the host's bus.
  public var hasAuxiliaryBus: Bool
  /// The built-in magnetometer that the chip's auxiliary master can read; `nil` without it.
  public var magnetometer: ChannelDescription?
  /// The number of interrupt pins, at most 2.
  public var interruptPins: Int
  /// The noise figures in the data sheet, for the channels for which the sheet has such figures.
  public var noise: [ChannelNoise]
  /// The error figures in the data sheet, for the channels for which the sheet has such figures.
  public var tolerances: [ChannelTolerance]
  /// The firmware that the driver must load into the chip; `nil` for most chips.
  public var firmware: FirmwareDescription?
  /// Returns the delays of the chip's samples with the given settings.
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
    firmware: FirmwareDescription? = nil,
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
    self.firmware = firmware
    self.delays = delays
  }
}

extension ChipDescription {
  /// Returns the channels that are sampled with `settings`.
  public func channels(of settings: SensorSettings) -> [ChannelDescription] {
    settings.usesMagnetometer ? channels + (magnetometer.map { [$0] } ?? []) : channels
  }

  /// Returns for each channel the value of one count, in the channel's unit, at the range in
  /// `settings`.
  package func countSizes(with settings: SensorSettings) -> CountSizes {
    var sizes = CountSizes()
    for row in channels(of: settings) {
      guard let range = settings[range: row.channel] ?? row.ranges.first else { continue }
      let size = row.resolution(at: range)
      switch row.channel {
      case .acceleration: (sizes.acceleration, sizes.lowestCode) = (size, row.lowestCode)
      case .rotationRate: sizes.rotationRate = size
      case .magneticField: sizes.magneticField = size
      default: break
      }
    }
    return sizes
  }
}

/// The register that holds a chip's identity, and the values that the identity can have.
public struct IdentityDescription: Sendable {
  public var register: UInt8
  /// The names of parts by their identity: the chip, related parts, and unrelated parts at the same
  /// addresses.
  public var parts: [UInt8: String]
  /// The identities that the driver accepts without a setting in the board file.
  public var supported: [UInt8]
  /// Identities of clones that the driver accepts if the board file allows it, each with the name
  /// of the part that the clone imitates.
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
