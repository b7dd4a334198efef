// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The topics that are read from an MCAP file, and the way in which they are read.
struct MCAPPlan: Sendable {
  struct Topic: Sendable {
    var name: String
    var type: ROSMessage
    /// The quantities that are read from the topic's messages.
    var channels: ChannelSet
    /// True if the log time is used instead of the stamp in the topic's messages.
    var isByLogTime: Bool
    var stamps: ClosedRange<Int64>
    var logTimes: ClosedRange<Int64>

    var times: ClosedRange<Int64> { isByLogTime ? logTimes : stamps }
  }

  private(set) var topics: [Topic] = []
  /// The remarks that are known before the first sample.
  private(set) var notes: [RecordingWarning] = []
  let file: String

  var channels: ChannelSet { topics.reduce(into: ChannelSet()) { $0.formUnion($1.channels) } }

  /// Common message types that contain no measurements.
  private static let silentTypes: Set<String> = [
    ROSMessage.tf.typeName, ROSMessage.diagnosticArray.typeName, "rcl_interfaces/msg/Log",
    "rcl_interfaces/msg/ParameterEvent",
  ]
  /// The largest difference between two stamps of the same clock.
  private static let farApart = TimeSpan.seconds(3600)

  init(_ scan: MCAPScan, of chips: [String]) throws(RecordingError) {
    file = scan.input.file
    var leftOut: [String] = []
    let chosen = try Self.topics(of: chips, scan)
    let taken = chosen.reduce(into: ChannelSet()) { $0.formUnion($1.channels) }
    for topic in scan.topics.sorted(by: { $0.name < $1.name }) {
      let isChosen = chosen.contains { $0.name == topic.name }
      if !isChosen, Self.isOfOtherChip(topic, scan.topics) {
        leftOut.append(topic.name)
        continue
      }
      // Topics with the results of fusion are skipped, because they contain no measurements that
      // the topics with raw samples lack.
      let raw = scan.topics.filter { $0.name == topic.name + "_raw" }
      let given = raw.reduce(into: ChannelSet()) { $0.formUnion($1.channels) }
      let channels = topic.channels.subtracting(isChosen ? [] : given.union(taken))
      guard !channels.isEmpty, let stamps = topic.stamps, let logTimes = topic.logTimes else {
        continue
      }
      topics.append(
        Topic(
          name: topic.name, type: topic.type, channels: channels,
          isByLogTime: topic.isWithoutStamps, stamps: stamps, logTimes: logTimes))
    }
    guard !topics.isEmpty else { throw Self.noSamples(scan) }
    var channels = ChannelSet()
    for topic in topics {
      guard channels.isDisjoint(with: topic.channels) else {
        throw RecordingError(
          .malformed, file: file, found: "\(topic.name) has the same quantity as another topic",
          expected: "one topic for each quantity",
          hint: "mcap filter \(file) -n \(topic.name) -o one.mcap")
      }
      channels.formUnion(topic.channels)
    }
    if !leftOut.isEmpty, chips.isEmpty {
      say("skipped, because another chip has the same quantity: \(leftOut.joined(separator: ", "))")
    }
    noteStamps()
    useOneClock()
    note(scan)
  }

  /// Returns the topics of the chips that the user has chosen. Throws if a chip has none, or two
  /// chips have the same quantity.
  private static func topics(
    of chips: [String], _ scan: MCAPScan
  ) throws(RecordingError) -> [MCAPTopic] {
    guard !chips.isEmpty else { return [] }
    let own = scan.topics.filter { isOfOtherChip($0, scan.topics) && !$0.channels.isEmpty }
    var chosen: [MCAPTopic] = []
    for chip in chips {
      let topics = own.filter { $0.name.hasPrefix("/\(ROSChip.name(chip))/") }
      guard !topics.isEmpty else {
        let others = Set(own.compactMap { $0.name.split(separator: "/").first.map(String.init) })
        throw RecordingConventions.noSamples(
          of: chip, among: others.sorted().map(ControlCharacters.visible), file: scan.input.file)
      }
      let taken = chosen.reduce(into: ChannelSet()) { $0.formUnion($1.channels) }
      let channels = topics.reduce(into: ChannelSet()) { $0.formUnion($1.channels) }
      for channel in Channel.allCases where taken.intersection(channels).contains(channel) {
        throw RecordingConventions.sameQuantity(channel, chip, file: scan.input.file)
      }
      chosen += topics
    }
    return chosen
  }

  /// Returns true for a topic of an additional chip, as `record` names it: `/b/imu/data_raw` next
  /// to `/imu/data_raw`.
  private static func isOfOtherChip(_ topic: MCAPTopic, _ all: [MCAPTopic]) -> Bool {
    all.contains {
      topic.name != $0.name && topic.name.hasSuffix($0.name) && $0.name.hasPrefix("/")
        && topic.type == $0.type && !topic.channels.isDisjoint(with: $0.channels)
    }
  }

  private static func noSamples(_ scan: MCAPScan) -> RecordingError {
    let file = scan.input.file
    let damage = scan.faults.error(file)
    if let damage, !scan.faults.isOnlyEnd { return damage }
    let zeros = scan.topics.filter { $0.count > 0 }.map { "\($0.name) (all 0)" }
    let others = scan.others.map { "\($0.key) (\($0.value))" }
    let names = (zeros + others).sorted()
    return RecordingError(
      .malformed, file: file,
      found: names.isEmpty
        ? "there are no messages in it"
        : "no topic has samples: \(names.prefix(8).joined(separator: ", "))",
      expected: "sensor_msgs such as \(ROSTopic.rawIMU.name), as otolith record writes them",
      hint: damage == nil ? nil : "was the file cut?")
  }

  private mutating func say(_ text: String) {
    notes.append(RecordingWarning(text: ControlCharacters.visible("\(file): \(text)")))
  }

  private mutating func noteStamps() {
    for topic in topics where topic.isByLogTime {
      let stamp = MotionFormat.seconds(Timestamp(nanoseconds: topic.stamps.lowerBound))
      say(
        "the stamps of \(topic.name) are all \(stamp) s: read by the times at which its messages "
          + "were written")
    }
  }

  /// Uses the log times of all topics if the stamps of the messages are from several clocks.
  private mutating func useOneClock() {
    func distance(_ a: ClosedRange<Int64>, _ b: ClosedRange<Int64>) -> TimeSpan {
      Timestamp(nanoseconds: max(a.lowerBound, b.lowerBound))
        - Timestamp(nanoseconds: min(a.upperBound, b.upperBound))
    }
    guard let first = topics.first,
      let other = topics.first(where: { distance($0.times, first.times) > Self.farApart }),
      distance(other.logTimes, first.logTimes) <= Self.farApart
    else { return }
    let apart = distance(other.times, first.times)
    say(
      "the stamps of \(other.name) are \(RecordingPlausibility.short(apart.seconds)) s from those "
        + "of \(first.name): all are read by the times at which messages were written")
    for index in topics.indices { topics[index].isByLogTime = true }
  }

  private mutating func note(_ scan: MCAPScan) {
    for topic in scan.topics where topic.type == .imu {
      let zeros: [String] = [Channel.rotationRate, .acceleration].filter {
        topic.present.contains($0) && !topic.measured.contains($0)
      }.map(MCAPTopic.field)
      guard !zeros.isEmpty else { continue }
      say("\(zeros.joined(separator: " and ")) of \(topic.name) is always 0 and was not read")
    }
    let names = Set(topics.filter { !$0.isByLogTime }.map(\.name))
    for topic in scan.topics where topic.backs > 0 && names.contains(topic.name) {
      say(
        topic.backs == 1
          ? "a stamp of \(topic.name) is earlier than one before it, at byte \(topic.firstBack)"
          : "\(topic.backs) stamps of \(topic.name) are earlier than one before them, the first at "
            + "byte \(topic.firstBack)")
    }
    let unread = scan.others.filter { !Self.silentTypes.contains($0.value) }
    guard !unread.isEmpty else { return }
    let list: [String] = unread.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    let more = list.count > 8 ? " and \(list.count - 8) more" : ""
    say("topics not read: \(list.prefix(8).joined(separator: ", "))\(more)")
  }
}
