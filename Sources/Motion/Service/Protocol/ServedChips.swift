// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Redundancy
internal import Registers
package import Runtime
internal import Sensors

/// The state of a chip, with a message for users and the conditions of its channels.
package struct ServedChipState: Equatable, Sendable {
  package var state: ChipState
  /// The error of a failed chip, otherwise a remark; empty if there is nothing to report.
  package var sentence: String
  /// The conditions of the channels that are combined with those of other chips.
  package var conditions: [ChannelCondition]

  package init(
    _ state: ChipState, sentence: String, conditions: [ChannelCondition] = []
  ) {
    self.state = state
    self.sentence = sentence
    self.conditions = conditions
  }

  func write(to writer: inout PacketWriter) {
    state.write(to: &writer)
    writer.write(sentence)
    writer.write(UInt16(conditions.count))
    for condition in conditions { condition.write(to: &writer) }
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    state = try ChipState(&reader)
    sentence = try reader.text()
    conditions = []
    for _ in 0..<(try reader.count(of: ChannelCondition.size)) {
      if let condition = try ChannelCondition.read(&reader) { conditions.append(condition) }
    }
  }
}

extension ChannelCondition {
  /// The number of bytes of a condition in a packet.
  static var size: Int { 17 }

  func write(to writer: inout PacketWriter) {
    writer.write(channel.rawValue)
    for axis in 0..<3 { writer.write(condition[axis].rawValue) }
    writer.write(condition.isUsed)
    writer.write(condition.count)
    writer.write(condition.since.nanoseconds)
  }

  /// Reads a condition; `nil` if this program does not know the channel or a state, because a newer
  /// service may have others.
  static func read(_ reader: inout PacketReader) throws(MalformedPacket) -> ChannelCondition? {
    let channel = Channel(rawValue: try reader.read())
    var condition = SensorCondition()
    var isKnown = true
    for axis in 0..<3 {
      if let state = SensorCondition.State(rawValue: try reader.read()) {
        condition[axis] = state
      } else {
        isKnown = false
      }
    }
    condition.isUsed = try reader.flag()
    condition.count = try reader.read()
    condition.since = Timestamp(nanoseconds: try reader.read())
    guard let channel, isKnown else { return nil }
    return ChannelCondition(channel, condition)
  }
}

extension ChipState {
  func write(to writer: inout PacketWriter) {
    switch self {
    case .starting: writer.write(UInt8(0))
    case .delivering: writer.write(UInt8(1))
    case .failed(let error):
      writer.write(UInt8(2))
      error.write(to: &writer)
    }
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    switch try reader.read(UInt8.self) {
    case 0: self = .starting
    case 1: self = .delivering
    case 2: self = .failed(try ChipError(&reader))
    case let kind: throw MalformedPacket("a chip's state of kind \(kind)")
    }
  }
}

extension ChipError {
  /// Writes the kind, three bytes and a number; each kind of state uses as many of these as it
  /// needs.
  func write(to writer: inout PacketWriter) {
    let (kind, bytes, number): (UInt8, (UInt8, UInt8, UInt8), Int32) =
      switch self {
      case .bus(.noAcknowledge, let register): (0, (register, 0, 0), 0)
      case .bus(.arbitrationLost, let register): (1, (register, 0, 0), 0)
      case .bus(.timeout, let register): (2, (register, 0, 0), 0)
      case .bus(.adapterGone, let register): (3, (register, 0, 0), 0)
      case .bus(.unsupported, let register): (4, (register, 0, 0), 0)
      case .bus(.tooLong(let limit), let register):
        (5, (register, 0, 0), Int32(clamping: limit))
      case .bus(.busy, let register): (6, (register, 0, 0), 0)
      case .bus(.system(let errno), let register): (7, (register, 0, 0), errno)
      case .identity(let found, let register): (8, (register, found, 0), 0)
      case .resetTimedOut: (9, (0, 0, 0), 0)
      case .rejected(let register, let wrote, let readBack): (10, (register, wrote, readBack), 0)
      case .unsupportedSetting: (11, (0, 0, 0), 0)
      case .rejectedWord(let word):
        (
          12, (word.place.register, word.place.bank, 0),
          Int32(bitPattern: UInt32(word.readBack) << 16 | UInt32(word.wrote))
        )
      case .firmware: (13, (0, 0, 0), 0)
      case .unexpected(let register, let wanted, let found): (14, (register, wanted, found), 0)
      }
    writer.write(kind)
    writer.write(bytes.0)
    writer.write(bytes.1)
    writer.write(bytes.2)
    writer.write(number)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    let kind = try reader.read(UInt8.self)
    let register = try reader.read(UInt8.self)
    let second = try reader.read(UInt8.self)
    let third = try reader.read(UInt8.self)
    let number = try reader.read(Int32.self)
    self =
      switch kind {
      case 0: .bus(.noAcknowledge, register: register)
      case 1: .bus(.arbitrationLost, register: register)
      case 2: .bus(.timeout, register: register)
      case 3: .bus(.adapterGone, register: register)
      case 4: .bus(.unsupported, register: register)
      case 5: .bus(.tooLong(limit: Int(number)), register: register)
      case 6: .bus(.busy, register: register)
      case 7: .bus(.system(errno: number), register: register)
      case 8: .identity(found: second, register: register)
      case 9: .resetTimedOut
      case 10: .rejected(register: register, wrote: second, readBack: third)
      case 11: .unsupportedSetting
      case 12:
        .rejectedWord(
          FlatAddress(bank: second, register), wrote: UInt16(truncatingIfNeeded: number),
          readBack: UInt16(truncatingIfNeeded: UInt32(bitPattern: number) >> 16))
      case 13: .firmware
      case 14: .unexpected(register: register, wanted: second, found: third)
      default: throw MalformedPacket("a chip's error of kind \(kind)")
      }
  }
}

extension ChipReport {
  func write(to writer: inout PacketWriter) {
    writer.write(name)
    writer.write(chip)
    state.write(to: &writer)
    for count in [
      health.received, health.missing, health.busErrors, health.overflows,
      health.missedInterrupts, health.misconfigurations, health.restarts, late,
      rateChanges,
    ] { writer.write(count) }
    writer.write(rate)
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    let name = try reader.text()
    let chip = try reader.text()
    let state = try ChipState(&reader)
    var health = Health()
    health.received = try reader.read()
    health.missing = try reader.read()
    health.busErrors = try reader.read()
    health.overflows = try reader.read()
    health.missedInterrupts = try reader.read()
    health.misconfigurations = try reader.read()
    health.restarts = try reader.read()
    let late = try reader.read(UInt64.self)
    let rateChanges = try reader.read(UInt64.self)
    self.init(
      name: name, chip: chip, state: state, health: health, late: late,
      rate: try reader.double(), rateChanges: rateChanges)
  }
}
