// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Light and nearness, which no chip measures yet, from a simulated board to what every command makes of them.
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

  /// The lamp is lit for the first ten seconds, and the hand is still far.
  private func check(_ rows: [[String: String]]) throws {
    let last = try #require(rows.last)
    #expect(last["illuminance"] == "320.0" && last["pressure"] == "")
    let near = try #require(last["proximity"].flatMap(Double.init))
    #expect(near > 0 && near < 0.5)
  }

  @Test func `live, and through the service`() throws {
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

  /// In the dark one row has no light yet: an empty cell in CSV, no key in JSON.
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

  /// A light sensor that says 100 and 102 lx in turn: deviation 1 lx.
  @Test func `the noise of a recording of them is told`() throws {
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
