// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A simulated board whose gyroscope repeats one value while it is turned: the messages of the
/// commands, of the page's server and of the service.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FaultLiveTests {
  let scratch: Scratch

  /// The board follows a recording of 50 Hz: at rest for two seconds, in which the bias is learned,
  /// then turned; the gyroscope hangs from second 3 to 13.
  init() throws {
    scratch = try Scratch()
    let rows = ReplayTests.turning.split(separator: "\n").map { $0.split(separator: ",") }
    var still = rows[1]
    still.replaceSubrange(4...6, with: ["0", "0", "0"])
    var moments = [[Substring]](repeating: still, count: 100) + rows.dropFirst()
    for index in moments.indices {
      moments[index][0] = Substring(String(format: "%.2f", Double(index) / 50))
      guard (151..<650).contains(index) else { continue }
      moments[index].replaceSubrange(4...6, with: moments[150][4...6])
    }
    let lines = ([rows[0]] + moments).map { $0.joined(separator: ",") }
    try scratch.write(lines.joined(separator: "\n") + "\n", to: "hung.csv")
    try scratch.write(
      """
      otolith-board: 1
      name: Hung
      buses: { i2c1: { simulated: i2c } }
      chips: { imu: { chip: mpu6050, on: i2c1, address: 0x68, rate-hz: 100 } }
      simulation: { motion: hung.csv, noise: false }

      """, to: "hung.yaml")
  }

  private static let sentence =
    "imu: the gyroscope is stuck at one value (gyroscopeHung): it has stopped measuring: check its "
    + "supply, and reset it; attitude by the accelerometer alone"

  private static func count(in ending: Tool.Ending) throws -> String {
    try #require(
      ending.errorLines.first { $0.hasPrefix("received ") }, "\(ending.errors)")
  }

  @Test func `run says it once, and its last line for how long`() throws {
    let ending = try Tool.run(
      "run", "hung.yaml", "--format", "csv", "--duration", "7", in: scratch)
    #expect(ending.status == 0)
    #expect(ending.errorLines.filter { $0 == Self.sentence }.count == 1, "\(ending.errors)")
    #expect(
      try Self.count(in: ending).contains(
        /; the gyroscope was stuck at one value for [234]\.\d s$/),
      "\(ending.errors)")
  }

  @Test func `the monitor shows the chip as faulty, and that the attitude coasts`() throws {
    let ending = try Tool.run(
      "monitor", "hung.yaml", "--duration", "6", "--snapshot", "132x40", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.lines.contains { $0.contains("invensense,mpu6050") && $0.contains("faulty") })
    #expect(ending.output.contains("coasting on the accelerometer"), "\(ending.output)")
    #expect(ending.output.contains(/rotation +x +-\s/), "\(ending.output)")
  }

  @Test func `a service hands it on to its programs, with counts`() throws {
    let service = try RunningService("--board", "hung.yaml", in: scratch)
    let ending = try Tool.run(
      "run", "--format", "csv", "--duration", "7", in: scratch,
      environment: ["OTOLITH_SOCKET": service.socket])
    #expect(ending.status == 0)
    #expect(ending.errorLines.filter { $0 == Self.sentence }.count == 1, "\(ending.errors)")
    #expect(
      try Self.count(in: ending).contains(
        /; the gyroscope was stuck at one value for [234]\.\d s$/),
      "\(ending.errors)")
    let status = try Tool.shell(
      "\"$OTOLITH\" service status --socket \(service.socket)", in: scratch)
    #expect(
      status.output.contains(
        /the gyroscope was stuck at one value for [234]\.\d s of [67](\.\d)? s/), "\(status.output)"
    )
    #expect(service.waitForLog(Self.sentence))
  }

  /// 3 g exceed the range of 2 g, at which the chip stays.
  @Test func `a service hands on how many readings were at the end of a range`() throws {
    try scratch.write(ClippingTests.imu, to: "imu.yaml")
    let service = try RunningService(
      "--board", "imu.yaml", "--hold", "acceleration=0.2,0,-3", in: scratch)
    // An earlier program has its own counts.
    for _ in 0..<2 {
      let ending = try Tool.run(
        "run", "--format", "csv", "--duration", "1", in: scratch,
        environment: ["OTOLITH_SOCKET": service.socket])
      #expect(ending.status == 0)
      let line = try Self.count(in: ending)
      let found = try #require(
        line.firstMatch(
          of:
            /; imu: acceleration\.z stays at 2\.0 g in (\d+) samples, the end of a range of 2\.0 g/),
        "\(ending.errors)")
      #expect((50...200).contains(try #require(Int(found.1))), "\(line)")
    }
  }
}
