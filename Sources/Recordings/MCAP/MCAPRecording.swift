// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Makes of an MCAP file with messages of ROS 2 the text of a recording: what was measured, in
/// Core Motion's units and signs, in the order of time.
enum MCAPRecording {
  static func text(of bytes: [UInt8], file: String) throws(RecordingError) -> [UInt8] {
    var topics: [String: [Sample]] = [:]
    var others: Set<String> = []
    do throws(MCAPReader.Fault) {
      var reader = MCAPReader()
      try reader.read(bytes) { message in
        if message.channel.encoding == "cdr", let sample = sample(of: message) {
          topics[message.channel.topic, default: []].append(sample)
        } else {
          others.insert(message.channel.topic)
        }
      }
    } catch {
      switch error {
      case .damaged(let place):
        throw RecordingError(
          .malformed, file: file, found: "the record at byte \(place) is damaged",
          expected: "an MCAP file", hint: "mcap recover \(file) saves what can be read")
      case .packed(let packing):
        throw RecordingError(
          .malformed, file: file, found: "its chunks are packed by \(packing)",
          expected: "chunks that are not packed",
          hint: "mcap compress --compression none \(file) -o plain.mcap")
      }
    }
    // What was fused of the samples measures nothing anew.
    if topics[ROSTopic.rawIMU.name] != nil { topics[ROSTopic.imu.name] = nil }
    guard !topics.isEmpty else {
      throw RecordingError(
        .malformed, file: file,
        found: others.isEmpty
          ? "there are no messages in it"
          : "no topic has samples: \(others.sorted().prefix(8).joined(separator: ", "))",
        expected: "sensor_msgs such as \(ROSTopic.rawIMU.name), as otolith record writes them")
    }
    var channels = ChannelSet()
    for (topic, samples) in topics.sorted(by: { $0.key < $1.key }) {
      let own = samples.reduce(into: ChannelSet()) { $0.formUnion($1.channels) }
      guard channels.isDisjoint(with: own) else {
        throw RecordingError(
          .malformed, file: file, found: "\(topic) measures what another topic measures too",
          expected: "one topic for each quantity",
          hint: "mcap filter \(file) -n \(topic) -o one.mcap")
      }
      channels.formUnion(own)
    }
    let samples = topics.values.joined().sorted { $0.timestamp < $1.timestamp }
    var text = Array(SampleFormat.csvHeader(channels).utf8)
    for sample in samples { SampleFormat.appendCSV(sample, channels, to: &text) }
    return text
  }

  /// `nil` of a message that has no sample, or one that cannot be read.
  private static func sample(of message: MCAPReader.Message) -> Sample? {
    guard var reader = CDRReader(message.data), let seconds = reader.integer(Int32.self),
      let nanoseconds = reader.integer(UInt32.self), reader.text() != nil
    else { return nil }
    let time = Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds))
    var sample = Sample(timestamp: time)
    func take(_ channel: Channel, _ value: Vector3) {
      sample[channel] = value
      sample.channels.formUnion(ChannelSet(channel))
    }
    switch ROSMessage.allCases.first(where: { $0.typeName == message.channel.message }) {
    case .imu:
      guard let values = reader.doubles(4 + 9 + 3 + 9 + 3 + 9) else { return nil }
      if values[16] != -1 { take(.rotationRate, Vector3(values[13], values[14], values[15])) }
      if values[28] != -1 {
        take(
          .acceleration,
          Vector3(values[25], values[26], values[27]) / ROSUnits.acceleration)
      }
    case .magneticField:
      guard let values = reader.doubles(3) else { return nil }
      take(
        .magneticField, Vector3(values[0], values[1], values[2]) / ROSUnits.magneticField)
    case .fluidPressure: take(.pressure, number(&reader, ROSUnits.pressure))
    case .temperature: take(.temperature, number(&reader, 1))
    case .relativeHumidity: take(.humidity, number(&reader, ROSUnits.humidity))
    case .illuminance: take(.illuminance, number(&reader, 1))
    default: return nil
    }
    return sample.channels.isEmpty ? nil : sample
  }

  private static func number(_ reader: inout CDRReader, _ factor: Double) -> Vector3 {
    Vector3((reader.double() ?? .nan) / factor, 0, 0)
  }
}
