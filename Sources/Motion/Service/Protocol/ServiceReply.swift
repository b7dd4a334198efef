// SPDX-License-Identifier: Apache-2.0
package import History
package import Runtime

/// A message from the service to a client. Each message is one packet.
package enum ServiceReply: Sendable {
  /// The answer to `hello`, with four descriptors: the rings of samples, motions and detections,
  /// and the client's page. A fifth descriptor is sent if the board combines chips or does not use
  /// all of them: the ring with each chip's own samples.
  case welcome(version: UInt16, ServedSource)
  /// A ring contains an item for which the client waits.
  case wake
  /// The states of all chips and the conditions of their channels, sent if one of them changes.
  case chips([ServedChipState])
  /// The answer to a request.
  case answer(ServiceAnswer, serial: UInt32)
  /// The last message, before the service closes the connection or ends.
  case farewell(ServiceRefusal)
  /// The largest size of a reply in bytes.
  package static var mostBytes: Int { 131_072 }
}

/// The answer to a request.
package enum ServiceAnswer: Sendable {
  /// The request was executed.
  case done
  case refused(ServiceRefusal)
  case calibration(CalibrationState)
  case report([ChipReport])
  /// `ServiceStatus` as JSON.
  case status([UInt8])
  case movement(MovementSnapshot)
  case activities([RecordedActivity])
}

/// The reason why the service does not execute a request.
package struct ServiceRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: UInt8, CaseIterable, Sendable {
    /// The board is not available: an error in a file, a setting or a recording.
    case unavailable
    /// The device nodes belong to a group that does not contain the service.
    case denied
    /// Another process or a kernel driver uses the board.
    case taken
    /// The client may not use the service, or may not make this request.
    case forbidden
    /// Too many clients are connected.
    case full
    /// The client supports only other versions of the protocol.
    case version
    /// The packet was not a valid message.
    case malformed
    /// The service is ending, or restarting its board.
    case ending
  }

  package var reason: Reason
  /// The reason and its remedy, as a message for users.
  package var description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}

extension ServiceReply {
  package var bytes: [UInt8] {
    var writer = PacketWriter()
    switch self {
    case .welcome(let version, let source):
      writer.write(UInt8(129))
      writer.write(version)
      source.write(to: &writer)
    case .wake: writer.write(UInt8(130))
    case .chips(let chips):
      writer.write(UInt8(131))
      writer.write(UInt16(chips.count))
      for chip in chips { chip.write(to: &writer) }
    case .farewell(let refusal):
      writer.write(UInt8(132))
      refusal.write(to: &writer)
    case .answer(let answer, let serial):
      writer.write(UInt8(133))
      writer.write(serial)
      answer.write(to: &writer)
    }
    return writer.bytes
  }

  package init(_ bytes: ArraySlice<UInt8>) throws(MalformedPacket) {
    var reader = PacketReader(bytes)
    switch try reader.read(UInt8.self) {
    case 129:
      let version = try reader.read(UInt16.self)
      self = .welcome(version: version, try ServedSource(&reader))
    case 130: self = .wake
    case 131:
      var chips: [ServedChipState] = []
      for _ in 0..<(try reader.count(of: 5)) { chips.append(try ServedChipState(&reader)) }
      self = .chips(chips)
    case 132: self = .farewell(try ServiceRefusal(&reader))
    case 133:
      let serial = try reader.read(UInt32.self)
      self = .answer(try ServiceAnswer(&reader), serial: serial)
    case let kind: throw MalformedPacket("a reply of kind \(kind)")
    }
    try reader.end()
  }
}

extension ServiceRefusal {
  func write(to writer: inout PacketWriter) {
    writer.write(reason.rawValue)
    writer.write(description)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    let number = try reader.read(UInt8.self)
    guard let reason = Reason(rawValue: number) else {
      throw MalformedPacket("a refusal of kind \(number)")
    }
    self.init(reason, try reader.text())
  }
}

extension ServiceAnswer {
  func write(to writer: inout PacketWriter) {
    switch self {
    case .done: writer.write(UInt8(0))
    case .refused(let refusal):
      writer.write(UInt8(1))
      refusal.write(to: &writer)
    case .calibration(let calibration):
      writer.write(UInt8(2))
      calibration.write(to: &writer)
    case .report(let chips):
      writer.write(UInt8(3))
      writer.write(UInt16(chips.count))
      for chip in chips { chip.write(to: &writer) }
    case .status(let json):
      writer.write(UInt8(4))
      writer.write(rest: json)
    case .movement(let movement):
      writer.write(UInt8(5))
      movement.write(to: &writer)
    case .activities(let activities):
      writer.write(UInt8(6))
      let newest = activities.suffix(RecordedActivity.mostServed)
      writer.write(UInt16(newest.count))
      for activity in newest { activity.write(to: &writer) }
    }
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    switch try reader.read(UInt8.self) {
    case 0: self = .done
    case 1: self = .refused(try ServiceRefusal(&reader))
    case 2: self = .calibration(try CalibrationState(&reader))
    case 3:
      var chips: [ChipReport] = []
      for _ in 0..<(try reader.count(of: 85)) { chips.append(try ChipReport(&reader)) }
      self = .report(chips)
    case 4: self = .status(reader.rest())
    case 5: self = .movement(try MovementSnapshot(&reader))
    case 6:
      var activities: [RecordedActivity] = []
      for _ in 0..<(try reader.count(of: RecordedActivity.size)) {
        activities.append(try RecordedActivity(&reader))
      }
      self = .activities(activities)
    case let kind: throw MalformedPacket("an answer of kind \(kind)")
    }
  }
}
