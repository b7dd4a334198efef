// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import MotionViews
import Quantities
import Recognition
import ShippedFiles
import Testing
import Text

/// The texts of a scene, checked against /openapi.json.
@Suite struct PageTextTests {
  static func scene() -> MonitorScene {
    var chip = MonitorScene.Chip(name: "imu \"one\"", kind: "invensense,mpu6050")
    chip.state = .failed("no answer\nat 0x68")
    chip.lost = 3
    var other = MonitorScene.Chip(name: "baro", kind: "bosch,bmp280", configuredRate: 25)
    (other.state, other.measuredRate) = (.silent(seconds: 4.4), 24.99)
    var scene = MonitorScene(
      board: "bench", reason: "requested", channels: .all, frame: "x-arbitrary-z-vertical",
      isNorth: false, chips: [chip, other])
    var motion = MotionSample(timestamp: Timestamp(seconds: 12.5))
    motion.contents = [
      .attitude, .heading, .rotationRate, .magneticField, .pressure, .temperature,
    ]
    motion.gravity = Vector3(0, 0, -1)
    motion.rotationRate = Vector3(0.25, 0, -0.000_001)
    motion.pressure = 101.325
    motion.temperature = 21.5
    scene.motion = motion
    scene.attitude = .identity
    scene.age = 0.01...0.02
    scene.relativeAltitude = -0.5
    scene.readings = [.humidity: 40, .illuminance: 300, .proximity: .nan]
    scene.calibration = MonitorScene.Calibration(
      gyroBiasSigma: 0.001, magnetic: .hardIron, coverage: 0.5)
    var movement = Movement()
    movement.counts.steps = 7
    movement.activity.activities = .walking
    scene.movement = movement
    scene.faults = [
      MonitorScene.SensorFault(
        name: "gyroscopeHung", sensor: "gyroscope", chip: "baro", isPresent: true, seconds: 2.04,
        count: 1, text: "stuck"),
      MonitorScene.SensorFault(
        name: "gyroscopeSilent", sensor: "gyroscope", chip: "baro", isPresent: false, seconds: 0,
        count: 0, text: "silent"),
    ]
    scene.coastingSeconds = 2.5
    scene.origin = .simulated
    // 2026-11-29 01:14:20.5 UTC, from date(1).
    scene.events = [
      MonitorScene.Event(
        .chip, "baro: </script>", style: .bad, at: Date(timeIntervalSince1970: 1_795_914_860.5))
    ]
    return scene
  }

  @Test func `a motion is said in degrees, g and rad/s, and what is no number as null`() {
    let text = PageText.motion(Self.scene(), number: 9).description
    #expect(
      text
        == #"{"type":"frame","number":9,"timestamp":12.5,"age":0.01,"attitude":[1,0,0,0],"#
        + #""roll":0,"pitch":0,"yaw":0,"gravity":[0,0,-1],"userAcceleration":[0,0,0],"#
        + #""inclinationSigma":180,"rotationRate":[0.25,0,0],"magneticField":[0,0,0],"#
        + #""heading":270,"headingSigma":180,"pressure":101.325,"temperature":21.5,"#
        + #""humidity":40,"illuminance":300,"proximity":null,"relativeAltitude":-0.5,"#
        + #""isAtRest":false,"isCoasting":false}"#)
  }

  /// There is a gyroscope, but the motion has no rotation rate.
  @Test func `an attitude without rotation rates is said to coast`() {
    var scene = Self.scene()
    scene.motion?.contents.remove(.rotationRate)
    #expect(PageText.motion(scene).description.contains(#""isCoasting":true"#))
    #expect(PageText.state(scene).description.contains(#""isCoasting":true"#))
    scene.channels.remove(.rotationRate)
    #expect(PageText.motion(scene).description.contains(#""isCoasting":false"#))
  }

  @Test func `texts are escaped, whatever board files and chips say`() throws {
    let text = PageText.state(Self.scene()).description
    #expect(!text.contains("<") && !text.contains("\n"))
    let read = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let chips = try #require(read["chips"] as? [[String: Any]])
    #expect(chips[0]["name"] as? String == "imu \"one\"")
    #expect(chips[0]["message"] as? String == "no answer\nat 0x68")
    let events = try #require(read["events"] as? [[String: Any]])
    #expect(events[0]["text"] as? String == "baro: </script>")
  }

  /// All values are words that a program can compare, or times that it can parse; only `message`,
  /// `text` and `notes` are sentences.
  @Test func `a state is said in enumerated words, with dated times`() {
    let text = PageText.state(Self.scene(), at: Date(timeIntervalSince1970: 1_795_914_861.25))
    #expect(
      text.description
        == #"{"time":"2026-11-29T01:14:21.250Z","origin":"simulated","silence":null,"chips":["#
        + #"{"name":"imu \"one\"","kind":"invensense,mpu6050","state":"failed","silence":null,"#
        + #""message":"no answer\nat 0x68","measuredHz":null,"configuredHz":null,"lost":3,"late":0,"#
        + #""clipped":0,"busErrors":0,"restarts":0,"notes":[]},"#
        + #"{"name":"baro","kind":"bosch,bmp280","state":"silent","silence":4.4,"message":null,"#
        + #""measuredHz":24.99,"configuredHz":25,"lost":0,"late":0,"clipped":0,"busErrors":0,"restarts":0,"#
        + #""notes":[]}],"isCoasting":false,"faults":[{"name":"gyroscopeHung","sensor":"gyroscope","#
        + #""chip":"baro","isPresent":true,"seconds":2,"count":1,"text":"stuck"}],"calibration":{"gyroBiasSigma":0.001,"gyroScale":null,"#
        + #""magnetic":"hardIron","coverage":0.5},"movement":{"steps":7,"cadence":null,"#
        + #""activities":["walking"],"floorsAscended":null,"floorsDescended":null},"events":["#
        + #"{"time":"2026-11-29T01:14:20.500Z","kind":"chip","level":"error","#
        + #""text":"baro: \u003c/script>"}]}"#)
  }

  @Test func `a chip that a task has in its hands is not said to be silent or failed`() {
    var scene = Self.scene()
    scene.silence = 7
    func states(_ part: PageText.TaskPart) -> [String] {
      PageText.state(scene, task: part).description
        .matches(of: /"state":"([a-z]+)"/).map { String($0.1) }
    }
    #expect(states(.none) == ["failed", "silent"])
    #expect(states(.underWay) == ["task", "task"])
    // After a task, a chip may have failed; others are starting.
    #expect(states(.over) == ["failed", "starting"])
    #expect(PageText.state(scene).description.contains(#""silence":7,"#))
    #expect(!PageText.state(scene, task: .underWay).description.contains(#""silence":7,"#))
  }

  @Test func `a recording has its position, and scripts learn where values are from`() {
    var scene = Self.scene()
    #expect(
      PageText.motion(scene).description.hasPrefix(#"{"origin":"simulated","timestamp":12.5,"#))
    (scene.origin, scene.playback) = (.recording, .init(position: 12.25, length: 60))
    #expect(
      PageText.motion(scene).description.hasPrefix(
        #"{"origin":"recording","position":12.25,"length":60,"timestamp":12.5,"#))
    #expect(
      PageText.motion(scene, number: 4).description.hasPrefix(
        #"{"type":"frame","number":4,"position":12.25,"length":60,"#))
  }

  /// The words that the server uses are typed here, so that a new one must be described.
  @Test func `openapi_json lists each word of an enumeration`() throws {
    let file = try #require(PageFile.at("/openapi.json"))
    let text = String(decoding: file.bytes, as: UTF8.self)
    func listed(_ words: [String]) -> Bool {
      text.contains(#""enum": [\#(words.map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }
    #expect(listed(MonitorScene.Origin.allCases.map(\.rawValue)))
    #expect(listed(ActivitySet(rawValue: .max).names))
    #expect(listed(MonitorScene.Event.Kind.allCases.map(\.rawValue)))
    #expect(listed(Channel.allCases.map { "\($0.row.name)" }))
    #expect(listed(["unknown", "hardIron", "full"]))
    #expect(listed(["info", "good", "warning", "error"]))
    #expect(listed(["starting", "delivering", "silent", "failed", "task"]))
  }

  @Test func `openapi_json describes each answer`() throws {
    let file = try #require(PageFile.at("/openapi.json"))
    let description = try JSONSerialization.jsonObject(with: Data(file.bytes))
    let schemas = try Schemas(description)
    let source = PageText.source(
      Self.scene(), [PageText.Choice(id: "first", label: "bench", kind: "board")],
      current: "first")
    var bare = MonitorScene(
      board: "b", reason: "r", channels: [], frame: "f", isNorth: true, chips: [])
    bare.silence = 3
    for (name, value) in [
      ("Motion", PageText.motion(Self.scene())), ("State", PageText.state(Self.scene())),
      ("Source", source), ("Motion", PageText.motion(bare)), ("State", PageText.state(bare)),
      ("Tasks", PageText.task(nil, offers: [], obstacle: "a recording")),
      ("Tasks", PageText.task(TaskSceneTests.full, offers: TaskSceneTests.offers, obstacle: nil)),
    ] {
      let read = try JSONSerialization.jsonObject(with: Data(value.bytes))
      #expect(schemas.mistakes(in: read, of: name) == [], "\(name)")
    }
    // Tests the check itself: an undescribed key, a missing key, a text in place of a number.
    #expect(!schemas.mistakes(in: ["timestamp": 1, "speed": 2], of: "Motion").isEmpty)
    #expect(!schemas.mistakes(in: [String: Any](), of: "Motion").isEmpty)
    #expect(!schemas.mistakes(in: ["timestamp": "now"], of: "Motion").isEmpty)
  }
}

/// The part of JSON Schema that /openapi.json uses.
struct Schemas {
  private let all: [String: [String: Any]]

  init(_ description: Any) throws {
    let top = try #require(description as? [String: Any])
    let components = try #require(top["components"] as? [String: Any])
    all = try #require(components["schemas"] as? [String: [String: Any]])
  }

  func mistakes(in value: Any, of name: String) -> [String] {
    all[name].map { mistakes(value, $0, name) } ?? ["no schema \(name)"]
  }

  private func mistakes(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      let name = String(reference.split(separator: "/").last ?? "")
      return all[name].map { mistakes(value, $0, place) } ?? ["\(place): no schema \(name)"]
    }
    if let any = schema["anyOf"] as? [[String: Any]] {
      return any.contains { mistakes(value, $0, place).isEmpty } ? [] : ["\(place): none fits"]
    }
    if let list = schema["enum"] as? [String] {
      return (value as? String).map(list.contains) == true ? [] : ["\(place): \(value)"]
    }
    let types = (schema["type"] as? [String]) ?? [schema["type"] as? String ?? "?"]
    guard types.contains(where: { fits(value, $0) }) else { return ["\(place): no \(types)"] }
    var found: [String] = []
    if let items = value as? [Any] {
      if let least = schema["minItems"] as? Int, items.count < least {
        found.append("\(place): few")
      }
      if let most = schema["maxItems"] as? Int, items.count > most {
        found.append("\(place): many")
      }
      for item in items { found += mistakes(item, schema["items"] as? [String: Any] ?? [:], place) }
    }
    if let members = value as? [String: Any] {
      let known = schema["properties"] as? [String: [String: Any]] ?? [:]
      for name in schema["required"] as? [String] ?? [] where members[name] == nil {
        found.append("\(place): \(name) is missing")
      }
      for (name, member) in members {
        guard let schema = known[name] else {
          found.append("\(place).\(name) is not described")
          continue
        }
        found += mistakes(member, schema, "\(place).\(name)")
      }
    }
    return found
  }

  private func fits(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": value is Bool
    case "number": value is NSNumber
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "null": value is NSNull
    default: false
    }
  }
}
