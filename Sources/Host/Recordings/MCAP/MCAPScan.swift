// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The contents of an MCAP file and the file's damage, which are found by reading the file once
/// before the first sample.
struct MCAPScan {
  /// The results of the scan after the messages so far. A damaged chunk resets the results to those
  /// before the chunk.
  private struct Findings {
    var topics: [MCAPTopic] = []
    /// The index of each channel's topic; -1 if the topic has no samples.
    var topicOfChannel: [UInt16: Int] = [:]
    /// The types of topics without samples, by topic.
    var others: [String: String] = [:]
    var counts: [UInt16: UInt64] = [:]
    var inChunks: UInt64 = 0
    var faults = MCAPFaults()
  }

  let input: MCAPInput
  let end: MCAPEnd
  private(set) var faults = MCAPFaults()
  /// The positions in the file of the chunks to skip.
  private(set) var damaged: Set<Int> = []
  /// The position in the file at which reading ended.
  private(set) var limit = 0
  private(set) var definitions = MCAPDefinitions()
  /// True if samples would not be in the order of their times after sorting within a window.
  private(set) var isScattered = false
  private var findings = Findings()
  private let units: [MeasuredUnit]

  /// The number of samples in the window for sorting, which take 5 MB and cover seconds of the
  /// fastest sensors.
  static let window = 1 << 15

  var topics: [MCAPTopic] { findings.topics }
  var others: [String: String] { findings.others }

  init(
    _ input: MCAPInput, _ units: [MeasuredUnit], window: Int = Self.window
  ) throws(RecordingError) {
    self.input = input
    self.units = units
    var known = MCAPFaults()
    end = try MCAPEnd(input, faults: &known)
    var messages = MCAPMessages(input, end)
    messages.faults = known
    try read(&messages, window)
    faults = messages.faults
    faults.add(findings.faults)
    if let first = messages.missingChunks.min() { faults.add(.chunkIndex, at: first) }
    definitions = messages.definitions
    limit = messages.end
    compareCounts(messages.indexed)
  }

  private mutating func read(
    _ messages: inout MCAPMessages, _ window: Int
  ) throws(RecordingError) {
    var before = Findings()
    var isInChunk = false
    var times = EarliestFirst<Bool>()
    var newest = Int64.min
    while let step = try messages.next() {
      switch step {
      case .beginsChunk:
        before = findings
        isInChunk = true
      case .endsChunk(let place, let isGood):
        isInChunk = false
        if !isGood {
          findings = before
          damaged.insert(place)
          if damaged.count >= MCAPMessages.mostFaults { messages.stop(at: place) }
        }
      case .message(let message):
        findings.counts[message.channel, default: 0] += 1
        if isInChunk { findings.inChunks += 1 }
        guard let time = take(message, messages.definitions) else { continue }
        times.add(true, at: time)
        guard times.count > window, let earliest = times.next() else { continue }
        if earliest.time < newest { isScattered = true }
        newest = max(newest, earliest.time)
      }
    }
    if let earliest = times.next(), earliest.time < newest { isScattered = true }
  }

  /// Reads the sample in a message and returns its stamp.
  private mutating func take(
    _ message: MCAPMessages.Message, _ definitions: MCAPDefinitions
  ) -> Int64? {
    guard let channel = definitions.channels[message.channel] else {
      findings.faults.add(.channel, at: message.place)
      return nil
    }
    let index: Int
    if let known = findings.topicOfChannel[message.channel] {
      index = known
    } else {
      index = place(of: channel, definitions)
      findings.topicOfChannel[message.channel] = index
    }
    guard index >= 0 else { return nil }
    let topic = findings.topics[index]
    guard let read = ROSSample(message.data, topic.type, units) else {
      findings.faults.add(.message, at: message.place)
      return nil
    }
    for _ in 0..<read.invalid { findings.faults.add(.number, at: message.place) }
    findings.topics[index].add(read, logTime: message.time, at: message.place)
    return read.sample.timestamp.nanoseconds
  }

  /// Returns the index of a channel's topic; -1 if the topic has no samples.
  private mutating func place(
    of channel: MCAPDefinitions.Channel, _ definitions: MCAPDefinitions
  ) -> Int {
    let name = definitions.type(of: channel)
    let isCDR = channel.encoding == "cdr"
    guard isCDR, let type = ROSSample.types.first(where: { $0.typeName == name }) else {
      let names = isCDR ? [name] : [name, channel.encoding]
      findings.others[channel.topic] = names.filter { !$0.isEmpty }.joined(separator: ", ")
      return -1
    }
    let known = findings.topics.firstIndex { $0.name == channel.topic && $0.type == type }
    if let known { return known }
    findings.topics.append(MCAPTopic(channel.topic, type))
    return findings.topics.count - 1
  }

  /// Compares the number of messages that were read with the summary, or with the message indexes.
  private mutating func compareCounts(_ indexed: UInt64) {
    let read: UInt64 = findings.counts.values.reduce(0, +)
    if let announced = end.messages {
      let isOfChannels =
        announced.ofChannel.isEmpty
        || announced.ofChannel.filter { $0.value > 0 } == findings.counts
      faults.compare(
        read: read, announced: announced.count, agrees: announced.count == read && isOfChannels)
    } else {
      // Chunks need not have indexes, and in a truncated file the indexes count more messages than
      // the file contains.
      let ofIndexes = indexed &+ read &- findings.inChunks
      if ofIndexes > read {
        faults.compare(read: read, announced: ofIndexes, agrees: false)
      } else {
        faults.compare(read: read, announced: nil)
      }
    }
  }
}
