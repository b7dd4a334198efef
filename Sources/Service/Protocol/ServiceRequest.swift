// SPDX-License-Identifier: Apache-2.0
public import Runtime

/// The versions of the protocol: messages, rings and pages together.
public enum ServiceVersion {
  public static var newest: UInt16 { 3 }
  /// With six channels, and without questions about movement.
  public static var oldest: UInt16 { 1 }
  /// The first that knows questions about movement.
  public static var movement: UInt16 { 2 }
  /// The first that says which channels are carried.
  public static var channels: UInt16 { 3 }
}

/// A message from a program to the service. Each message is one packet.
public enum ServiceRequest: Equatable, Sendable {
  /// First of all: the newest and the oldest version that it speaks, and what it is called.
  case hello(newest: UInt16, oldest: UInt16, program: String)
  /// Everything else is answered by its serial number.
  case ask(ServiceQuestion, serial: UInt32)

  /// The word that begins a `hello`: `OTOL`.
  static var magic: UInt32 { 0x4C4F_544F }
  /// The longest name of a program, in bytes.
  static var longestName: Int { 256 }
  /// No request is longer than this many bytes.
  public static var mostBytes: Int { 1024 }
}

/// A request of a program.
public enum ServiceQuestion: Equatable, Sendable {
  /// From now on it wants these samples; nothing at all lets it sleep.
  case want(SampleDemand)
  /// Everything that was said before is to be said before the answer.
  case fence
  case calibration
  case report
  case status
  /// The board file is read again, and the board restarted. Of the service's owner and root.
  case reload
  /// Fusion forgets what it learned of the board. Of the service's owner and root.
  case forget
  /// Steps, floors and activities. Version 2.
  case movement(MovementQuestion)

  /// True where it changes what others see.
  public var isPrivileged: Bool {
    switch self {
    case .reload, .forget: true
    case .want, .fence, .calibration, .report, .status, .movement: false
    }
  }

  fileprivate var kind: UInt8 {
    switch self {
    case .want: 12
    case .fence: 3
    case .calibration: 4
    case .report: 5
    case .status: 6
    case .reload: 7
    case .forget: 8
    case .movement(let question): question.kind
    }
  }
}

extension ServiceRequest {
  /// In the newest version.
  public var bytes: [UInt8] { bytes(in: ServiceVersion.newest) }

  /// For a service that speaks `version`.
  public func bytes(in version: UInt16) -> [UInt8] {
    var writer = PacketWriter()
    switch self {
    case .hello(let newest, let oldest, let program):
      writer.write(UInt8(1))
      writer.write(Self.magic)
      writer.write(newest)
      writer.write(oldest)
      writer.write(program, limit: Self.longestName)
    case .ask(.want(let demand), let serial) where version < ServiceVersion.channels:
      writer.write(UInt8(2))
      writer.write(serial)
      demand.writeSix(to: &writer)
    case .ask(let question, let serial):
      writer.write(question.kind)
      writer.write(serial)
      switch question {
      case .want(let demand): demand.write(to: &writer)
      case .movement(let question): question.write(to: &writer)
      case .fence, .calibration, .report, .status, .reload, .forget: break
      }
    }
    return writer.bytes
  }

  public init(_ bytes: ArraySlice<UInt8>) throws(MalformedPacket) {
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
      case 2: question = .want(try SampleDemand(six: &reader))
      case 3: question = .fence
      case 4: question = .calibration
      case 5: question = .report
      case 6: question = .status
      case 7: question = .reload
      case 8: question = .forget
      case 12: question = .want(try SampleDemand(&reader))
      case 9...11: question = .movement(try MovementQuestion(kind, &reader))
      default: throw MalformedPacket("a request of kind \(kind)")
      }
      self = .ask(question, serial: serial)
    }
    try reader.end()
  }
}
