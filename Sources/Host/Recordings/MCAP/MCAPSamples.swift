// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The samples of an MCAP file with ROS 2 messages, in the order of their times and in Core
/// Motion's units and signs. The file is read twice and is never in memory as a whole: once for its
/// topics and damage, then for its samples.
package struct MCAPSamples: Sendable {
  /// A sample with the position of its message in the file.
  typealias Row = (sample: Sample, place: Int)

  package let channels: ChannelSet
  /// The remarks that are known before the first sample, one line each.
  package let notes: [RecordingWarning]
  /// The damage of the file that was skipped.
  let faults: MCAPFaults
  private var cursors: [MCAPCursor]
  /// The next row of each cursor. With a single cursor no row is read in advance.
  private var heads: [Row?] = []

  /// Examines the file; of `chips` their own samples are read. Throws if the file has no samples,
  /// or with `isStrict` if the file is damaged.
  init(
    _ input: MCAPInput, units: [MeasuredUnit], chips: [String] = [], isStrict: Bool,
    window: Int = MCAPScan.window
  ) throws(RecordingError) {
    let scan = try MCAPScan(input, units, window: window)
    let plan = try MCAPPlan(scan, of: chips)
    if isStrict, let error = scan.faults.error(input.file) { throw error }
    channels = plan.channels
    notes = plan.notes
    faults = scan.faults
    // The messages on one topic are usually in order, so each topic has its own cursor. If a clock
    // was set back, all topics share one cursor.
    let isApart =
      (scan.isScattered || plan.topics.contains(where: \.isByLogTime))
      && !scan.topics.contains(where: \.stepsBack)
    let groups = isApart ? plan.topics.map { [$0] } : [plan.topics]
    cursors = groups.map { MCAPCursor(scan, $0, units, window: max(1, window / groups.count)) }
  }

  /// The fraction of the file that has been read, 0 to 1.
  package var share: Double { cursors.map(\.share).min() ?? 1 }

  /// Returns the next sample of all topics; `nil` after the last.
  package mutating func next() throws(RecordingError) -> Sample? { try nextRow()?.sample }

  mutating func nextRow() throws(RecordingError) -> Row? {
    if cursors.count == 1 { return try cursors[0].next() }
    if heads.isEmpty {
      for index in cursors.indices { heads.append(try cursors[index].next()) }
    }
    var earliest: (index: Int, row: Row)?
    for (index, head) in heads.enumerated() {
      guard let head else { continue }
      if let earliest, earliest.row.sample.timestamp <= head.sample.timestamp { continue }
      earliest = (index, head)
    }
    guard let earliest else { return nil }
    heads[earliest.index] = try cursors[earliest.index].next()
    return earliest.row
  }

  /// Ends reading.
  mutating func stop() {
    cursors = []
    heads = [nil]
  }
}

/// A reader of the samples of some topics in a file, which sorts the samples by time within a
/// window.
struct MCAPCursor: Sendable {
  private var messages: MCAPMessages
  private let topics: [MCAPPlan.Topic]
  private let units: [MeasuredUnit]
  /// The index of each channel's topic.
  private var topicOfChannel: [UInt16: Int] = [:]
  private var waiting = EarliestFirst<MCAPSamples.Row>()
  private let window: Int
  private var newest: [Timestamp?]
  /// The first sample of a new section of the recording. It is held back until the previous section
  /// has ended.
  private var first: (row: MCAPSamples.Row, topic: Int)?

  init(_ scan: MCAPScan, _ topics: [MCAPPlan.Topic], _ units: [MeasuredUnit], window: Int) {
    messages = MCAPMessages(
      scan.input, limit: scan.limit, isSure: scan.end.isSure,
      definitions: scan.definitions, chunkPlaces: scan.end.chunkPlaces,
      damaged: scan.damaged)
    self.topics = topics
    self.units = units
    self.window = window
    newest = Array(repeating: nil, count: topics.count)
    for (id, channel) in scan.definitions.channels where channel.encoding == "cdr" {
      let type = scan.definitions.type(of: channel)
      topicOfChannel[id] = topics.firstIndex {
        $0.name == channel.topic && $0.type.typeName == type
      }
    }
  }

  var share: Double { messages.share }

  mutating func next() throws(RecordingError) -> MCAPSamples.Row? {
    while true {
      while waiting.count < window, first == nil, try readOn() {}
      if let next = waiting.next() { return next.row }
      guard let begin = first else { return nil }
      first = nil
      newest = Array(repeating: nil, count: topics.count)
      add(begin.row, begin.topic)
    }
  }

  private mutating func add(_ row: MCAPSamples.Row, _ topic: Int) {
    let time = row.sample.timestamp
    newest[topic] = max(newest[topic] ?? time, time)
    waiting.add(row, at: time.nanoseconds)
  }

  /// Reads the next sample of the file. Returns false at the end.
  private mutating func readOn() throws(RecordingError) -> Bool {
    while let step = try messages.next() {
      guard case .message(let message) = step, let index = topicOfChannel[message.channel],
        let read = ROSSample(message.data, topics[index].type, units)
      else { continue }
      var sample = read.sample
      let channels = sample.channels.intersection(topics[index].channels)
      guard !channels.isEmpty else { continue }
      for channel in Channel.allCases
      where sample.channels.contains(channel) && !channels.contains(channel) {
        sample[channel] = .zero
      }
      sample.channels = channels
      if topics[index].isByLogTime { sample.timestamp = Timestamp(nanoseconds: message.time) }
      let row = (sample: sample, place: message.place)
      if let last = newest[index], last - sample.timestamp > MCAPTopic.mostSortedBack {
        first = (row, index)
      } else {
        add(row, index)
      }
      return true
    }
    return false
  }
}
