// SPDX-License-Identifier: Apache-2.0
import History
import Fusion
import Boards
import Foundation
import Quantities
import Recognition
import Redundancy
import Registers
import Runtime
import Sensors
import Service
import Testing

/// Tests of docs/service.md against the bytes that are sent.
@Suite struct WireFormatTests {
  /// A row of the page's tables: `| 16 | 24 | acceleration, g |`.
  struct Row: Equatable {
    var offset: Int
    var size: Int
    var name: String
  }

  /// Returns the rows of the table whose header has `title` as its last cell.
  static func rows(_ title: String) throws -> [Row] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/service.md")
    let lines = try String(contentsOf: url, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == "| offset | size | \(title) |" })
    return try lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let match = try #require(line.firstMatch(of: /^\| (\d+) \| (\d+) \| ([^|]+) \|$/), "\(line)")
      // The field `f64 pressure, kPa` has the name pressure.
      let words = match.3.split { " ,:".contains($0) }
      let isTyped = words[0].contains(/^[iuf]\d+$/)
      return Row(
        offset: try #require(Int(match.1)), size: try #require(Int(match.2)),
        name: String(words[isTyped ? 1 : 0]))
    }
  }

  static func row<Root, Value>(
    _ name: String, _ path: PartialKeyPath<Root>, _ type: Value.Type, at base: Int = 0
  ) throws -> Row {
    Row(
      offset: base + (try #require(MemoryLayout<Root>.offset(of: path))),
      size: MemoryLayout<Value>.size, name: name)
  }

  @Test func `a sample has the page's layout`() throws {
    let expected = [
      try Self.row("timestamp", \Sample.timestamp, Timestamp.self),
      try Self.row("channels", \Sample.channels, ChannelSet.self),
      try Self.row("missing", \Sample.missing, UInt32.self),
      try Self.row("acceleration", \Sample.acceleration, Vector3.self),
      try Self.row("rotationRate", \Sample.rotationRate, Vector3.self),
      try Self.row("magneticField", \Sample.magneticField, Vector3.self),
    ]
    let scalars = try #require(MemoryLayout<Sample>.offset(of: \Sample.scalars))
    let numbers = Channel.allCases.filter { !$0.isVector }.enumerated().map { index, channel in
      Row(offset: scalars + 8 * index, size: 8, name: "\(channel.row.name)")
    }
    let source = try Self.row("source", \SourcedSample.source, Int32.self)
    #expect(MemoryLayout<SourcedSample>.offset(of: \.sample) == 0)
    #expect(try Self.rows("sample") == expected + numbers + [source])
    #expect(MemoryLayout<SourcedSample>.size == SampleLayout.own.size)
  }

  @Test func `a motion has the page's layout`() throws {
    let expected = [
      try Self.row("timestamp", \MotionSample.timestamp, Timestamp.self),
      try Self.row("contents", \MotionSample.contents, MotionSample.Contents.self),
      try Self.row("magneticAccuracy", \MotionSample.magneticAccuracyCode, Int8.self),
      try Self.row("isAtRest", \MotionSample.isAtRest, Bool.self),
      try Self.row("missing", \MotionSample.missing, UInt32.self),
      try Self.row("attitude6", \MotionSample.attitude6, Quaternion.self),
      try Self.row("attitudeCorrected", \MotionSample.attitudeCorrected, Quaternion.self),
      try Self.row("attitude9", \MotionSample.attitude9, Quaternion.self),
      try Self.row("inclinationSigma", \MotionSample.inclinationSigma, Double.self),
      try Self.row("headingSigma", \MotionSample.headingSigma, Double.self),
      try Self.row("rotationRate", \MotionSample.rotationRate, Vector3.self),
      try Self.row("gyroBias", \MotionSample.gyroBias, Vector3.self),
      try Self.row("gravity", \MotionSample.gravity, Vector3.self),
      try Self.row("userAcceleration", \MotionSample.userAcceleration, Vector3.self),
      try Self.row("magneticField", \MotionSample.magneticField, Vector3.self),
      try Self.row("pressure", \MotionSample.pressure, Double.self),
      try Self.row("temperature", \MotionSample.temperature, Double.self),
    ]
    #expect(try Self.rows("motion") == expected)
    #expect(MemoryLayout<MotionSample>.size == 264)
    let offsets = [\Quaternion.w, \.x, \.y, \.z].map { MemoryLayout<Quaternion>.offset(of: $0) }
    #expect(offsets == [0, 8, 16, 24])
    #expect([\Vector3.x, \.y, \.z].map { MemoryLayout<Vector3>.offset(of: $0) } == [0, 8, 16])
  }

  @Test func `a detection has the page's layout`() throws {
    let expected = [
      try Self.row("kind", \Detection.kind, DetectionKind.self),
      try Self.row("timestamp", \Detection.timestamp, Timestamp.self),
      try Self.row("detail", \Detection.detail, Int32.self),
      try Self.row("source", \SourcedDetection.source, Int32.self),
    ]
    #expect(MemoryLayout<SourcedDetection>.offset(of: \.detection) == 0)
    #expect(try Self.rows("detection") == expected)
    #expect(MemoryLayout<SourcedDetection>.size == 24)
  }

  // MARK: - Packets, typed by hand from the page

  static let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
  static let none = [UInt8](repeating: 0, count: 9)

  /// Returns the parts one after the other. For a long sum of literals, Swift 6.2 fails to find the
  /// type.
  static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

  @Test func `each request has the page's bytes`() throws {
    let hello: [UInt8] = Self.joined(
      [1], Array("OTOL".utf8), [2, 0], [1, 0], [3, 0], Array("abc".utf8))
    #expect(
      try ServiceRequest(hello[...]) == .hello(newest: 2, oldest: 1, program: "abc"))
    let questions: [(UInt8, ServiceQuestion)] = [
      (3, .fence), (4, .calibration), (5, .report), (6, .status), (7, .reload), (8, .forget),
    ]
    for (kind, question) in questions {
      let bytes: [UInt8] = [kind, 0x78, 0x56, 0x34, 0x12]
      #expect(try ServiceRequest(bytes[...]) == .ask(question, serial: 0x1234_5678))
      #expect(ServiceRequest.ask(question, serial: 0x1234_5678).bytes == bytes)
      #expect(throws: MalformedPacket.self) { try ServiceRequest((bytes + [0])[...]) }
      #expect(throws: MalformedPacket.self) { try ServiceRequest(bytes.dropLast()) }
    }
  }

  @Test func `questions and answers about movement have the page's bytes`() throws {
    let two: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0]
    let minusOne = [UInt8](repeating: 0xFF, count: 8)
    let questions: [([UInt8], ServiceQuestion)] = [
      ([9, 7, 0, 0, 0, 1], .movement(counts: true)),
      ([9, 7, 0, 0, 0, 0], .movement(counts: false)),
      ([10, 7, 0, 0, 0] + minusOne + two, .total(from: -1, to: 2)),
      ([11, 7, 0, 0, 0] + two + minusOne, .activities(from: 2, to: -1)),
    ]
    for (bytes, question) in questions {
      #expect(try ServiceRequest(bytes[...]) == .ask(question, serial: 7))
      #expect(ServiceRequest.ask(question, serial: 7).bytes == bytes)
    }
    var movement = Movement(timestamp: Timestamp(nanoseconds: 2))
    movement.counts.steps = 2
    (movement.counts.distance, movement.counts.activeTime) = (1, 1)
    (movement.counts.floorsAscended, movement.counts.floorsDescended) = (3, 4)
    movement.currentCadence = 1
    movement.activity = ActivityEstimate(
      timestamp: Timestamp(nanoseconds: -1), activities: [.automotive, .stationary],
      confidence: .high)
    var served = MovementSnapshot(run: 2, movement: movement)
    served.event = WalkingEvent(.resume, timestamp: Timestamp(nanoseconds: 2))
    served.total.counts = movement.counts
    (served.total.counts.floorsAscended, served.total.counts.floorsDescended) = (5, 6)
    (served.total.countedTime, served.total.hasFloors) = (.seconds(1), true)
    var bytes = Self.joined(two, two, two, Self.one, Self.one, [3, 0, 0, 0, 4, 0, 0, 0])
    bytes += Self.joined([1] + Self.one, Self.none, minusOne, [17, 2], [1, 1], two)
    bytes += Self.joined(two, Self.one, Self.one, [5, 0, 0, 0, 6, 0, 0, 0], Self.one, [1])
    #expect(
      ServiceReply.answer(.movement(served), serial: 1).bytes == [133, 1, 0, 0, 0, 5] + bytes)
    // 2026-01-01T00:00:00.5Z is 1767225600500000000 ns, which is 0x188672520BC76500.
    let activities = [
      RecordedActivity(
        start: Date(timeIntervalSince1970: 0), activities: .unknown, confidence: .low),
      RecordedActivity(
        start: Date(timeIntervalSince1970: 1_767_225_600.5), activities: [], confidence: .medium),
    ]
    let newYear: [UInt8] = [0x00, 0x65, 0xC7, 0x0B, 0x52, 0x72, 0x86, 0x18]
    #expect(
      ServiceReply.answer(.activities(activities), serial: 1).bytes
        == Self.joined(
          [133, 1, 0, 0, 0, 6, 2, 0], [0, 0, 0, 0, 0, 0, 0, 0], [32, 0], newYear, [0, 1]))
    // There are more activities than fit into a message, so that only the last ones are sent.
    let many = (0..<13_000).map {
      RecordedActivity(
        start: Date(timeIntervalSince1970: Double($0)), activities: .walking, confidence: .low)
    }
    let long = ServiceReply.answer(.activities(many), serial: 1).bytes
    guard case .answer(.activities(let read), _) = try ServiceReply(long[...]) else {
      Issue.record("no activities")
      return
    }
    #expect(long.count <= ServiceReply.mostBytes && read == many.suffix(12_000))
  }

  /// The page says which number each channel has, and where its values are in a sample.
  @Test func `a welcome says which channels are carried, and where`() throws {
    let name: [UInt8] = [2, 0] + Array("ab".utf8)
    let numbers: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7]
    let offsets: [UInt16] = [16, 40, 64, 88, 96, 104, 112, 120]
    var bytes: [UInt8] = Self.joined([129, 1, 0], name, [0x41, 0], [132, 0], [128, 0], [8])
    for (number, offset) in zip(numbers, offsets) { bytes += [number, UInt8(offset), 0] }
    bytes += Self.joined([1] + Self.one, Self.none, Self.none, Self.none, Self.none, Self.none)
    bytes += ([1] + Self.one) + Self.none
    bytes += Self.joined([1], [1, 0], name, [0x41, 0], [0x01, 0, 1])
    bytes += Self.joined([1], [1] + Self.one, Self.none, Self.none, Self.none)
    bytes += Self.joined([1] + Self.one, Self.none)
    guard case .welcome(let version, let source) = try ServiceReply(bytes[...]) else {
      Issue.record("no welcome")
      return
    }
    #expect(version == 1 && source.name == "ab" && source.isMadeUp)
    #expect(source.channels == [.acceleration, .illuminance])
    #expect(source.location?.declination == 1 && source.location?.height == 1)
    #expect(source.location?.position == nil && source.location?.seaLevelPressure == nil)
    #expect(source.rates.prefix(8) == [1, nil, nil, nil, nil, nil, 1, nil])
    #expect(
      source.chips
        == [
          .init(
            name: "ab", channels: [.acceleration, .illuminance], uses: .acceleration,
            countsSteps: true)
        ])
    // A channel that is added later comes after these.
    #expect(source.layout.fields.elementsEqual(SampleLayout.own.fields.prefix(8)))
    #expect(MemoryLayout<Sample>.offset(of: \.scalars) == 88)
    #expect(MemoryLayout<SourcedSample>.offset(of: \.source) == SampleLayout.own.sourceOffset)
    #expect(MemoryLayout<SourcedSample>.size == SampleLayout.own.size)
    #expect(ServiceReply.welcome(version: 1, source).bytes == bytes)
  }

  /// A future service carries channel 11, with three numbers, and has room for more channels.
  @Test func `what a newer service carries and this program does not know is left out`() throws {
    let name: [UInt8] = [2, 0] + Array("ab".utf8)
    var bytes: [UInt8] = Self.joined([129, 1, 0], name, [0x41, 8], [80, 0], [16, 0])
    bytes += [3, 11, 24, 0] + [6, 64, 0] + [0, 40, 0]
    bytes += Self.joined([1] + Self.one, [1] + Self.one, Self.none, [0], [0, 0])
    bytes += Self.joined([0], Self.none, Self.none, Self.none, Self.none, Self.none, Self.none)
    guard case .welcome(_, let source) = try ServiceReply(bytes[...]) else {
      Issue.record("no welcome")
      return
    }
    #expect(source.channels == [.acceleration, .illuminance])
    #expect(source.rates.prefix(8) == [nil, nil, nil, nil, nil, nil, 1, nil])
    var words = [UInt64](repeating: 0, count: 10)
    words[0] = 5
    // Three samples were lost before this one, which has the channels 0, 6 and 11.
    words[1] = 3 << 32 | 0x841
    words[2] = 7
    words[3] = 0xFFFF_FFFF_FFFF_FFFF
    for (index, value) in [0.25, -0.5, -1].enumerated() { words[5 + index] = value.bitPattern }
    words[8] = 320.0.bitPattern
    let read = source.layout.sample(words.span)
    var expected = Sample(
      timestamp: Timestamp(nanoseconds: 5), channels: [.acceleration, .illuminance])
    expected.missing = 3
    expected.acceleration = Vector3(0.25, -0.5, -1)
    expected.scalars[.illuminance] = 320
    #expect(read == SourcedSample(expected, source: 7))
  }

  @Test(arguments: [
    // The layouts are those of a sample that is too small for its values, of a value that does not
    // begin at a word, of a value in the timestamp, and of a source outside the sample.
    ([20, 0, 16, 0, 1, 0, 16, 0] as [UInt8]), [132, 0, 128, 0, 1, 3, 90, 0],
    [132, 0, 128, 0, 1, 3, 8, 0], [132, 0, 132, 0, 1, 3, 88, 0],
  ])
  func `a layout with a value that is not in the sample is malformed`(_ layout: [UInt8]) {
    let bytes: [UInt8] = Self.joined(
      [129, 1, 0, 2, 0, 97, 98, 0, 0], layout, Self.none, [0, 0, 0, 0], Self.none, Self.none,
      Self.none, Self.none, Self.none, Self.none)
    #expect(throws: MalformedPacket.self) { try ServiceReply(bytes[...]) }
  }

  @Test func `a program names what it wants by its number`() throws {
    let infinity: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF0, 0x7F]
    var demand = SampleDemand(.acceleration, at: 1)
    demand[.illuminance] = .infinity
    let zero = [UInt8](repeating: 0, count: 8)
    let want: [UInt8] = Self.joined([2, 5, 0, 0, 0], zero, [2, 0], Self.one, [6], infinity)
    #expect(try ServiceRequest(want[...]) == .ask(.want(demand), serial: 5))
    #expect(ServiceRequest.ask(.want(demand), serial: 5).bytes == want)
    // A newer program may ask for channel 11, which this service does not know.
    let newer: [UInt8] = Self.joined(
      [2, 5, 0, 0, 0], zero, [3, 0], Self.one, [11], Self.one, [6], infinity)
    #expect(try ServiceRequest(newer[...]) == .ask(.want(demand), serial: 5))
  }

  /// Channel 1, rotation rate: y is frozen, the others are good; it is not used, left good 3 times,
  /// the last time 5 ns after the start of the clock.
  @Test func `the condition of a channel has the page's bytes`() throws {
    var condition = SensorCondition()
    condition.y = .frozen
    condition.isUsed = false
    condition.count = 3
    condition.since = Timestamp(nanoseconds: 5)
    let known = ChannelCondition(.rotationRate, condition)
    let bytes: [UInt8] = [1, 0, 2, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]
    let chips = ServiceReply.chips([
      ServedChipState(.delivering, sentence: "", conditions: [known])
    ])
    #expect(chips.bytes == [131, 1, 0, 1, 0, 0, 1, 0] + bytes)
    // A newer service has state 10, and channel 11.
    let newer: [UInt8] = [1, 0, 10] + bytes.dropFirst(3)
    let other: [UInt8] = [11] + bytes.dropFirst()
    let packet: [UInt8] = [131, 1, 0, 1, 0, 0, 3, 0] + newer + bytes + other
    guard case .chips(let read) = try ServiceReply(packet[...]) else {
      Issue.record("no chips")
      return
    }
    #expect(read == [ServedChipState(.delivering, sentence: "", conditions: [known])])
    let states: [(SensorCondition.State, UInt8)] = [
      (.good, 0), (.silent, 1), (.frozen, 2), (.biased, 3), (.noisy, 4), (.clipping, 5), (.slow, 6),
      (.glitching, 7), (.implausible, 8), (.disagreeing, 9),
    ]
    #expect(states.count == SensorCondition.State.allCases.count)
    for (state, number) in states { #expect(state.rawValue == number) }
  }

  @Test func `each reply has the page's bytes`() throws {
    #expect(ServiceReply.wake.bytes == [130])
    let text: [UInt8] = [1, 0, 0x21]
    let farewells: [(UInt8, ServiceRefusal.Reason)] = [
      (0, .unavailable), (1, .denied), (2, .taken), (3, .forbidden), (4, .full), (5, .version),
      (6, .malformed), (7, .ending),
    ]
    for (number, reason) in farewells {
      let refusal = ServiceRefusal(reason, "!")
      #expect(ServiceReply.farewell(refusal).bytes == [132, number] + text)
      #expect(
        ServiceReply.answer(.refused(refusal), serial: 1).bytes
          == [133, 1, 0, 0, 0, 1, number] + text)
    }
    #expect(ServiceReply.answer(.done, serial: 1).bytes == [133, 1, 0, 0, 0, 0])
    #expect(
      ServiceReply.answer(.status(Array("{}".utf8)), serial: 1).bytes
        == [133, 1, 0, 0, 0, 4, 0x7B, 0x7D])
    let errors: [(ChipError, [UInt8])] = [
      (.bus(.noAcknowledge, register: 0x3B), [0, 0x3B, 0, 0, 0, 0, 0, 0]),
      (.bus(.arbitrationLost, register: 1), [1, 1, 0, 0, 0, 0, 0, 0]),
      (.bus(.timeout, register: 1), [2, 1, 0, 0, 0, 0, 0, 0]),
      (.bus(.adapterGone, register: 1), [3, 1, 0, 0, 0, 0, 0, 0]),
      (.bus(.unsupported, register: 1), [4, 1, 0, 0, 0, 0, 0, 0]),
      (.bus(.tooLong(limit: 8192), register: 1), [5, 1, 0, 0, 0, 0x20, 0, 0]),
      (.bus(.busy, register: 1), [6, 1, 0, 0, 0, 0, 0, 0]),
      (.bus(.system(errno: -2), register: 1), [7, 1, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF]),
      (.identity(found: 2, register: 1), [8, 1, 2, 0, 0, 0, 0, 0]),
      (.resetTimedOut, [9, 0, 0, 0, 0, 0, 0, 0]),
      (.rejected(register: 1, wrote: 2, readBack: 3), [10, 1, 2, 3, 0, 0, 0, 0]),
      (.unexpected(register: 1, wanted: 2, found: 3), [14, 1, 2, 3, 0, 0, 0, 0]),
      (.unsupportedSetting, [11, 0, 0, 0, 0, 0, 0, 0]),
      (
        .rejectedWord(FlatAddress(bank: 2, 1), wrote: 0x0304, readBack: 0xF506),
        [12, 1, 2, 0, 0x04, 0x03, 0x06, 0xF5]
      ),
      (.firmware, [13, 0, 0, 0, 0, 0, 0, 0]),
    ]
    for (error, bytes) in errors {
      let chips = ServiceReply.chips([ServedChipState(.failed(error), sentence: "!")])
      #expect(chips.bytes == [131, 1, 0, 2] + bytes + text + [0, 0])
    }
    let failed = ChipState.failed(.identity(found: 0x70, register: 0x75))
    #expect(
      ServiceReply.chips([
        ServedChipState(.delivering, sentence: ""), ServedChipState(failed, sentence: "!"),
      ]).bytes
        == [131, 2, 0, 1, 0, 0, 0, 0, 2, 8, 0x75, 0x70, 0, 0, 0, 0, 0] + text + [0, 0])
    // The chip has the name `!` and the part number `!`, and delivers; its counts are 1 to 9, and
    // its rate is 1 Hz.
    var report: [UInt8] = Self.joined([133, 9, 0, 0, 0, 3, 1, 0], text, text, [1])
    for count: UInt8 in 1...9 { report += [count, 0, 0, 0, 0, 0, 0, 0] }
    report += Self.one
    guard
      case .answer(.report(let chips), serial: 9) = try ServiceReply(report[...]),
      let chip = chips.first
    else {
      Issue.record("no report")
      return
    }
    let health = chip.health
    #expect(chip.name == "!" && chip.chip == "!" && chip.state == .delivering)
    #expect(
      [
        health.received, health.missing, health.busErrors, health.overflows,
        health.missedInterrupts, health.misconfigurations, health.restarts, chip.late,
        chip.rateChanges,
      ] == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(chip.rate == 1)
    // After its kind, the answer has 20 numbers of 64 bits and then three bytes.
    let calibration = [UInt8](repeating: 0, count: 20 * 8) + [2, 0xFF, 1]
    guard
      case .answer(.calibration(let state), serial: 1) = try ServiceReply(
        ([133, 1, 0, 0, 0, 2] + calibration)[...])
    else {
      Issue.record("no calibration")
      return
    }
    #expect(
      state.magnetic.level == .full && state.magneticAccuracy == .uncalibrated && state.isAtRest)
  }
}
