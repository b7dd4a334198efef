// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Light and proximity, with a chip and without, from a simulated board to the output of every
/// command.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SensesTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(
      """
      otolith-board: 1
      name: Room
      buses: { bus: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, interrupt: simulated, rate-hz: 50 }
      simulation: { motion: still, noise: false, senses: { illuminance-hz: 50, proximity-hz: 50 } }

      """, to: "room.yaml")
  }

  /// Expects a lamp that is lit for the first ten seconds, and a hand that is far away.
  private func check(_ rows: [[String: String]]) throws {
    let last = try #require(rows.last)
    #expect(last["illuminance"] == "320.0" && last["pressure"] == "")
    let near = try #require(last["proximity"].flatMap(Double.init))
    #expect(near > 0 && near < 0.5)
  }

  @Test func `senses are shown live, and through the service`() throws {
    let header = ReplayTests.header + ",illuminance,proximity"
    let ending = try Tool.run(
      "run", "--board", "room.yaml", "--duration", "0.5", "--format", "csv", in: scratch)
    #expect(ending.status == 0 && ending.lines.first == header, "\(ending.errors)")
    try check(ReplayTests.rows(ending.output))
    let service = try RunningService("--board", "room.yaml", in: scratch)
    let served = try Tool.run(
      "run", "--duration", "0.5", "--format", "csv", in: scratch,
      environment: ["OTOLITH_SOCKET": service.socket])
    #expect(served.status == 0 && served.lines.first == header, "\(served.errors)")
    try check(ReplayTests.rows(served.output))
    let table = try Tool.run(
      "run", "--duration", "0.5", in: scratch, environment: ["OTOLITH_SOCKET": service.socket])
    #expect(table.output.contains(/illuminance +320\.0 lx/), "\(table.output)")
    let picture = try Tool.run(
      "monitor", "--duration", "1", "--snapshot", "120x30", in: scratch,
      environment: ["OTOLITH_SOCKET": service.socket])
    #expect(picture.output.contains(/illuminance +320\.0 lx/), "\(picture.output)\(picture.errors)")
    #expect(picture.output.contains(#/senses .* 50 /#), "\(picture.output)")
  }

  /// Without motion, each of its samples is a row.
  @Test func `a chip for senses may be alone on its board`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: Lamp
      buses: { bus: { simulated: i2c } }
      chips: { light: { chip: "vishay,vcnl4040", on: bus, address: 0x60, rate-hz: 10 } }
      simulation: { motion: still, noise: false }

      """, to: "lamp.yaml")
    let board = ["--board", "lamp.yaml"]
    let live = try Tool.run(
      ["run", "--duration", "0.45", "--format", "csv", "--hold", "illuminance=12.5;proximity=0.2"]
        + board, in: scratch)
    #expect(live.status == 0, "\(live.errors)")
    let rows = try ReplayTests.rows(live.output)
    #expect((4...5).contains(rows.count))
    // 125 counts of 0.1 lx, and 13,107 of 65,535.
    #expect(rows.allSatisfy { $0["illuminance"] == "12.5" && $0["proximity"] == "0.2" })
    #expect(rows.allSatisfy { $0["attitude.w"] == "" && $0["gravity.z"] == "" })
    let table = try Tool.run(["run", "--duration", "0.2"] + board, in: scratch)
    #expect(table.output.contains(/illuminance +320\.0 lx/), "\(table.output)\(table.errors)")
    let report = try Tool.run(["bringup"] + board, in: scratch)
    #expect(report.status == 0)
    #expect(report.output.contains("light sensor 0.00 lx"), "\(report.output)\(report.errors)")
  }

  /// One row has no light yet: an empty cell in CSV, no key in JSON.
  @Test func `a recording of them is replayed`() throws {
    var text = "timestamp,acceleration.x,acceleration.y,acceleration.z,illuminance,proximity\n"
    text += "0,0,0,-1,,\n0.1,0,0,-1,12.5,\n0.2,0,0,-1,,0.75\n"
    try scratch.write(text, to: "light.csv")
    let ending = try Tool.run("replay", "light.csv", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let rows = try ReplayTests.rows(ending.output)
    #expect(rows.map { $0["illuminance"] } == ["", "12.5", "12.5"])
    #expect(rows.map { $0["proximity"] } == ["", "", "0.75"])
    let json = try Tool.run("replay", "light.csv", "--format", "jsonl", in: scratch)
    #expect(json.lines.map { $0.contains("illuminance") } == [false, true, true])
    #expect(json.lines.last?.hasSuffix(#""illuminance":12.5,"proximity":0.75}"#) ?? false)
  }

  /// A light sensor that alternates between 100 and 102 lx has a deviation of 1 lx.
  @Test func `the noise of a recording of them is printed`() throws {
    var text = "timestamp,illuminance,proximity\n"
    for row in 0..<400 { text += "\(Double(row) / 10),\(100 + 2 * (row % 2)),0.5\n" }
    try scratch.write(text, to: "light.csv")
    let ending = try Tool.run(
      "noise", "--recording", "light.csv", "--json", "--svg", "light.svg", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    for text in [
      #""light sensor""#, "\"meanLx\"", "\"standardDeviationLx\"", #""proximity sensor""#,
    ] {
      #expect(ending.output.contains(text), "\(text)\n\(ending.output)")
    }
    #expect(try scratch.text("light.svg").contains("light sensor"))
  }
}
