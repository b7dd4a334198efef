// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith steps` and `otolith activity`: what they print, and where they count from.
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

  @Test func `the activity of a still board is told, its history kept apart`() throws {
    let ending = try run("activity", "--board", "still.yaml", "--duration", "1.5", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    let line = try #require(ending.lines.first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(object?["activities"] as? [String] == ["unknown"])
    #expect(object?["confidence"] as? String == "low")
    // What was counted is kept, apart from what people did.
    let folder = scratch.path + "/state/otolith"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["movement-simulated"])
  }

  /// What holds since before is said once.
  @Test func activityGoesOn() throws {
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
    #expect(object?["floorsAscended"] == nil, "it has no barometer")
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
