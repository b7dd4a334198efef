// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
internal import Recordings
internal import Sensors

/// A parser for the text of a trace, which it reads line by line.
struct TraceReader {
  private let bytes: [UInt8]
  /// The index after the last byte of the trace to read.
  private let end: Int
  private let file: String
  private var offset = 0
  /// The number of the last line that was read, counted from 1, and the index at which that line
  /// starts.
  private var line = 0
  private var lineStart = 0

  init(_ bytes: [UInt8], file: String) {
    // Zero bytes at the end of a trace are ignored, because a file system may leave zero bytes in a
    // growing file after a power failure.
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0 { end -= 1 }
    self.bytes = bytes
    self.end = end
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    self.file = file
  }

  mutating func trace() throws(RecordingError) -> Trace {
    guard bytes.count <= TraceLimits.bytes else {
      throw RecordingError(
        .malformed, file: file, found: "the trace has \(bytes.count) bytes",
        expected: "at most \(TraceLimits.bytes)", hint: "record a shorter one, with --duration")
    }
    var header = TraceHeader(origin: .zero, board: "")
    guard let first = nextLine(), let (key, value) = pair(first),
      key == TraceHeader.versionKey
    else {
      line = max(line, 1)
      throw error("no trace", expected: "'\(Trace.opening) \(TraceHeader.version)' first")
    }
    try refuseControlCharacters(first)
    guard let version = Int(value), (1...TraceHeader.version).contains(version) else {
      throw error(
        "'\(key)' is '\(value)'", expected: "1 to \(TraceHeader.version)",
        hint: "this program knows versions 1 to \(TraceHeader.version) only")
    }
    header.version = version
    try readHeader(&header)
    var events: [TraceEvent] = []
    var lines: [Int] = []
    let count = bytes[offset..<end].count { $0 == UInt8(ascii: "\n") }
    events.reserveCapacity(min(count, TraceLimits.events))
    lines.reserveCapacity(min(count, TraceLimits.events))
    while let range = nextLine() {
      if range.isEmpty { continue }
      guard events.count < TraceLimits.events else {
        throw error(
          "a trace with more events", expected: "at most \(TraceLimits.events)",
          hint: "record a shorter one, with --duration")
      }
      try refuseControlCharacters(range)
      events.append(try event(range, header.origin))
      lines.append(line)
    }
    return Trace(
      file: file, header: header, events: events, lines: lines,
      isCutOff: offset < end || events.last?.kind != .ended)
  }

  private mutating func readHeader(_ header: inout TraceHeader) throws(RecordingError) {
    var hasClock = false
    var hasBoard = false
    while let range = nextLine() {
      if range.isEmpty { continue }
      try refuseControlCharacters(range)
      guard let (key, value) = pair(range) else {
        throw error(
          "'\(shown(range))' in the header", expected: "a key and a value, or 'events:'")
      }
      switch key {
      case TraceHeader.eventsKey:
        guard hasClock else { throw error("no '\(TraceHeader.clockKey)' before the events") }
        guard hasBoard else { throw error("no '\(TraceHeader.boardKey)' before the events") }
        return
      case TraceHeader.clockKey:
        let word = bytes[range].suffix(value.utf8.count)
        guard let time = try nanoseconds(word, "'clock'", most: TraceLimits.seconds) else {
          throw error("'clock' is '\(value)'", expected: "seconds, such as 12.000000000")
        }
        header.origin = Timestamp(nanoseconds: time)
        hasClock = true
      case TraceHeader.boardKey:
        header.linesBeforeBoard = line
        header.board = block()
        hasBoard = true
      case TraceHeader.calibrationKey:
        header.linesBeforeCalibration = line
        header.calibration = block()
      default: header.facts.append((key, value))
      }
    }
    throw error("the trace ends in its header", expected: "'events:' and what follows")
  }

  /// Reads the indented lines that follow, as one text.
  private mutating func block() -> String {
    var text = ""
    while true {
      let (before, number) = (offset, line)
      guard let range = nextLine() else { return text }
      if range.isEmpty {
        text += "\n"
      } else if bytes[range].starts(with: [0x20, 0x20]) {
        text += String(decoding: bytes[range.dropFirst(2)], as: UTF8.self) + "\n"
      } else {
        (offset, line) = (before, number)
        return text
      }
    }
  }

  // MARK: Events

  private func event(_ range: Range<Int>, _ origin: Timestamp) throws(RecordingError) -> TraceEvent
  {
    var words = TraceWords(bytes[range])
    let moment = words.next()
    let parts = moment.split(separator: UInt8(ascii: "+"), maxSplits: 1)
    guard
      let start = try nanoseconds(parts.first ?? [], "a time", most: TraceLimits.seconds)
    else {
      throw error(
        "'\(text(moment))' instead of the time", expected: "seconds, such as 0.001250000")
    }
    let time = origin + TimeSpan(nanoseconds: start)
    let name = text(words.next())
    let verb = text(words.next())
    guard !name.isEmpty, let word = TraceFormat.Word(rawValue: verb) else {
      throw error(
        verb.isEmpty ? "no event behind the time" : "'\(verb)' is not an event",
        expected: "one of \(TraceFormat.Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let chip =
      name == TraceFormat.nobody ? "" : name.replacing(TraceFormat.blank, with: " ")
    let kind: TraceEvent.Kind
    switch word {
    case .opened: kind = .opened(try opened(&words))
    case .started: kind = .started
    case .stopped: kind = .stopped
    case .selfTestStarted: kind = .selfTestStarted
    case .stepped: kind = .stepped(isEdge: text(words.next()) == "edge")
    case .clock: kind = .clock
    case .edges:
      guard let count = try number(words.next(), "a count of edges", TraceLimits.edges),
        let newest = try nanoseconds(words.next(), "the time of an edge", most: TraceLimits.seconds)
      else {
        throw error("an edge without its count and time", expected: "such as 'edge 1 0.001250000'")
      }
      kind = .edges(count: count, newest: origin + TimeSpan(nanoseconds: newest))
    case .read, .written:
      guard parts.count == 2,
        let duration = try nanoseconds(
          parts[1], "a duration", most: TraceLimits.transactionSeconds, isSpan: true)
      else {
        throw error(
          "a transaction without its duration",
          expected: "begin and duration, such as 0.001250000+0.000210000")
      }
      kind = .transaction(
        try transaction(
          chip, word, &words, time, time + TimeSpan(nanoseconds: duration)))
    case .health: kind = try health(&words)
    case .hole:
      let count = try number(words.next(), "a count of missing events", TraceLimits.counter)
      kind = .hole(events: count ?? 0)
    case .ended: kind = .ended
    }
    return TraceEvent(chip: chip, time: time, kind)
  }

  private func opened(_ words: inout TraceWords) throws(RecordingError) -> TracedChip {
    let chip = text(words.next())
    guard let wire = Wire(rawValue: text(words.next())) else {
      throw error("'open' without a chip and its wire", expected: "such as 'open bosch,bmi160 i2c'")
    }
    var opened = TracedChip(chip, wire)
    while true {
      let key = text(words.next())
      switch key {
      case "": return opened
      case "identity": opened.identity = Self.byte(words.next())
      case "longest-read":
        let most = try number(words.next(), "'longest-read'", TraceLimits.longestRead)
        opened.longestRead = most ?? .max
      default: throw error("'\(key)' of a chip", expected: "'identity' or 'longest-read'")
      }
    }
  }

  private func health(_ words: inout TraceWords) throws(RecordingError) -> TraceEvent.Kind {
    var health = Health()
    var missing = Set(TraceFormat.counters.map(\.name))
    while true {
      let key = text(words.next())
      if key.isEmpty { return .health(health, isComplete: missing.isEmpty) }
      guard let counter = TraceFormat.counters.first(where: { $0.name == key }),
        let value = try number(words.next(), "'\(key)'", TraceLimits.counter)
      else { throw error("'\(key)' among the counters", expected: "a counter and its number") }
      health[keyPath: counter.path] = UInt64(value)
      missing.remove(counter.name)
    }
  }

  private func transaction(
    _ chip: String, _ word: TraceFormat.Word, _ words: inout TraceWords, _ begin: Timestamp,
    _ end: Timestamp
  ) throws(RecordingError) -> TraceTransaction {
    let name = words.next()
    guard let register = Self.byte(name) else {
      throw error("'\(text(name))' instead of a register", expected: "such as 0x3B")
    }
    let size = words.next()
    guard let count = try number(size, "a count of bytes", TraceLimits.transfer) else {
      throw error("'\(text(size))' instead of the count", expected: "how many bytes")
    }
    var answer = words.next()
    var written: [UInt8] = []
    if word == .written {
      written = Self.bytes(answer) ?? []
      guard count > 0, written.count == count else {
        throw error(
          "a write of '\(text(answer))'",
          expected: count == 1
            ? "one byte in hexadecimal, such as 80"
            : count == 0 ? "a byte at least" : "\(2 * count) hexadecimal digits")
      }
      answer = words.next()
    }
    let outcome: TraceTransaction.Outcome
    if let failure = TraceFormat.error(text(answer)) {
      outcome = .failure(failure)
    } else {
      let bytes = Self.bytes(answer)
      guard let bytes, bytes.count == (word == .written ? 0 : count) else {
        throw error(
          "'\(text(answer))' as what came of \(count) byte\(count == 1 ? "" : "s")",
          expected: word == .written
            ? "nothing, or an error's word" : "\(2 * count) hexadecimal digits, or an error's word")
      }
      outcome = .bytes(bytes)
    }
    return TraceTransaction(
      chip: chip,
      request: word == .written
        ? .write(register: register, bytes: written) : .read(register: register, count: count),
      outcome: outcome, begin: begin, end: end)
  }

  // MARK: Lines and words

  /// Returns the next complete line of the trace without its line end; `nil` after the last.
  private mutating func nextLine() -> Range<Int>? {
    guard let end = bytes[offset..<end].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let start = offset
    offset = end + 1
    line += 1
    lineStart = start
    return start..<(end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
  }

  private func pair(_ range: Range<Int>) -> (String, String)? {
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard let colon = text.firstIndex(of: ":"), text.first?.isWhitespace == false else {
      return nil
    }
    let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
    return (String(text[..<colon]), String(value))
  }

  /// Creates an error. `index` is the position of the byte that the error refers to.
  private func error(
    _ found: String, at index: Int? = nil, expected: String? = nil, hint: String? = nil
  ) -> RecordingError {
    let column = index.map { String(decoding: bytes[lineStart..<$0], as: UTF8.self).count + 1 }
    return RecordingError(
      .malformed, file: file, line: line, column: column, found: found, expected: expected,
      hint: hint)
  }

  /// Throws if the line contains control characters, which a terminal could execute when the line
  /// is shown.
  private func refuseControlCharacters(_ range: Range<Int>) throws(RecordingError) {
    guard let (index, scalar) = ControlCharacters.firstRefused(in: bytes[range]) else { return }
    throw error(
      "the control character \(ControlCharacters.name(scalar))", at: index, expected: "text")
  }

  private func text(_ word: ArraySlice<UInt8>) -> String { String(decoding: word, as: UTF8.self) }

  private func shown(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(40), as: UTF8.self)
  }

  /// Parses bytes of two hexadecimal digits each; `nil` if the word has another form.
  private static func bytes(_ word: ArraySlice<UInt8>) -> [UInt8]? {
    guard word.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(word.count / 2)
    var index = word.startIndex
    while index < word.endIndex {
      guard let high = digit(word[index]), let low = digit(word[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return bytes
  }

  private static func byte(_ word: ArraySlice<UInt8>) -> UInt8? {
    guard word.count == 4, word.starts(with: [0x30, 0x78]) else { return nil }
    return bytes(word.dropFirst(2))?.first
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Parses a whole number; `nil` if the word is not a number. Throws if the number is outside
  /// `limits`; the error's message calls the number `name`.
  private func number(_ word: ArraySlice<UInt8>, _ name: String, _ limits: ClosedRange<Int>)
    throws(RecordingError) -> Int?
  {
    // A number with too many digits for an Int is still a number, and out of range.
    let isNumber = !word.isEmpty && word.allSatisfy { Self.digit($0) ?? 10 < 10 }
    let value = Int(text(word))
    guard isNumber || value != nil else { return nil }
    if let value, limits.contains(value) { return value }
    throw error(
      "\(name) is '\(shown(word.indices))'", at: word.startIndex,
      expected: "\(limits.lowerBound) to \(limits.upperBound)")
  }

  /// Parses seconds and returns nanoseconds; `nil` if the word is not a number. Throws beyond
  /// `most` seconds in either direction, and for a negative number with `isSpan`.
  private func nanoseconds(
    _ word: ArraySlice<UInt8>, _ name: String, most: Int64, isSpan: Bool = false
  ) throws(RecordingError) -> Int64? {
    guard let value = Self.nanoseconds(word) else { return nil }
    guard value.magnitude <= UInt64(most) * 1_000_000_000, value >= 0 || !isSpan else {
      throw error(
        "\(name) is '\(shown(word.indices))'", at: word.startIndex,
        expected: "\(isSpan ? "0 to" : "at most") \(most) seconds")
    }
    return value
  }

  /// Parses seconds with up to nine decimals, without a conversion to floating point.
  private static func nanoseconds(_ word: ArraySlice<UInt8>) -> Int64? {
    var digits = word
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    var sum: Int64 = 0
    var decimals: Int?
    guard digits.first.flatMap(digit) ?? 10 < 10 else { return nil }
    for byte in digits {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
        continue
      }
      guard let digit = digit(byte), digit < 10, decimals ?? 0 < 9 else { return nil }
      if let count = decimals { decimals = count + 1 }
      let (product, overflow) = sum.multipliedReportingOverflow(by: 10)
      let (next, carry) = product.addingReportingOverflow(Int64(digit))
      guard !overflow, !carry else { return nil }
      sum = next
    }
    for _ in (decimals ?? 0)..<9 {
      let (product, overflow) = sum.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      sum = product
    }
    return isNegative ? -sum : sum
  }
}

struct TraceWords {
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line }

  /// Returns the next word of the line; an empty text after the last.
  mutating func next() -> ArraySlice<UInt8> {
    rest = rest.drop { $0 == 0x20 }
    let word = rest.prefix { $0 != 0x20 }
    rest = rest[word.endIndex...]
    return word
  }
}
