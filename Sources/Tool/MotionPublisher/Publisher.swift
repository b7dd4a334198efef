// SPDX-License-Identifier: Apache-2.0
package import SourceReading
package import CommandOutput
import Fusion
package import LinuxSystem
package import Otolith
package import Publishing
import Recordings
package import Runtime
import Sensors
import Text

/// A converter from a source's samples and motions to messages, which it passes to the MQTT
/// publisher. The sensors never wait, because the source overwrites its rings at its own pace.
package final class Publisher {
  /// A random word that distinguishes the messages of this run from the messages of other runs.
  package static let session = {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }()

  private let source: any MotionSource
  private let mqtt: MQTTPublisher
  private let topic: String
  private let frame: FrameOption
  private let declination: Double
  private let duration: Double?
  private let sourceCounts: SourceCounts
  private var clock = UTCClock()
  private var samples: RingReader<SourcedSample>
  private var motions: RingReader<MotionSample>
  private var detections: RingReader<SourcedDetection>
  private var events: EventFinder
  /// The published channels, each reduced to its message rate.
  private var channels: [(channel: Channel, thinning: Decimation)] = []
  private var motion: Decimation?
  private var entities: EntityOffer?
  private var health: ChipHealth
  private var number: UInt64 = 0
  private var first: Timestamp?
  private var isOver = false
  package private(set) var failure: Failure?

  package init(
    _ source: any MotionSource, _ mqtt: MQTTPublisher, topic: String,
    rates: [(channel: Channel?, rate: Double)], frame: FrameOption, isDoor: Bool, duration: Double?,
    discovery: Discovery?
  ) {
    self.source = source
    self.mqtt = mqtt
    self.topic = topic
    self.frame = frame
    self.duration = duration
    declination = source.declination ?? 0
    sourceCounts = SourceCounts(of: source)
    health = ChipHealth(of: source)
    samples = source.pipeline.samples.reader()
    motions = source.pipeline.motions.reader()
    detections = source.pipeline.detections.reader()
    events = EventFinder(
      channels: source.channels, hasStepCounter: source.stepCounter != nil, isDoor: isDoor)
    func rate(_ channel: Channel?, usual: Double) -> Double {
      rates.last { $0.channel == channel }?.rate ?? usual
    }
    let ofMotion = rate(nil, usual: 10)
    if ofMotion > 0 { motion = Decimation(interval: 1 / ofMotion) }
    for channel in Channel.allCases where source.channels.contains(channel) {
      let rate = rate(channel, usual: channel.isVector ? 0 : 1)
      if rate > 0 { channels.append((channel, Decimation(interval: 1 / rate))) }
    }
    // A channel that is not published gets no entity. Movement always gets an entity, because it is
    // also recognised from samples that are not published.
    let sent = channels.map(\.channel) + Channel.allCases.filter(\.isVector)
    entities = discovery.map {
      EntityOffer(
        $0, of: source, channels: source.channels.intersection(ChannelSet(sent)),
        wantsHeading: frame.isNorth && ofMotion > 0, isDoor: isDoor)
    }
  }

  /// Publishes from a running source until `wakeEvent` is signalled, the duration has elapsed, or
  /// the broker refuses messages.
  package func follow(until wakeEvent: WakeEvent) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    var watch = ChipWatch(of: source)
    let begin = Timestamp.now
    while wakeEvent.drain() == 0 {
      watch.report()
      clock.set()
      // If the source is a service, reading this property copies the newest motions, as in
      // `SourceReader`.
      _ = source.pipeline.motionsMeasured
      take()
      for (chip, fields) in health.next(at: .now) {
        send("chip/" + chip, fields, at: .now, isRetained: true)
      }
      if let offer = entities?.next(at: .now) { mqtt.offer(offer) }
      for remark in mqtt.takeRemarks() { Terminal.complain(remark) }
      if let error = mqtt.failure {
        failure = Failure(error)
        return
      }
      if isOver { return }
      let now = Timestamp.now
      if first == nil, let duration, now - begin > TimeSpan(seconds: duration + 5) {
        failure = watch.silence
        return
      }
      _ = try? poller.wait(until: now + .milliseconds(20))
    }
  }

  /// Waits until pending messages are sent. Call this function after the source has stopped.
  package func finish() {
    take()
    _ = mqtt.finish(within: .seconds(failure == nil ? 5 : 0))
    for remark in mqtt.takeRemarks() where failure == nil { Terminal.complain(remark) }
  }

  private func take() {
    while let sourced = samples.read() {
      let sample = sourced.sample
      guard isWanted(sample.timestamp) else { break }
      entities?.add(sample)
      for event in events.update(sample) { send(event) }
      for index in channels.indices where sample.channels.contains(channels[index].channel) {
        guard channels[index].thinning.takes(sample.timestamp.seconds) else { continue }
        send(channels[index].channel, sample)
      }
    }
    while let sourced = detections.read() { send(sourced) }
    while let motion = motions.read() {
      guard isWanted(motion.timestamp) else { break }
      if motion.contents.contains(.rotationRate) {
        let found = events.update(
          rotationRate: motion.rotationRate, gravity: motion.gravity, at: motion.timestamp)
        for event in found { send(event) }
      }
      guard self.motion?.takes(motion.timestamp.seconds) == true else { continue }
      let row = MotionRow(motion, frame, declination: declination)
      entities?.add(row)
      send(row, at: motion.timestamp)
    }
  }

  /// Returns false if `time` is after the end of the duration.
  private func isWanted(_ time: Timestamp) -> Bool {
    let begin = first ?? time
    first = begin
    guard let duration, (time - begin).seconds >= duration else { return true }
    isOver = true
    return false
  }

  // MARK: Messages

  private typealias Field = JSON.Member

  private func send(_ channel: Channel, _ sample: Sample) {
    let name = "\(channel.row.name)"
    var fields: [Field] = []
    if let vector = sample.vector(channel) {
      fields = [
        Field(name + ".x", .number(vector.x)), Field(name + ".y", .number(vector.y)),
        Field(name + ".z", .number(vector.z)),
      ]
    } else {
      fields = [Field(name, .number(sample.scalars[channel]))]
    }
    send(name, fields, at: sample.timestamp)
  }

  private func send(_ row: MotionRow, at time: Timestamp) {
    let fields = MotionFormat.fields(row).map { field in
      switch field.value {
      case .number(let number): Field(field.name, .number(number))
      case .integer(let integer): Field(field.name, .integer(Int64(integer)))
      case .text(let text): Field(field.name, .text(text))
      }
    }
    send("motion", fields, at: time)
  }

  /// Publishes a chip's own detections: step counts, and events that are not also recognised from
  /// samples.
  private func send(_ sourced: SourcedDetection) {
    let detection = sourced.detection
    switch detection.kind {
    case .step:
      guard Int(sourced.source) == source.stepCounter else { return }
      for event in events.update(stepCount: detection.detail, at: detection.timestamp) {
        send(event)
      }
    // The publisher recognises these events in the acceleration samples too; publishing both would
    // repeat them.
    case .orientation, .flat,
      .freeFall where source.channels.contains(.acceleration):
      return
    case .freeFall: send(PublishedEvent("fall", at: detection.timestamp))
    case .singleTap, .doubleTap, .tilt, .motion, .noMotion, .significantMotion:
      send(
        PublishedEvent(
          "chip", "\(detection.kind)", at: detection.timestamp,
          fields: [Field("chip", .text(source.name(ofChip: Int(sourced.source))))]))
    }
  }

  private func send(_ event: PublishedEvent) {
    send(
      "event/" + event.kind, [Field("event_type", .text(event.type))] + event.fields,
      at: event.timestamp, isRetained: event.isState)
  }

  private func send(
    _ word: String, _ fields: [Field], at time: Timestamp, isRetained: Bool = false
  ) {
    number += 1
    let head = [
      Field("id", .text("\(Self.session)-\(number)")), Field("time", .text(clock.text(time))),
    ]
    mqtt.send(
      Message(
        topic: topic + "/" + word, payload: JSON.object(head + fields).bytes,
        isRetained: isRetained))
  }

  /// Returns a failure if the broker received no message from this run although some were due;
  /// otherwise `nil`.
  package func fruitlessEnd(_ address: MQTTAddress) -> Failure? {
    let counts = mqtt.counts
    guard counts.arrived == 0, counts.connections == 0 || counts.waiting + counts.dropped > 0 else {
      return nil
    }
    let rest =
      counts.waiting > 0
      ? "; \(counts.waiting) messages are stored in \(mqtt.folder); the next run sends them" : ""
    return Failure("no message was delivered to \(address.broker)\(rest)", Failure.unavailable)
  }

  /// The final line with the counts of samples and of messages.
  package var summary: String {
    let counts = mqtt.counts
    let overtaken = samples.missed + motions.missed
    var line = sourceCounts.line + "; published \(counts.made) messages"
    if counts.before > 0 { line += " and \(counts.before) that waited" }
    line += ": \(counts.arrived) arrived, \(counts.waiting) waiting, \(counts.dropped) dropped"
    if counts.again > 0 { line += "; \(counts.again) sent again" }
    if overtaken > 0 { line += "; \(overtaken) samples and motions overtaken" }
    return line
  }
}

extension Sample {
  /// Returns the value of a vector channel; `nil` for scalar channels.
  fileprivate func vector(_ channel: Channel) -> Vector3? {
    switch channel {
    case .acceleration: acceleration
    case .rotationRate: rotationRate
    case .magneticField: magneticField
    case .pressure, .temperature, .humidity, .illuminance, .proximity: nil
    }
  }
}
