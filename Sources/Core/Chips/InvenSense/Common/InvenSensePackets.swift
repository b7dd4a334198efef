// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

/// The layouts of a sample of the ICM-42688-P and the ICM-45686, whose FIFO packets are alike
/// (DS-000347 section 6, DS-000489 section 5). A packet begins with a header.
enum InvenSenseFrame: UInt8, Sendable {
  /// The ICM-42688-P's registers: temperature, accelerometer, gyroscope.
  case registers = 0
  /// The ICM-42688-P's registers of temperature and accelerometer, without the gyroscope.
  case accelRegisters
  /// Packet 1 of the FIFO: accelerometer, and eight bits of temperature.
  case packet1
  /// Packet 3 of the FIFO: accelerometer, gyroscope, eight bits of temperature, time.
  case packet3
  /// Packet 4 of the FIFO: accelerometer, gyroscope, temperature, time, and four more bits for each
  /// axis.
  case packet4
  /// The ICM-45686's registers: accelerometer, gyroscope, temperature.
  case temperatureLast
  /// The same registers, in which those of the gyroscope hold no data.
  case accelTemperatureLast

  var hasGyro: Bool { self != .accelRegisters && self != .packet1 && self != .accelTemperatureLast }

  var isPacket: Bool { header != 0 }

  var size: Int { facts.size }

  /// The packet's header without the bits that mark a change of rate; 0 for registers.
  var header: UInt8 { facts.header }

  /// The places of the accelerometer's first byte and of the temperature; the gyroscope follows the
  /// accelerometer.
  var places: (force: Int, temperature: Int) { (facts.force, facts.temperature) }

  private var facts: (size: Int, header: UInt8, force: Int, temperature: Int) {
    switch self {
    case .registers: (14, 0, 2, 0)
    case .accelRegisters: (8, 0, 2, 0)
    case .packet1: (8, 0x40, 1, 7)
    case .packet3: (16, 0x68, 1, 13)
    case .packet4: (20, 0x78, 1, 13)
    case .temperatureLast, .accelTemperatureLast: (14, 0, 0, 12)
    }
  }

  /// Drops all frames of a read from the FIFO if one has another header than this layout.
  func check(_ batch: inout RawBatch) {
    guard isPacket else { return }
    for index in 0..<batch.frames where batch.byte(index * size) & 0xFC != header {
      batch.frames = 0
      return
    }
  }
}

/// Decodes the frames of a batch whose format names its `InvenSenseFrame`. Words have their high
/// byte first.
struct InvenSensePackets: Sendable {
  let frame: InvenSenseFrame
  /// True if the frame has eight bits of temperature.
  let isShort: Bool
  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let countsPerKelvin: Scalar

  /// Creates a decoder. `fineRadiansPerCount` is the unit of the upper 16 of 20 bits, and
  /// `packetCountsPerKelvin` that of the eight bits of temperature in a packet.
  init(
    _ batch: borrowing RawBatch, gPerCount: Scalar, radiansPerCount: Scalar,
    fineRadiansPerCount: Scalar, countsPerKelvin: Scalar, packetCountsPerKelvin: Scalar
  ) {
    frame = InvenSenseFrame(rawValue: batch.part) ?? .registers
    self.gPerCount = gPerCount
    self.radiansPerCount = frame == .packet4 ? fineRadiansPerCount : radiansPerCount
    isShort = frame == .packet1 || frame == .packet3
    self.countsPerKelvin = isShort ? packetCountsPerKelvin : countsPerKelvin
  }

  /// Returns the physical values of a frame. A sensor for which the frame has no data is left out.
  func reading(_ batch: borrowing RawBatch, _ index: Int) -> ChipReading {
    var reading = ChipReading(channels: [])
    let place = frame.places.force
    let start = index * frame.size
    var force = batch.bigEndianVector(index, place)
    if frame == .packet4 { force += rest(batch, start, shift: 4) }
    if force.isData {
      reading.specificForce = force * gPerCount
      reading.channels = .acceleration
    } else {
      reading.reject(.acceleration, .noData)
    }
    if frame.hasGyro {
      var turn = batch.bigEndianVector(index, place + 6)
      if frame == .packet4 { turn += rest(batch, start, shift: 0) }
      if turn.isData {
        reading.rotationRate = turn * radiansPerCount
        reading.channels.insert(.rotationRate)
      } else {
        reading.reject(.rotationRate, .noData)
      }
    }
    guard !reading.channels.isEmpty else { return reading }
    if frame.hasGyro, let fault = batch.uniformity(index, place, 12) {
      reading.reject(reading.channels, fault)
      return reading
    }
    // The temperature is 0 counts at 25 degrees Celsius.
    reading.channels.insert(.temperature)
    reading.temperature = 25 + Scalar(temperatureCounts(batch, index)) / countsPerKelvin
    return reading
  }

  /// True if `reading` rejects the accelerometer or the gyroscope of the frame.
  func isInvalid(_ batch: borrowing RawBatch, _ index: Int) -> Bool {
    let place = frame.places.force
    let words = frame.hasGyro ? 6 : 3
    for word in 0..<words where batch.bigEndian(index, place + 2 * word) == .min { return true }
    return words == 6 && batch.uniformity(index, place, 12) != nil
  }

  /// Returns the counts of the frame's temperature.
  func temperatureCounts(_ batch: borrowing RawBatch, _ index: Int) -> Int {
    let place = frame.places.temperature
    return isShort
      ? Int(Int8(bitPattern: batch.byte(index * frame.size + place)))
      : Int(batch.bigEndian(index, place))
  }

  /// Returns the four lowest bits of each axis, in sixteenths of a count.
  private func rest(_ batch: borrowing RawBatch, _ start: Int, shift: UInt8) -> Vector3 {
    func part(_ axis: Int) -> Scalar {
      Scalar(Int(batch.byte(start + 17 + axis) >> shift & 0x0F)) / 16
    }
    return Vector3(part(0), part(1), part(2))
  }
}

extension Vector3 {
  /// True unless an axis has the code that means "no data": -32768, or -524288 with 20 bits, whose
  /// first 16 bits are the same. The chip writes this code before a sensor's first sample, and into
  /// the FIFO for a sensor that is off or slower.
  fileprivate var isData: Bool { min(x, min(y, z)) > -32768 }
}
