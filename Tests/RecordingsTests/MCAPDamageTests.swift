// SPDX-License-Identifier: Apache-2.0
import Quantities
@testable import Recordings
import Testing

/// MCAP files that are truncated, damaged or malicious: missing parts are reported, and nothing
/// traps.
@Suite struct MCAPDamageTests {
  enum Form: CaseIterable { case packed, chunks, bare }

  /// Returns four times three messages of two topics: in chunks, compressed or not, or without
  /// chunks.
  static func file(_ form: Form, chunks: Int = 4) -> MCAPBuilder {
    var builder = MCAPBuilder()
    builder.topic(1, "/pressure", "sensor_msgs/msg/FluidPressure")
    builder.topic(2, "/temperature", "sensor_msgs/msg/Temperature")
    for chunk in 0..<chunks {
      var records: [UInt8] = []
      for number in 0..<3 {
        let time = Int64(3 * chunk + number + 1) * 100_000_000
        let data = MCAPBuilder.number(98_000 + Double(number), stamp: time)
        records += builder.message(number == 1 ? 2 : 1, log: time, data)
      }
      switch form {
      case .packed: builder.chunk(records, .zstd)
      case .chunks: builder.chunk(records)
      case .bare: builder.add(records)
      }
    }
    return builder
  }

  /// Returns the offsets of the records with this opcode.
  private static func places(_ opcode: UInt8, in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var place = 8
    while place + 9 <= bytes.count - 8 {
      if bytes[place] == opcode { places.append(place) }
      place += 9 + length(bytes, at: place)
    }
    return places
  }

  private static func length(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[(place + 1)..<(place + 9)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  @Test(arguments: Form.allCases) func `a whole file is read without a word`(_ form: Form) {
    let reading = MCAPReading(Self.file(form).whole, .strict)
    #expect(reading.error == nil && reading.notes == [] && reading.remark == nil)
    #expect(reading.times == (1...12).map { Double($0) / 10 })
    #expect(reading.channels == [.pressure, .temperature])
    #expect(
      reading.samples.first?.pressure == 98
        && reading.samples.dropFirst().first?.temperature == 98_001)
  }

  /// Three damages: one bit of a chunk's opcode, one of its length, and half a file.
  @Test func `a chunk whose opcode is spoilt is read, and that is said`() {
    var bytes = Self.file(.packed).whole
    let place = Self.places(6, in: bytes)[2]
    bytes[place] ^= 0x80
    let reading = MCAPReading(bytes)
    #expect(reading.times == (1...12).map { Double($0) / 10 })
    #expect(
      reading.remark
        == "a.mcap: 12 of 12 messages are read; the record is damaged at byte \(place); the "
        + "checksum of the data is wrong")
    #expect(
      MCAPReading(bytes, .strict).error
        == "a.mcap: the record at byte \(place) is damaged, expected an MCAP file without damage; "
        + "mcap recover a.mcap -o saved.mcap saves what can be read")
  }

  @Test func `a chunk whose length is spoilt is read, and that is said`() {
    var bytes = Self.file(.packed).whole
    let place = Self.places(6, in: bytes)[2]
    bytes[place + 7] ^= 0x40
    let reading = MCAPReading(bytes)
    #expect(reading.samples.count == 12)
    #expect(reading.remark?.contains("; the record is damaged at byte \(place); ") == true)
  }

  /// Without a summary, chunks are found only by their form.
  @Test func `damage in the middle of a file without an end costs no more than its record`() {
    var bytes = Self.file(.bare).bytes
    let place = Self.places(5, in: Self.file(.bare).whole)[4]
    bytes[place + 3] ^= 0x40
    let reading = MCAPReading(bytes)
    #expect(reading.times == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12].map { $0 / 10 })
    #expect(
      reading.remark
        == "a.mcap: 11 messages are read; the record is damaged at byte \(place); the file has no "
        + "end, as if it were cut off")
  }

  @Test func `a file that was cut is read as far as it goes`() {
    for (form, least) in [(Form.packed, 3), (.chunks, 7), (.bare, 7)] {
      let whole = Self.file(form).whole
      let opcode: UInt8 = form == .bare ? 5 : 6
      let places = Self.places(opcode, in: whole)
      // The file is cut off within a message after seven others, or within the second chunk of a
      // compressed file.
      let cut =
        switch form {
        case .packed: places[1] + 30
        case .chunks: places[2] + 9 + 40 + 79 + 40
        case .bare: places[7] + 30
        }
      let reading = MCAPReading(Array(whole[..<cut]))
      #expect(reading.times == (1...least).map { Double($0) / 10 })
      #expect(
        reading.remark
          == "a.mcap: \(least) messages are read; the file has no end, as if it were cut off")
      #expect(
        MCAPReading(Array(whole[..<cut]), .strict).error
          == "a.mcap: the file has no end, as if it were cut off, expected an MCAP file without "
          + "damage; mcap recover a.mcap -o saved.mcap saves what can be read")
    }
  }

  @Test func `a chunk without its checksum is left out and counted`() {
    var builder = MCAPBuilder()
    builder.topic(1, "/pressure", "sensor_msgs/msg/FluidPressure")
    for number in 1...3 {
      let time = Int64(number) * 1_000_000_000
      let record = builder.message(
        1, log: time, MCAPBuilder.number(98_000, stamp: time))
      builder.chunk(record, sum: number == 2 ? 7 : nil)
    }
    let reading = MCAPReading(builder.whole)
    let place = Self.places(6, in: builder.whole)[1]
    #expect(reading.times == [1, 3])
    #expect(
      reading.remark
        == "a.mcap: 2 of 3 messages are read; a chunk has a wrong checksum and was skipped, at "
        + "byte \(place)")
  }

  /// Writers may use opcodes from 0x80 on, and later versions of the format others.
  @Test func `records of unknown kinds are passed over`() {
    var builder = Self.file(.chunks)
    builder.add(MCAPBuilder.record(0x90, [1, 2, 3]) + MCAPBuilder.record(0x21, []))
    #expect(MCAPReading(builder.whole, .strict).samples.count == 12)
    #expect(MCAPReading(builder.whole).remark == nil)
  }

  /// One bit, or all bits, of each byte are flipped: the samples are unchanged, or a message is
  /// given.
  @Test(arguments: Form.allCases, [0x01, 0x40, 0xFF] as [UInt8])
  func `no spoilt byte changes a sample without a word`(_ form: Form, _ bits: UInt8) {
    let bytes = Self.file(form, chunks: 2).whole
    let truth = MCAPReading(bytes)
    for place in bytes.indices {
      var spoilt = bytes
      spoilt[place] ^= bits
      let reading = MCAPReading(spoilt)
      let isSaid = reading.error != nil || reading.remark != nil || reading.notes != truth.notes
      #expect(isSaid || reading.samples == truth.samples, "byte \(place)")
    }
  }

  /// 20000 nested chunks: a recursive reader would exhaust its stack.
  @Test func `a chunk in a chunk is damage`() {
    var heads: [[UInt8]] = []
    var size = 0
    for _ in 0..<20_000 {
      var content = [UInt8](repeating: 0, count: 16)
      content.append(littleEndian: UInt64(size))
      content.append(littleEndian: UInt32(0))
      content.append(counted: "")
      content.append(littleEndian: UInt64(size))
      var head: [UInt8] = [6]
      head.append(littleEndian: UInt64(content.count + size))
      heads.append(head + content)
      size += 9 + content.count
    }
    let bytes = MCAPBuilder.magic + heads.reversed().joined()
    #expect(
      MCAPReading(bytes).error
        == "a.mcap: the chunk at byte 8 contains a chunk, expected an MCAP file without damage; "
        + "mcap recover a.mcap -o saved.mcap saves what can be read")
  }

  @Test(.timeLimit(.minutes(1))) func `what unpacks to more than files have is not unpacked`() {
    // 40 MB compressed to some kB: a record of a private kind.
    let large = MCAPBuilder.record(0x80, [UInt8](repeating: 0, count: 40 << 20))
    var builder = Self.file(.packed)
    builder.chunk(large, .zstd)
    let once = MCAPReading(builder.whole)
    #expect(once.remark == nil && once.samples.count == 12)
    builder.chunk(large, .zstd)
    let twice = MCAPReading(builder.whole)
    let places = Self.places(6, in: builder.whole)
    #expect(twice.samples.count == 12)
    #expect(
      twice.remark
        == "a.mcap: 12 of 12 messages are read; a chunk is too large for a file of this size and "
        + "was skipped, at byte \(places[5])")
    // One chunk states a huge size, another is larger than stated.
    for (size, text) in [
      (UInt64(1 << 40), "is too large for a file of this size"),
      (UInt64(100), "cannot be decompressed"),
    ] {
      var builder = MCAPBuilder()
      builder.chunk(
        MCAPBuilder.record(0x80, [UInt8](repeating: 0, count: 1 << 20)), .zstd, size: size)
      #expect(
        MCAPReading(builder.whole).error?.hasPrefix("a.mcap: the chunk at byte 36 \(text)") == true)
    }
  }

  /// Players copy a reader for each round, and so does a smoother that reads ahead.
  @Test func `a copy of a reader goes on for itself, within a packed chunk`() throws {
    var builder = MCAPBuilder()
    builder.topic(1, "/pressure", "sensor_msgs/msg/FluidPressure")
    var records: [UInt8] = []
    // More than the reader decompresses at once.
    for number in 1...3000 {
      records += builder.message(
        1, log: Int64(number), MCAPBuilder.number(Double(number), stamp: Int64(number)))
    }
    builder.chunk(records, .zstd)
    var samples = try MCAPSamples(
      MCAPInput(builder.whole, file: "a.mcap"), units: [], isStrict: true, window: 1)
    for number in 1...1000 { #expect(try samples.next()?.timestamp.nanoseconds == Int64(number)) }
    var copy = samples
    for number in 1001...3000 {
      #expect(try copy.next()?.timestamp.nanoseconds == Int64(number))
      #expect(try samples.next()?.timestamp.nanoseconds == Int64(number))
    }
  }
}
