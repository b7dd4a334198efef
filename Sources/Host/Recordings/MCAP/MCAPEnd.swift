// SPDX-License-Identifier: Apache-2.0

/// The summary at the end of an MCAP file: mcap.dev/spec, "Footer", "Statistics" and "Data End".
struct MCAPEnd: Sendable {
  /// The end of the data section, which is before the record DataEnd if the file has that record.
  private(set) var limit: Int
  /// True if the end of the data section is known.
  private(set) var isSure = false
  private(set) var definitions = MCAPDefinitions()
  /// The number of messages in all channels and in each channel; `nil` if the number is unknown.
  private(set) var messages: (count: UInt64, ofChannel: [UInt16: UInt64])?
  private(set) var chunkPlaces: Set<Int> = []

  private static let footerLength = MCAPSummary.footerLength
  private static let dataEndLength = 13
  private static let dataEndHead: [UInt8] = [0x0F, 4, 0, 0, 0, 0, 0, 0, 0]
  private static let footerHead: [UInt8] = [0x02, 20, 0, 0, 0, 0, 0, 0, 0]
  /// The largest number of chunks in a summary of an MCAP file; a day has 86400.
  private static let mostChunks = 1 << 20
  /// The largest number of bytes that are read from a record. The counts per channel are the
  /// longest record.
  private static let longest = 1 << 20

  init(_ input: MCAPInput, faults: inout MCAPFaults) throws(RecordingError) {
    limit = input.size
    try read(input, &faults)
  }

  private mutating func read(
    _ input: MCAPInput, _ faults: inout MCAPFaults
  ) throws(RecordingError) {
    let footer = input.size - Self.footerLength
    let least = MCAPRecord.magic.count + Self.dataEndLength
    guard footer >= least else { return faults.add(.end, at: input.size) }
    let tail = try input.bytes(at: footer, Self.footerLength)
    guard tail.starts(with: Self.footerHead), Array(tail.suffix(8)) == MCAPRecord.magic else {
      return faults.add(.end, at: input.size)
    }
    limit = footer
    var fields = MCAPFields(tail[9...])
    let start = fields.integer(UInt64.self) ?? 0
    _ = fields.integer(UInt64.self)
    let sum = fields.integer(UInt32.self) ?? 0
    let hasSummary = start > 0
    guard let end = hasSummary ? Int(exactly: start) : footer, end >= least, end <= footer else {
      return faults.add(.summary, at: footer)
    }
    let dataEnd = try input.bytes(at: end - Self.dataEndLength, Self.dataEndLength)
    guard dataEnd.starts(with: Self.dataEndHead) else { return faults.add(.summary, at: footer) }
    limit = end - Self.dataEndLength
    isSure = true
    if hasSummary { try readSummary(input, end..<footer, tail, sum, &faults) }
    var last = MCAPFields(dataEnd[9...])
    if let sum = last.integer(UInt32.self), sum != 0, try Self.sum(input, 0..<limit).value != sum {
      faults.add(.data, at: 0)
    }
  }

  private static func sum(
    _ input: MCAPInput, _ range: Range<Int>
  ) throws(RecordingError) -> CRC32 {
    var bytes = MCAPBytes(input, range, sums: true)
    _ = try bytes.skip(range.count)
    return bytes.sum ?? CRC32()
  }

  private mutating func readSummary(
    _ input: MCAPInput, _ range: Range<Int>, _ footer: [UInt8], _ sum: UInt32,
    _ faults: inout MCAPFaults
  ) throws(RecordingError) {
    if sum != 0 {
      // The first two fields of the footer belong to the summary's checksum.
      var found = try Self.sum(input, range)
      found.add(footer[..<(footer.count - 12)])
      guard found.value == sum else { return faults.add(.summary, at: range.lowerBound) }
    }
    var bytes = MCAPBytes(input, range)
    while bytes.remaining > 0 {
      guard let head = try bytes.take(9) else {
        return faults.add(.summary, at: range.lowerBound)
      }
      var fields = MCAPFields(head)
      let kind = MCAPRecord(rawValue: fields.integer(UInt8.self) ?? 0)
      guard let length = fields.integer(UInt64.self), length <= UInt64(bytes.remaining) else {
        return faults.add(.summary, at: range.lowerBound)
      }
      let size = Int(clamping: length)
      let seen = min(size, Self.longest)
      guard let content = try bytes.take(seen), try bytes.skip(size - seen) else {
        return faults.add(.summary, at: range.lowerBound)
      }
      if !take(kind, content) { return faults.add(.summary, at: range.lowerBound) }
    }
  }

  /// Adds a record of the file's summary. Returns false if that record is invalid.
  private mutating func take(_ kind: MCAPRecord?, _ content: ArraySlice<UInt8>) -> Bool {
    var fields = MCAPFields(content)
    switch kind {
    case .schema?, .channel?:
      guard let kind else { return false }
      return definitions.add(kind, content.prefix(MCAPDefinitions.head)) == .taken
    case .chunkIndex?:
      guard fields.bytes(16) != nil, let place = fields.integer(UInt64.self) else { return false }
      if chunkPlaces.count < Self.mostChunks { chunkPlaces.insert(Int(clamping: place)) }
      return true
    case .statistics?:
      guard let count = fields.integer(UInt64.self), fields.bytes(2 + 4 * 4 + 2 * 8) != nil,
        let length = fields.integer(UInt32.self), let counts = fields.bytes(UInt64(length))
      else { return false }
      var entries = MCAPFields(counts)
      var ofChannel: [UInt16: UInt64] = [:]
      while let id = entries.integer(UInt16.self), let count = entries.integer(UInt64.self) {
        ofChannel[id] = count
      }
      messages = (count, ofChannel)
      return true
    default: return true
    }
  }
}
