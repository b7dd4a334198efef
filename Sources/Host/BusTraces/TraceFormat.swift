// SPDX-License-Identifier: Apache-2.0
public import Registers
internal import ChipCatalog
public import Quantities
internal import Sensors

/// The text format of the lines in a trace, which `TraceReader` reads.
public enum TraceFormat {
  /// The keywords of events, which are the third word of their lines.
  enum Word: String, CaseIterable {
    case opened = "open"
    case started = "start"
    case stopped = "stop"
    case selfTestStarted = "self-test"
    case stepped = "step"
    case clock = "now"
    case edges = "edge"
    case read = "r"
    case written = "w"
    case health = "health"
    case hole = "hole"
    case ended = "end"
  }

  /// The word that replaces the chip's name in an event for the whole board.
  static let nobody = "-"
  /// The text that replaces a space in a chip's name, because spaces separate words.
  static let blank = "%20"

  /// The counters of `Health`, with their names in a line of a trace.
  static var counters: [(name: String, path: WritableKeyPath<Health, UInt64>)] {
    [
      ("received", \.received), ("missing", \.missing), ("bus-errors", \.busErrors),
      ("overflows", \.overflows), ("missed-interrupts", \.missedInterrupts),
      ("misconfigurations", \.misconfigurations), ("restarts", \.restarts), ("invalid", \.invalid),
    ]
  }

  /// The words in a trace for bus errors that have no number.
  static let errors: [(word: String, error: BusError)] = [
    ("no-acknowledge", .noAcknowledge), ("arbitration-lost", .arbitrationLost),
    ("timeout", .timeout), ("adapter-gone", .adapterGone), ("unsupported", .unsupported),
    ("busy", .busy),
  ]
  static let tooLong = "too-long:"
  static let errno = "errno:"

  /// Returns the word in a trace for `error`, such as `no-acknowledge` or `errno:121`.
  public static func word(_ error: BusError) -> String {
    switch error {
    case .tooLong(let limit): "\(tooLong)\(limit)"
    case .system(let number): "\(errno)\(number)"
    default: errors.first { $0.error == error }?.word ?? "\(errno)0"
    }
  }

  /// Returns the bus error for a word in a trace; `nil` if the word is unknown.
  static func error(_ word: String) -> BusError? {
    if word.hasPrefix(tooLong) {
      return Int32(word.dropFirst(tooLong.count)).map { .tooLong(limit: Int($0)) }
    }
    if word.hasPrefix(errno) {
      return Int32(word.dropFirst(errno.count)).map { .system(errno: $0) }
    }
    return errors.first { $0.word == word }?.error
  }

  /// Returns the seconds of a time span, with nine decimals.
  public static func seconds(_ span: TimeSpan) -> String {
    var bytes: [UInt8] = []
    append(span, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `event` to `buffer` as a line. The line's times are relative to `origin`.
  public static func append(_ event: TraceEvent, from origin: Timestamp, to buffer: inout [UInt8]) {
    append(event.time - origin, to: &buffer)
    if case .transaction(let transaction) = event.kind {
      buffer.append(UInt8(ascii: "+"))
      append(transaction.duration, to: &buffer)
    }
    buffer.append(0x20)
    buffer += (event.chip.isEmpty ? nobody : event.chip.replacing(" ", with: blank)).utf8
    buffer.append(0x20)
    switch event.kind {
    case .opened(let chip):
      append(.opened, to: &buffer)
      buffer += " \(chip.chip) \(chip.wire.rawValue)".utf8
      if let identity = chip.identity { buffer += " identity \(hexadecimal(identity))".utf8 }
      if chip.longestRead != .max { buffer += " longest-read \(chip.longestRead)".utf8 }
    case .started: append(.started, to: &buffer)
    case .stopped: append(.stopped, to: &buffer)
    case .selfTestStarted: append(.selfTestStarted, to: &buffer)
    case .stepped(let isEdge):
      append(.stepped, to: &buffer)
      if isEdge { buffer += " edge".utf8 }
    case .clock: append(.clock, to: &buffer)
    case .edges(let count, let newest):
      append(.edges, to: &buffer)
      buffer += " \(count) ".utf8
      append(newest - origin, to: &buffer)
    case .transaction(let transaction): append(transaction, to: &buffer)
    case .health(let health, _):
      append(.health, to: &buffer)
      for (name, path) in counters { buffer += " \(name) \(health[keyPath: path])".utf8 }
    case .hole(let events):
      append(.hole, to: &buffer)
      buffer += " \(events)".utf8
    case .ended: append(.ended, to: &buffer)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private static func append(_ transaction: TraceTransaction, to buffer: inout [UInt8]) {
    switch transaction.request {
    case .read(let register, let count):
      append(.read, to: &buffer)
      buffer += " \(hexadecimal(register)) \(count)".utf8
      if case .bytes(let bytes) = transaction.outcome {
        buffer.append(0x20)
        for byte in bytes { append(byte, to: &buffer) }
      }
    case .write(let register, let bytes):
      append(.written, to: &buffer)
      buffer += " \(hexadecimal(register)) \(bytes.count) ".utf8
      for byte in bytes { append(byte, to: &buffer) }
    }
    if case .failure(let error) = transaction.outcome { buffer += " \(word(error))".utf8 }
  }

  private static func append(_ word: Word, to buffer: inout [UInt8]) {
    buffer += word.rawValue.utf8
  }

  private static func append(_ span: TimeSpan, to buffer: inout [UInt8]) {
    if span.nanoseconds < 0 { buffer.append(UInt8(ascii: "-")) }
    let (whole, rest) = span.nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    buffer += "\(whole).".utf8
    var unit: UInt64 = 100_000_000
    while unit > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(rest / unit % 10))
      unit /= 10
    }
  }

  private static func append(_ byte: UInt8, to buffer: inout [UInt8]) {
    for digit in [byte >> 4, byte & 15] {
      buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
  }

  /// Returns a byte as two hexadecimal digits with a prefix, such as `0x0F`.
  public static func hexadecimal(_ byte: UInt8) -> String {
    var digits: [UInt8] = []
    append(byte, to: &digits)
    return "0x" + String(decoding: digits, as: UTF8.self)
  }
}
