// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Boards
import Fusion
import Quantities
import Recognition
import Registers
import Runtime
import Sensors
import ServedSources
import Service
import Testing

/// Tests of the messages: what was written is read back the same, and no sequence of bytes does any
/// harm.
@Suite(.timeLimit(.minutes(10))) struct ProtocolFuzzTests {
  // MARK: One of every kind

  static let requests: [ServiceRequest] = {
    var demand = SampleDemand([.acceleration, .pressure], at: 12.5, motion: 100)
    demand[.magneticField] = .infinity
    return [
      .hello(newest: 7, oldest: 1, program: "dashboard"),
      .hello(newest: .max, oldest: 0, program: "Zähler 7 ✓"),
      .hello(newest: 1, oldest: 1, program: ""),
      .ask(.want(demand), serial: 0), .ask(.want(.everything), serial: 1),
      .ask(.want(.nothing), serial: .max), .ask(.fence, serial: 3), .ask(.calibration, serial: 4),
      .ask(.report, serial: 5), .ask(.status, serial: 6), .ask(.reload, serial: 7),
      .ask(.forget, serial: 8), .ask(.movement(counts: true), serial: 9),
      .ask(.movement(counts: false), serial: 10),
      .ask(.total(from: .min, to: .max), serial: 11),
      .ask(.activities(from: 1, to: 2), serial: 12),
    ]
  }()

  static let errors: [ChipError] = [
    .bus(.noAcknowledge, register: 0x3B), .bus(.arbitrationLost, register: 0),
    .bus(.timeout, register: 0xFF), .bus(.adapterGone, register: 1),
    .bus(.unsupported, register: 2),
    .bus(.tooLong(limit: 8192), register: 3), .bus(.busy, register: 4),
    .bus(.system(errno: 121), register: 5), .identity(found: 0x70, register: 0x75),
    .resetTimedOut, .rejected(register: 0x6B, wrote: 0x80, readBack: 0x40), .unsupportedSetting,
    .firmware, .unexpected(register: 0x1E, wanted: 0x01, found: 0xFF),
    .rejectedWord(FlatAddress(bank: 7, 0x01), wrote: 0xFFFF, readBack: 0x8000),
  ]

  static func replies() throws -> [ServiceReply] {
    var calibration = MotionPipeline(chips: [.acceleration]).calibration
    calibration.gyroBias = Vector3(0.5, -0.25, 1e-9)
    // These values are not part of the message.
    (calibration.gyroscopeMatrix, calibration.magneticDelay) = (nil, nil)
    calibration.magnetic.hardIron = Vector3(10, -20, 30)
    calibration.magneticAccuracy = .uncalibrated
    var health = Health()
    (health.received, health.missing, health.restarts) = (.max, 3, 9)
    let states = [ChipState.starting, .delivering] + errors.map { ChipState.failed($0) }
    var reports: [ServiceAnswer] = []
    for state in states {
      reports.append(
        .report([
          ChipReport(
            name: "imu", chip: "invensense,mpu6050", state: state, health: health, late: 4,
            rate: 104.5, rateChanges: 5)
        ]))
    }
    let place = Location(
      declination: -0.1, position: try GeodeticPosition(latitude: 47, longitude: 8, height: 400),
      height: 408, seaLevelPressure: 101.3)
    let status = ServiceStatus(
      socket: "/run/otolith/otolith.sock", group: "otolith", uptime: 1.5, board: "b", process: 7,
      user: 3)
    let sources = [
      ServedSource(ScriptedSource(name: "skript ✓", location: place)),
      ServedSource(ScriptedSource(.acceleration)), ServedSource(ScriptedSource([])),
    ]
    var movement = MovementSnapshot(
      run: .max, movement: Movement(timestamp: Timestamp(seconds: 5)))
    movement.event = WalkingEvent(.resume, timestamp: Timestamp(seconds: 4))
    (movement.movement.counts.steps, movement.movement.currentPace) = (12, 0.7)
    movement.movement.activity.activities = [.automotive, .stationary]
    var quiet = movement
    quiet.event = nil
    var total = quiet
    total.total.counts = quiet.movement.counts
    (total.total.countedTime, total.total.hasFloors) = (.seconds(60), true)
    (total.total.counts.floorsAscended, total.total.counts.floorsDescended) = (2, 1)
    let activity = RecordedActivity(
      start: Date(timeIntervalSince1970: -1), activities: [.walking], confidence: .high)
    let answers: [ServiceAnswer] =
      [
        .movement(movement), .movement(quiet), .movement(total), .activities([]),
        .activities([activity, activity]),
      ] + [.done, .calibration(calibration), .report([]), .status(status.json), .status([])]
      + reports
      + ServiceRefusal.Reason.allCases.map { .refused(ServiceRefusal($0, "because: \($0)")) }
    return sources.map { .welcome(version: 1, $0) } + [.wake]
      + [.chips(states.map { ServedChipState($0, sentence: "s") }), .chips([])]
      + ServiceRefusal.Reason.allCases.map { .farewell(ServiceRefusal($0, "")) }
      + answers.enumerated().map { .answer($1, serial: UInt32($0)) }
  }

  // MARK: There and back

  @Test func `requests are read back as they were written`() throws {
    for request in Self.requests {
      let bytes = request.bytes
      #expect(try ServiceRequest(bytes[...]) == request)
      #expect(bytes.count <= ServiceRequest.mostBytes)
      // A request is also read from the middle of a buffer.
      let padded = [9, 9, 9] + bytes + [9]
      #expect(try ServiceRequest(padded[3..<(3 + bytes.count)]) == request)
    }
  }

  /// The bytes were written by hand from docs/service.md, little-endian. A greeting has its kind,
  /// the magic `OTOL`, the versions, and the length and text of the name; a question has its kind
  /// and serial.
  @Test func `requests are the bytes written by hand`() throws {
    #expect(
      Self.requests[0].bytes
        == [1, 0x4F, 0x54, 0x4F, 0x4C, 7, 0, 1, 0, 9, 0] + Array("dashboard".utf8))
    #expect(Self.requests[6].bytes == [3, 3, 0, 0, 0])
    // 1.0 is 3FF0000000000000 (IEEE 754). Motion comes first, then one channel, number 0.
    let demand = SampleDemand(.acceleration, at: 1, motion: 1)
    let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    #expect(
      ServiceRequest.ask(.want(demand), serial: 256).bytes
        == WireFormatTests.joined([2, 0, 1, 0, 0], one, [1, 0], one))
  }

  @Test func `replies are read back as they were written`() throws {
    for reply in try Self.replies() {
      let bytes = reply.bytes
      #expect(bytes.count <= ServiceReply.mostBytes)
      let again = try ServiceReply(bytes[...])
      // `ChipReport` has no `==`, so that the replies are compared as text, which holds everything
      // in them.
      #expect("\(again)" == "\(reply)" && again.bytes == bytes)
    }
  }

  /// No beginning of a message is a message, except where the rest of it is free text.
  @Test func `a message cut short is refused`() throws {
    for bytes in Self.requests.map(\.bytes) {
      for count in 0..<bytes.count {
        #expect(throws: MalformedPacket.self) { try ServiceRequest(bytes[..<count]) }
      }
      #expect(throws: MalformedPacket.self) { try ServiceRequest((bytes + [0])[...]) }
    }
    for reply in try Self.replies() {
      if case .answer(.status, _) = reply { continue }
      let bytes = reply.bytes
      for count in 0..<bytes.count {
        #expect(throws: MalformedPacket.self) { try ServiceReply(bytes[..<count]) }
      }
    }
  }

  /// A name that is too long is cut between two characters, whichever of a character's bytes the
  /// limit falls on.
  @Test func `a name that is too long is cut between two characters`() throws {
    for (character, bytes) in [("a", 1), ("é", 2), ("✓", 3), ("🧭", 4)] {
      for before in 0..<4 {
        let name = String(repeating: "x", count: before) + String(repeating: character, count: 300)
        let request = ServiceRequest.hello(newest: 1, oldest: 1, program: name)
        guard case .hello(_, _, let read) = try ServiceRequest(request.bytes[...]) else {
          Issue.record("no greeting")
          continue
        }
        #expect(name.hasPrefix(read))
        #expect(read.utf8.count == before + (256 - before) / bytes * bytes)
      }
    }
  }

  // MARK: Bytes of all sorts

  /// Packets of all kinds are refused, or read as a message that is the same when it is written and
  /// read again.
  @Test func `a million packets are refused or say the same again`() throws {
    var random = Garbage(seed: 7)
    let requests = Self.requests.map(\.bytes)
    let replies = try Self.replies().map(\.bytes)
    var understood = 0
    for _ in 0..<600_000 {
      let bytes = random.packet(like: requests, most: 200)
      do throws(MalformedPacket) {
        let request = try ServiceRequest(bytes[...])
        understood += 1
        let again = try ServiceRequest(request.bytes[...])
        if again != request { Issue.record("\(bytes) is \(request), and then \(again)") }
      } catch {}
    }
    // Enough packets are understood: random noise alone would be refused at its first byte.
    #expect((10_000..<590_000).contains(understood), "\(understood)")
    understood = 0
    for _ in 0..<400_000 {
      let bytes = random.packet(like: replies, most: 300)
      do throws(MalformedPacket) {
        let once = try ServiceReply(bytes[...]).bytes
        understood += 1
        let twice = try ServiceReply(once[...]).bytes
        if once != twice { Issue.record("\(bytes) is \(once), and then \(twice)") }
      } catch {}
    }
    #expect((10_000..<390_000).contains(understood), "\(understood)")
  }
}
