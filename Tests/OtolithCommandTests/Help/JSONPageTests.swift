// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The page on JSON output compared with the commands' output for the simulated board.
@Suite(.serialized, .timeLimit(.minutes(2))) struct JSONPageTests {
  @Test(arguments: [
    "buses", "scan -b", "detect", "selftest", "fifo -d 1", "interrupt -d 1 --chip imu",
    "bus-errors --count 200", "noise -d 4", "boards list", "boards check", "boards wiring",
    "bringup -d 0.5 --no-report", "trace play", "trace show", "steps -d 0.5",
    "registers write --chip imu gyroConfig=0x18 -b", "calibrate gyroscope -d 3 --dry-run",
  ])
  func `every key that is printed is on the page`(_ line: String) throws {
    let folder = try Scratch()
    var board = "simulated"
    if line.hasPrefix("trace") {
      board = "a.trace"
      let record = try Tool.run(
        "trace", "record", "simulated", "-d", "0.3", "-o", board, in: folder)
      #expect(record.status == 0)
    } else if line == "boards list" {
      board = Tool.root + "boards"
    } else if line == "boards wiring" {
      board = "raspberry-pi-gy521"
    } else if line.hasPrefix("calibrate") {
      board = "raspberry-pi-gy521 --simulate"
    }
    let ending = try Tool.shell("\"$OTOLITH\" \(line) \(board) --json", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let first = try #require(ending.lines.first)
    let printed = try #require(
      try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
    let page = try String(contentsOfFile: Tool.root + "docs/reference/commands.md", encoding: .utf8)
    let command =
      "`otolith " + line.split(separator: " ").prefix { !$0.hasPrefix("-") }.joined(separator: " ")
      + "`"
    let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| \(command) |") })
    for key in printed.keys { #expect(row.contains("`\(key)`"), "\(command) prints \(key)") }
    #expect(!printed.isEmpty)
  }
}
