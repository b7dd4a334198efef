// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

/// The layouts of a sample of the ICM-42688-P and the ICM-45686. The FIFO packets of both chips are
/// alike (DS-000347 section 6, DS-000489 section 5). A packet begins with a header.
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
  /// The ICM-45686's registers for accelerometer, gyroscope and temperature, while the gyroscope's
  /// registers hold no data.
  case accelTemperatureLast

  var hasGyro: Bool { self != .accelRegisters && self != .packet1 && self != .accelTemperatureLast }

  var isPacket: Bool { header != 0 }

  var size: Int { facts.size }

  /// The packet's header without the bits that mark a change of rate; 0 for a sample read from
  /// registers.
  var header: UInt8 { facts.header }

  /// The positions of the accelerometer's first byte and of the temperature in the sample. The
  /// gyroscope follows the accelerometer.
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

  /// Drops all frames of a FIFO read if one of them does not have this layout's header.
  func check(_ batch: inout RawBatch) {
    guard isPacket else { return }
    for index in 0..<batch.frames where batch.byte(index * size) & 0xFC != header {
      batch.frames = 0
      return
    }
  }
}

/// Decodes the frames of a batch whose format names its `InvenSenseFrame`. The high byte of each
/// word comes first.
struct InvenSensePackets: Sendable {
  let frame: InvenSenseFrame
  /// True if the frame contains the temperature in eight bits.
  let isShort: Bool
  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let countsPerKelvin: Scalar

  /// Creates a decoder. `fineRadiansPerCount` is the size of a count of the upper 16 of 20 bits,
  /// and `packetCountsPerKelvin` the number of counts per kelvin of the eight-bit temperature in a
  /// packet.
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
    // The temperature reads 0 counts at 25 degrees Celsius.
    reading.channels.insert(.temperature)
    reading.temperature = 25 + Scalar(temperatureCounts(batch, index)) / countsPerKelvin
    return reading
  }

  /// Returns the frame's temperature in counts.
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
  /// True unless an axis has the code that means "no data": -32768, or with 20 bits -524288, whose
  /// upper 16 bits are -32768. The chip writes this code before a sensor's first sample. In the
  /// FIFO the code also stands for a sensor that is off, or that has no sample yet because it is
  /// slower.
  fileprivate var isData: Bool { min(x, min(y, z)) > -32768 }
}
