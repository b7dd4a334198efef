// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith steps` and `otolith activity`: their output, and where they count from.
@Suite(.serialized, .timeLimit(.minutes(2))) struct MovementCommandTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func run(_ arguments: String...) throws -> Tool.Ending {
    let board = try String(contentsOfFile: LiveTests.board, encoding: .utf8)
      .replacing("motion: sway", with: "motion: still")
    try scratch.write(board, to: "still.yaml")
    return try Tool.shell(
      "XDG_STATE_HOME=\(scratch.path)/state exec $OTOLITH \(arguments.joined(separator: " "))",
      in: scratch)
  }

  @Test func `the activity of a still board is printed, and its history kept apart`() throws {
    let ending = try run("activity", "--board", "still.yaml", "--duration", "1.5", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    let line = try #require(ending.lines.first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(object?["activities"] as? [String] == ["unknown"])
    #expect(object?["confidence"] as? String == "low")
    // The counts are stored, apart from real movement.
    let folder = scratch.path + "/state/otolith"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["movement-simulated"])
  }

  /// An activity that began earlier is printed once.
  @Test func `an activity that began earlier is printed once`() throws {
    let ending = try run(
      "activity", "--board", "still.yaml", "--duration", "1.5", "--from", "today", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.lines.count { $0.contains("unknown") } == 1, "\(ending.lines)")
  }

  @Test func `steps since today are counted as JSON`() throws {
    let ending = try run(
      "steps", "--board", "still.yaml", "--duration", "0.5", "--from", "today", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    let line = try #require(ending.lines.first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(object?["steps"] as? Int == 0 && object?["distance"] as? Double == 0)
    #expect(object?["floorsAscended"] as? Int == 0 && object?["floorsDescended"] as? Int == 0)
  }

  /// The simulated person stands for 20 s and walks for 20 s, with 1.8 steps per second except for
  /// 1.5 s at each end; up stairs of 3.1 m in the first walk, down in the second.
  @Test func `the simulated board's owner walks up a floor and down again`() throws {
    let record = try Tool.run(
      "record", "--board", "simulated", "--duration", "84", "--instant", "-o", "r.csv", in: scratch)
    #expect(record.status == 0, "\(record.errors)")
    let replay = try Tool.run("replay", "r.csv", in: scratch)
    #expect(replay.status == 0, "\(replay.errors)")
    var rows = replay.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let header = rows.removeFirst()
    func column(_ name: String) throws -> [Substring] {
      let index = try #require(header.firstIndex { $0 == name })
      return rows.map { $0[index] }
    }
    let times = try column("timestamp").compactMap(Double.init)
    #expect(times.count == rows.count && times.count > 8000)
    let activities = try column("activity")
    let first = try #require(activities.firstIndex(of: "walking"))
    let stop = try #require(activities[first...].firstIndex { $0 != "walking" })
    // The recording begins about a second after the board, because chips need time to start.
    #expect((6.0...9).contains(times[first] - 21), "known \(times[first] - 21) s into the walk")
    #expect((40.0...52).contains(times[stop]), "over at \(times[stop]) s")
    #expect(activities[stop...].contains("walking"))
    // An unrecognised activity has confidence 0.
    let confidences = try column("activityConfidence")
    let isSure = zip(activities, confidences).contains { $0.isEmpty && $1 != "0" }
    #expect(activities.contains("") && !isSure)
    let steps = try column("numberOfSteps").compactMap { Int($0) }
    let (walked, all) = (steps[stop], try #require(steps.last))
    #expect((30...36).contains(walked) && (60...72).contains(all), "\(walked), then \(all) steps")
    let ascended = try column("floorsAscended")
    let descended = try column("floorsDescended")
    #expect(ascended[stop] == "1" && descended[stop] == "0")
    #expect(ascended.last == "1" && descended.last == "1")
    let altitudes = try column("relativeAltitude").map { Double($0) ?? 0 }
    let last = try #require(altitudes.last)
    #expect(abs(altitudes[stop] - 3.1) < 0.3 && abs(last) < 0.3)
  }

  @Test func `bad dates and a board without accelerometer are refused`() throws {
    #expect(try run("steps", "--from", "yesterdayish").status == 64)
    #expect(try run("steps", "--duration", "-1").status == 64)
    try scratch.write(
      """
      otolith-board: 1
      name: Compass
      buses: { bus: { simulated: i2c } }
      chips: { compass: { chip: "st,lis3mdl", on: bus, address: 0x1C, rate-hz: 80 } }
      simulation: { motion: still, noise: false }

      """, to: "compass.yaml")
    let ending = try run("steps", "--board", "compass.yaml", "--duration", "1")
    #expect(ending.status == 78)
    #expect(
      ending.errorLines.last
        == "Compass has no accelerometer: add one to the board file, or choose another board")
  }
}
