// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities
internal import Runtime

extension CalibrationState {
  func write(to writer: inout PacketWriter) {
    gyroBias.write(to: &writer)
    writer.write(gyroBiasSigma)
    magnetic.hardIron.write(to: &writer)
    for row in magnetic.softIron.rows { row.write(to: &writer) }
    for number in [magnetic.sigma, magnetic.fieldNorm, magnetic.dip, magnetic.coverage] {
      writer.write(number)
    }
    writer.write(magnetic.level.rawValue)
    writer.write(magneticAccuracy.rawValue)
    writer.write(isAtRest)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    let gyroBias = try Vector3(&reader)
    let gyroBiasSigma = try reader.double()
    var magnetic = MagneticCalibration(hardIron: try Vector3(&reader))
    magnetic.softIron = Matrix3(
      rows: try Vector3(&reader), try Vector3(&reader), try Vector3(&reader))
    magnetic.sigma = try reader.double()
    magnetic.fieldNorm = try reader.double()
    magnetic.dip = try reader.double()
    magnetic.coverage = try reader.double()
    let level = try reader.read(UInt8.self)
    guard let known = MagneticCalibration.Level(rawValue: level) else {
      throw MalformedPacket("a calibration of level \(level)")
    }
    magnetic.level = known
    let code = try reader.read(Int8.self)
    guard let accuracy = MagneticAccuracy(rawValue: code) else {
      throw MalformedPacket("a heading of accuracy \(code)")
    }
    self.init(
      gyroBias: gyroBias, gyroBiasSigma: gyroBiasSigma, magnetic: magnetic,
      magneticAccuracy: accuracy, isAtRest: try reader.flag())
  }
}

extension Vector3 {
  func write(to writer: inout PacketWriter) {
    for component in [x, y, z] { writer.write(component) }
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    self.init(try reader.double(), try reader.double(), try reader.double())
  }
}

extension Matrix3 {
  fileprivate var rows: [Vector3] {
    [Vector3(m11, m12, m13), Vector3(m21, m22, m23), Vector3(m31, m32, m33)]
  }
}

extension SampleDemand {
  /// Writes the demand for motion, then the demand for each requested channel, by channel number.
  func write(to writer: inout PacketWriter) {
    writer.write(motion)
    let wanted = Channel.allCases.filter { self[$0] > 0 }
    writer.write(UInt8(wanted.count))
    for channel in wanted {
      writer.write(channel.rawValue)
      writer.write(self[channel])
    }
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    self = .nothing
    motion = try Self.rate(&reader)
    for _ in 0..<(try reader.read(UInt8.self)) {
      let channel = Channel(rawValue: try reader.read())
      let rate = try Self.rate(&reader)
      // A newer client may request channels that this service does not know.
      if let channel { self[channel] = rate }
    }
  }

  private static func rate(_ reader: inout PacketReader) throws(MalformedPacket) -> Double {
    let rate = try reader.double()
    guard rate >= 0 else { throw MalformedPacket("a rate of \(rate)") }
    return rate
  }
}
