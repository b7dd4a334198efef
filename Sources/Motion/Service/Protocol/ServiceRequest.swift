// SPDX-License-Identifier: Apache-2.0
package import Runtime

/// The version of the protocol, which applies to messages, rings and pages.
package enum ServiceVersion {
  package static var newest: UInt16 { 1 }
  package static var oldest: UInt16 { 1 }
}

/// A message from a client to the service. Each message is one packet.
package enum ServiceRequest: Equatable, Sendable {
  /// The first message: the newest and oldest protocol versions that the program supports, and its
  /// name.
  case hello(newest: UInt16, oldest: UInt16, program: String)
  /// Any other request; its answer has the same serial number.
  case ask(ServiceQuestion, serial: UInt32)

  /// The first four bytes of a `hello`, `OTOL`.
  static var magic: UInt32 { 0x4C4F_544F }
  /// The longest name of a program, in bytes.
  static var longestName: Int { 256 }
  /// The largest size of a request in bytes.
  package static var mostBytes: Int { 1024 }
}

/// A request from a client.
package enum ServiceQuestion: Equatable, Sendable {
  /// Requests these samples from now on; an empty demand ends the request.
  case want(SampleDemand)
  /// Requests an answer that is sent after all earlier messages.
  case fence
  case calibration
  case report
  case status
  /// Asks the service to reload the board file and restart the board. Only root and the service's
  /// owner may send this request.
  case reload
  /// Asks the service to delete fusion's learned values. Only root and the service's owner may send
  /// this request.
  case forget
  /// Requests the movement so far. With `counts` the service continues to count for this client
  /// until it sends false or disconnects.
  case movement(counts: Bool)
  /// Requests the movement with its total between two dates, in nanoseconds since 1970 UTC on the
  /// wall clock.
  case total(from: Int64, to: Int64)
  /// Requests the activities between two dates, in nanoseconds since 1970 UTC; the first activity
  /// may have begun earlier.
  case activities(from: Int64, to: Int64)

  /// True if the request affects other clients.
  package var isPrivileged: Bool {
    switch self {
    case .reload, .forget: true
    case .want, .fence, .calibration, .report, .status, .movement, .total, .activities: false
    }
  }

  /// True if the answer may be read from the disk, which may take long.
  package var isOfMovement: Bool {
    switch self {
    case .movement, .total, .activities: true
    case .want, .fence, .calibration, .report, .status, .reload, .forget: false
    }
  }

  fileprivate var kind: UInt8 {
    switch self {
    case .want: 2
    case .fence: 3
    case .calibration: 4
    case .report: 5
    case .status: 6
    case .reload: 7
    case .forget: 8
    case .movement: 9
    case .total: 10
    case .activities: 11
    }
  }
}

extension ServiceRequest {
  package var bytes: [UInt8] {
    var writer = PacketWriter()
    switch self {
    case .hello(let newest, let oldest, let program):
      writer.write(UInt8(1))
      writer.write(Self.magic)
      writer.write(newest)
      writer.write(oldest)
      writer.write(program, limit: Self.longestName)
    case .ask(let question, let serial):
      writer.write(question.kind)
      writer.write(serial)
      switch question {
      case .want(let demand): demand.write(to: &writer)
      case .movement(let counts): writer.write(counts)
      case .total(let start, let end), .activities(let start, let end):
        writer.write(start)
        writer.write(end)
      case .fence, .calibration, .report, .status, .reload, .forget: break
      }
    }
    return writer.bytes
  }

  package init(_ bytes: ArraySlice<UInt8>) throws(MalformedPacket) {
    var reader = PacketReader(bytes)
    let kind = try reader.read(UInt8.self)
    if kind == 1 {
      guard try reader.read(UInt32.self) == Self.magic else {
        throw MalformedPacket("a greeting of something else")
      }
      self = .hello(
        newest: try reader.read(), oldest: try reader.read(),
        program: try reader.text(limit: Self.longestName))
    } else {
      let serial = try reader.read(UInt32.self)
      let question: ServiceQuestion
      switch kind {
      case 2: question = .want(try SampleDemand(&reader))
      case 3: question = .fence
      case 4: question = .calibration
      case 5: question = .report
      case 6: question = .status
      case 7: question = .reload
      case 8: question = .forget
      case 9: question = .movement(counts: try reader.flag())
      case 10: question = .total(from: try reader.read(), to: try reader.read())
      case 11: question = .activities(from: try reader.read(), to: try reader.read())
      default: throw MalformedPacket("a request of kind \(kind)")
      }
      self = .ask(question, serial: serial)
    }
    try reader.end()
  }
}
