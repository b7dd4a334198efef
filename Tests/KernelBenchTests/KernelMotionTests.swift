// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Testing

/// The rows of a motion file in CSV (docs/recordings.md).
struct Motions {
  struct Row {
    var time: Double
    var attitude: Quaternion
    /// Roll, pitch and yaw, rad.
    var angles: Vector3
  }
  var rows: [Row] = []

  init(_ text: String) throws {
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let names = try #require(lines.first, "no row of names")
    let wanted = [
      "timestamp", "attitude.x", "attitude.y", "attitude.z", "attitude.w", "roll", "pitch", "yaw",
    ]
    let columns = try wanted.map { name in
      try #require(names.firstIndex { $0 == name }, "no column \(name)")
    }
    for line in lines.dropFirst() where line.count == names.count {
      let values = columns.compactMap { Double(line[$0]) }
      // Without an attitude its cells are empty.
      guard values.count == wanted.count else { continue }
      rows.append(
        Row(
          time: values[0],
          attitude: Quaternion(w: values[4], x: values[1], y: values[2], z: values[3]),
          angles: Vector3(values[5], values[6], values[7])))
    }
  }
}

extension KernelBenchTests {
  /// Motion from sensors that the kernel reads.
  @Suite(.serialized) struct KernelMotionTests {
    private static let pair = """
      otolith-board: 1
      name: A pair
      buses: { i2c: { simulated: i2c } }
      chips:
        kernel: { chip: "invensense,mpu6050", on: i2c, address: 0x68 }
        ours: { chip: "invensense,mpu6050", on: i2c, address: 0x69 }
      simulation: { motion: sway, noise: false }

      """

    private static let kernelBoard = """
      otolith-board: 1
      name: Of the kernel
      chips: { imu: { iio: mpu6050, rate-hz: 200 } }

      """

    private static let ownBoard = """
      otolith-board: 1
      name: Our own
      buses: { i2c: { i2c: \(VirtualBench.i2c) } }
      chips:
        imu: { chip: "invensense,mpu6050", on: i2c, address: 0x69, rate-hz: 200, interrupt: { line: GPIO2 } }

      """

    private static func withKernelChip<Value>(_ body: () throws -> Value) throws -> Value {
      try BenchServer.serve(pair)
      let at = "bus=i2c unit=0 address=0x68"
      return try VirtualBench.with(
        "\(at) driver=mpu6050 irq=0 trigger=rising", gone: at, body)
    }

    /// Two chips of one kind on one swaying board: the kernel's driver reads one and otolith's the
    /// other, at the same time.
    @Test func `fusion gives the same attitude by the kernel's driver and by ours`() throws {
      // A new board does not move for its first 20 s (Sources/Host/Simulation/World.swift).
      BenchServer.serveNothing()
      try Self.withKernelChip {
        let boards = [Self.kernelBoard, Self.ownBoard]
        let running = try boards.map { board in
          try Tool.Running([
            Tool.path, "run", "--board", try Scratch.file(board, named: "board.yaml"),
            "--duration", "26", "--format", "csv",
          ])
        }
        let rows = try running.map { try Motions(try $0.end().output).rows }
        let (a, b) = (rows[0], rows[1])
        try #require(a.count > 4000 && b.count > 4000, "\(a.count), \(b.count) rows")
        let apart = largestAngle(a, b)
        print(
          "attitude: | by the kernel's driver and by ours | \(a.count) rows, at most "
            + "\(apart) degrees apart |")
        // The chip's low-pass delays by up to 4.9 ms (PS-MPU-6000A, section 4.3), which our driver
        // tells fusion and the kernel's does not: at 70 degrees per second 0.34 degrees.
        #expect(apart < 0.34 + 0.1)
      }
    }

    /// Returns the largest angle between two attitudes in degrees, apart from the yaw that lies
    /// between them at the end.
    private func largestAngle(_ a: [Motions.Row], _ b: [Motions.Row]) -> Double {
      var apart: [Vector3] = []
      var next = 0
      for row in a {
        let time = row.time
        while next + 1 < b.count, b[next + 1].time <= time { next += 1 }
        // Within two seconds both have found gravity.
        guard next + 1 < b.count, b[next].time <= time, time - max(a[0].time, b[0].time) > 2 else {
          continue
        }
        let part = (time - b[next].time) / (b[next + 1].time - b[next].time)
        apart.append(
          row.angles - (b[next].angles + (b[next + 1].angles - b[next].angles) * part))
      }
      guard let yaw = apart.last?.z else { return 360 }
      let turned = apart.map { off in
        let z = off.z - yaw
        return Vector3(off.x, off.y, z - (z / (2 * .pi)).rounded() * 2 * .pi).norm
      }
      return (turned.max() ?? .pi) * 180 / .pi
    }

    /// Example programs for iOS developers, unchanged. What they print of a swaying board is tested
    /// in Tests/Examples.
    @Test(arguments: ["AccelerometerPush", "GyroPull", "DeviceMotion"])
    func `an example of Core Motion runs on a sensor of the kernel`(name: String) throws {
      try Self.withKernelChip {
        let board = try Scratch.file(Self.kernelBoard, named: "kernel.yaml")
        let said = try Tool.Running([
          "OTOLITH_BOARD=\(board)", Tool.program(name), "--seconds", "3",
        ]).end()
        #expect(said.status == 0)
        let numbers = said.output.split(separator: "\n").filter { $0.contains(".") }
        #expect(numbers.count > 5, "\(said.output)\(said.errors)")
      }
    }

    /// As `otolith install --print udev` has it, group 2004 in the place of `iio`.
    @Test func `a user needs the group of the node, and a second reader is refused`() throws {
      try Self.withKernelChip {
        let device = try IIODevice(named: "mpu6050")
        let chown = try Tool.Running([
          "sh", "-c",
          "chgrp 2004 \(device.node) && chmod 660 \(device.node) && chgrp -R 2004 \(device.folder)/"
            + " && chmod -R g+rwX \(device.folder)/",
        ]).end()
        try #require(chown.status == 0, "\(chown.errors)")
        let board = try Scratch.file(Self.kernelBoard, named: "kernel.yaml")
        let command = ["run", "--board", board, "--duration", "2", "--format", "csv"]
        let user = ["setpriv", "--reuid=65534", "--regid=65534"]
        let refused = try Tool.run(command, as: user + ["--clear-groups"])
        #expect(refused.status == 77)
        #expect(
          refused.errors.contains("no permission to open \(device.node)")
            && refused.errors.contains("group 2004"), "\(refused.errors)")
        let allowed = try Tool.run(command, as: user + ["--groups=2004"])
        #expect(try Motions(allowed.output).rows.count > 200, "\(allowed.errors)")
        let first = try Tool.Running([Tool.path] + command)
        Thread.sleep(forTimeInterval: 1)
        let second = try Tool.run(command)
        #expect(second.status == 69)
        #expect(
          second.errors.contains("\(device.node) is in use by another program"),
          "\(second.errors)")
        #expect(try first.end().status == 0)
      }
    }
  }
}
