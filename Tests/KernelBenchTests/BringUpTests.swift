// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension KernelBenchTests {
  /// `otolith bringup` on the kernel's device nodes: a good board, and boards with faults.
  @Suite(.serialized) struct BringUpTests {
    /// Returns the board behind the nodes: a chip with its line, and a compass. It lies flat for 30
    /// s, is held upright, laid flat, and held with its right edge down.
    static func served(_ faults: String = "", motion: String = "still") -> String {
      """
      otolith-board: 1
      name: Served
      buses: { i2c: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: i2c, address: 0x68, interrupt: simulated, read-by: data-ready }
        compass: { chip: "st,lis3mdl", on: i2c, address: 0x1C }
      simulation: { motion: \(motion), faults: [\(faults)] }

      """
    }

    /// The board file. Pin 1 of chip 0 is on GPIO0.
    static let board = """
      otolith-board: 1
      name: On the nodes
      buses: { i2c: { i2c: /dev/i2c-0 } }
      learned: off
      chips:
        imu:
          chip: invensense,mpu6050
          on: i2c
          address: 0x68
          interrupt: { line: GPIO0 }
          read-by: data-ready
        compass: { chip: "st,lis3mdl", on: i2c, address: 0x1C }

      """

    struct Report: Decodable {
      struct Check: Decodable {
        var check: String
        var subject: String?
        var state: String
        var summary: String
        var findings: [Finding]
      }
      struct Finding: Decodable {
        var cause: String
        var subject: String?
        var evidence: String
      }
      var checks: [Check]
      var seconds: Double

      var causes: [String] { checks.flatMap(\.findings).map(\.cause) }
    }

    /// Runs the command, and returns its report and exit status.
    static func bringUp(_ arguments: String...) throws -> (report: Report, status: Int32) {
      let file = try Scratch.file(board, named: "board.yaml")
      let all = ["bringup", file, "--json", "--duration", "1", "--no-report"] + arguments
      let outcome = try Tool.run(all)
      let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
      return (report, outcome.status)
    }

    @Test func `a good board passes every check, its axes included`() throws {
      let recording = try Scratch.file(Self.turning, named: "turning.csv")
      BenchServer.serveNothing()
      try BenchServer.serve(Self.served(motion: recording))
      let (report, status) = try Self.bringUp("--gestures")
      #expect(report.causes == [], "\(report.checks)")
      #expect(status == 0)
      let passed = report.checks.filter { $0.state == "passed" }.map {
        "\($0.check) \($0.subject ?? "")"
      }
      for check in [
        "bus i2c", "identity imu", "self-test imu", "fifo imu", "interrupt imu", "bus errors imu",
        "noise imu", "identity compass", "self-test compass", "noise compass", "axes ",
      ] {
        #expect(passed.contains(check), "\(check): \(report.checks)")
      }
    }

    @Test func `axes that are swapped are named while it is turned`() throws {
      let recording = try Scratch.file(Self.turning, named: "turning.csv")
      BenchServer.serveNothing()
      try BenchServer.serve(Self.served("{ fault: swapped-axes, chip: imu }", motion: recording))
      let (report, status) = try Self.bringUp("--gestures")
      #expect(report.causes == ["swapped-axes"], "\(report.checks)")
      #expect(status == 69)
    }

    @Test(arguments: [
      ("{ fault: wrong-address, chip: imu }", "wrong-address"),
      ("{ fault: wrong-chip, chip: imu, identity: 0x70 }", "wrong-chip"),
      ("{ fault: stuck-interrupt, chip: imu }", "dead-interrupt"),
      ("{ fault: stuck-bus }", "stuck-bus"),
      ("{ fault: noisy-supply, chip: imu }", "noisy-supply"),
    ])
    func `each fault is named by what the nodes show`(_ fault: String, _ cause: String) throws {
      try BenchServer.serve(Self.served(fault))
      let (report, status) = try Self.bringUp("--no-gestures")
      #expect(report.causes == [cause], "\(report.checks)")
      #expect(status == 69)
    }

    /// The motion as a recording: gravity, rotation and a field of 20 microtesla to the north and
    /// 45 down, computed by hand from pitch about x (top edge up) and roll about y (right edge
    /// down).
    static let turning: String = {
      var rows = [
        "timestamp,acceleration.x,acceleration.y,acceleration.z,rotationRate.x,rotationRate.y,"
          + "rotationRate.z,magneticField.x,magneticField.y,magneticField.z"
      ]
      func row(_ time: Double, pitch: Double, roll: Double, _ rate: (Double, Double)) {
        let force = (sin(roll), -sin(pitch), -cos(pitch) * cos(roll))
        // One of the two angles is always 0.
        let north = (0.0, 20 * cos(pitch), -20 * sin(pitch))
        let down = (45 * sin(roll), -45 * sin(pitch), -45 * cos(pitch) * cos(roll))
        let values = [
          time, force.0, force.1, force.2, rate.0, rate.1, 0, north.0 + down.0, north.1 + down.1,
          north.2 + down.2,
        ]
        rows.append(values.map { "\($0)" }.joined(separator: ","))
      }
      func hold(_ from: Double, _ to: Double, pitch: Double = 0, roll: Double = 0) {
        row(from + 1e-3, pitch: pitch, roll: roll, (0, 0))
        row(to - 1e-3, pitch: pitch, roll: roll, (0, 0))
      }
      func turn(_ from: Double, _ sign: Double, pitches: Bool) {
        for step in 0...20 {
          let part = Double(step) / 20
          let angle = .pi / 2 * (sign > 0 ? part : 1 - part)
          let rate = sign * .pi / 2
          row(
            from + part, pitch: pitches ? angle : 0, roll: pitches ? 0 : angle,
            (pitches ? rate : 0, pitches ? 0 : rate))
        }
      }
      hold(0, 30)
      turn(30, 1, pitches: true)
      hold(31, 35, pitch: .pi / 2)
      turn(35, -1, pitches: true)
      hold(36, 40)
      turn(40, 1, pitches: false)
      hold(41, 45, roll: .pi / 2)
      turn(45, -1, pitches: false)
      hold(46, 120)
      return rows.joined(separator: "\n") + "\n"
    }()
  }
}
