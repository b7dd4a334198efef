// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// Functions that read the FIFO, which consists of 16-bit words.
extension RegisterDriver where Chip == LSM6DS3Chip, Bus: ~Copyable {
  /// Removes the rest of a partial set from the FIFO and returns the number of remaining words.
  /// `pattern` is the position of the next word in the repeating set.
  mutating func realign(pattern: Int, _ words: Int) throws(ChipError) -> Int {
    let map = LSM6DS3Map()
    let set = configuration.setWords
    guard words > 0, pattern != 0 else { return 0 }
    hasGap = true
    guard pattern < set else {
      // A FIFO pattern larger than the size of a sample set means that the FIFO does not have the
      // intended configuration.
      throw .unexpected(
        register: map.fifoStatus3.address, wanted: UInt8(set - 1),
        found: UInt8(truncatingIfNeeded: pattern))
    }
    let excess = min(words, set - pattern)
    var rest = InlineArray<12, UInt8>(repeating: 0)
    var whole = rest.mutableSpan
    // `_mutatingExtracting` is the standard library's 6.3 name for `extracting(first:)`; SE-0467
    // removes the underscore.
    var wanted = whole._mutatingExtracting(first: excess * 2)
    try bus.read(&wanted, from: map.fifoDataOut.first)
    return excess
  }
}

/// Decodes the family's frames to physical values. The size of a frame determines its contents: a
/// register burst, a FIFO set (without the temperature), or the accelerometer only.
public struct LSM6DS3Decoder: FrameDecoder {
  public typealias Codes = LSM6DS3Configuration

  private let units: InertialUnits<Codes>
  private let countsPerDegree: Scalar
  private let hasTemperature: Bool
  private let isTemperatureSeparate: Bool
  private let isAccelAlone: Bool

  public init(_ batch: borrowing RawBatch) { self.init(batch, within: .all) }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: LSM6DS3Configuration, with abilities: DriverAbilities
  ) { self.init(batch, within: abilities) }

  /// Creates the decoder from the abilities of the connection: FIFO sets have no temperature, and
  /// only in low power is there no gyroscope.
  @inline(__always)
  private init(_ batch: borrowing RawBatch, within abilities: DriverAbilities) {
    units = InertialUnits(batch)
    countsPerDegree = (LSM6DS3Family(rawValue: batch.part) ?? .expected).countsPerDegree
    hasTemperature =
      !abilities.isDisjoint(with: [.dataReady, .polling])
      && batch.frameSize == LSM6DS3Chip.burstSize
    isTemperatureSeparate =
      abilities.isSuperset(of: [.fifo, .dataReady]) && batch.isTemperatureSeparate
    isAccelAlone = abilities.contains(.lowPower) && batch.frameSize == LSM6DS3Chip.accelSize
  }

  @inline(__always)
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .acceleration)
    var offset = 0
    if hasTemperature || isTemperatureSeparate {
      let counts = hasTemperature ? batch.littleEndian(frame, 0) : batch.separateTemperature
      reading.channels.insert(.temperature)
      reading.temperature = 25 + Scalar(Int(counts)) / countsPerDegree
      if hasTemperature { offset = 2 }
    }
    if !isAccelAlone {
      // The gyroscope comes before the accelerometer, both in the registers and in the FIFO.
      reading.channels.insert(.rotationRate)
      reading.rotationRate = batch.littleEndianVector(frame, offset) * units.radiansPerCount
      offset += 6
    }
    reading.specificForce = batch.littleEndianVector(frame, offset) * units.gPerCount
    if !isAccelAlone, let fault = batch.uniformity(frame, offset &- 6, 12) {
      reading.reject(reading.channels, fault)
    }
    InertialThermometer.check(&reading)
    return reading
  }

  public static func limits(of channel: Channel, of part: LSM6DS3Family) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}
