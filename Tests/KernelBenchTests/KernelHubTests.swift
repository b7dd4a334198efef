// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import LinuxSystem
import Quantities
import Runtime
import Sensors
import Testing

extension KernelBenchTests {
  /// A sensor hub, as tablets and laptops have it: the kernel's hid-sensor drivers make IIO devices
  /// of what `HIDHub` reports.
  @Suite(.serialized) struct KernelHubTests {
    /// Face up and turned by 30 degrees about the x axis, so that the y axis points up by half.
    /// Windows and Core Motion then both report gravity of (0, -0.5, -0.866) g.
    private static let sensors: [HIDHub.Sensor] = [
      .accelerometer([0, -500, -866]), .gyroscope([0, 0, 0]), .magnetometer([0, 123, -456]),
      .inclinometer([300, 0, 0]), .light(3210),
    ]

    private static func withHub<Value>(
      _ sensors: [HIDHub.Sensor] = sensors, _ body: (HIDHub) throws -> Value
    ) throws -> Value {
      // No chip on a bus, so that the board is the hub.
      BenchServer.serveNothing()
      let hub = try HIDHub(sensors)
      defer { hub.unplug() }
      try wait(for: sensors)
      return try body(hub)
    }

    /// The names that the kernel's drivers give their devices, by the sensor's usage.
    private static let names: [UInt16: String] = [
      0x73: "accel_3d", 0x76: "gyro_3d", 0x83: "magn_3d", 0x86: "incli_3d", 0x41: "als",
    ]

    private static func wait(for sensors: [HIDHub.Sensor]) throws {
      let root = "/sys/bus/iio/devices"
      let wanted = Set(sensors.compactMap { names[$0.usage] })
      for _ in 0..<300 {
        let folders = try FileManager.default.contentsOfDirectory(atPath: root)
        let present = folders.compactMap { try? VirtualBench.read("\(root)/\($0)/name") }
        if wanted.isSubset(of: present) { return }
        Thread.sleep(forTimeInterval: 0.01)
      }
      Issue.record("the kernel did not make \(wanted.sorted()) of the hub")
    }

    private static func board(_ names: String...) throws -> Board {
      let chips = names.map { "  \($0): { iio: \($0), rate-hz: 100 }\n" }.joined()
      return try BoardFile.parse(
        "otolith-board: 1\nname: A hub\nchips:\n\(chips)", file: "hub.yaml",
        catalogue: ChipCatalog.descriptions)
    }

    @Test func `a hub's values have the units and the signs of the tables`() throws {
      try Self.withHub { hub in
        hub.set([1250, -2500, 30], ofSensor: 1)
        let ours = try Ours.run(
          try Self.board("accel_3d", "gyro_3d", "magn_3d", "als"), seconds: 2)
        func last(_ source: Int) throws -> Sample {
          let sample = ours.samples(of: source).last
          return try #require(sample, "\(ours.report)")
        }
        let acceleration = try last(0).acceleration
        #expect((acceleration - Vector3(0, -0.5, -0.866)).norm < 1e-6, "\(acceleration)")
        // 12.5, -25 and 0.3 degrees per second. Of the scale, 1.745e-4, the kernel gives nine
        // decimals.
        let rate = try last(1).rotationRate * (180 / .pi)
        #expect((rate - Vector3(12.5, -25, 0.3)).norm < 28 * 1e-9 / 1.745e-4, "\(rate)")
        // 123 milligauss are 12.3 microtesla.
        let field = try last(2).magneticField
        #expect((field - Vector3(0, 12.3, -45.6)).norm < 1e-5, "\(field)")
        #expect(abs(try last(3).scalars[.illuminance] - 321) < 1e-3)
        for report in ours.report { #expect(report.health.busErrors == 0, "\(report)") }
        #expect(ours.samples(of: 0).count > 150, "\(ours.report)")
      }
    }

    @Test func `a hub gives attitude without a board file within three seconds`() throws {
      try Self.withHub { _ in
        let begin = monotonicNow().seconds
        let said = try Tool.run("run", "--duration", "1", "--format", "csv")
        #expect(said.status == 0, "\(said.errors)")
        let motion = try Motions(said.output)
        let first = try #require(motion.rows.first, "\(said.output)\(said.errors)")
        let seconds = first.time - begin
        print("hub: | attitude without a board file after \(seconds) s |")
        #expect(seconds < 3)
        let pitch = try #require(motion.rows.last).angles.y
        #expect(abs(pitch * 180 / .pi - 30) < 0.1, "\(pitch)")
      }
    }

    /// The interval is that from a pull to the first sample after the hub is in again.
    @Test func `a hub that is pulled out and put back goes on within a second`() throws {
      BenchServer.serveNothing()
      let first = try HIDHub(Self.sensors)
      try Self.wait(for: Self.sensors)
      var second: HIDHub?
      var (out, back) = (Timestamp.zero, Timestamp.zero)
      let ours = try Ours.run(try Self.board("accel_3d", "gyro_3d"), seconds: 5) {
        Thread.sleep(forTimeInterval: 1.5)
        out = monotonicNow()
        first.unplug()
        Thread.sleep(forTimeInterval: 0.5)
        back = monotonicNow()
        second = try HIDHub(Self.sensors)
      }
      second?.unplug()
      for source in 0..<2 {
        let times = ours.samples(of: source).map(\.timestamp)
        let before = times.filter { $0 < out }
        let after = times.filter { $0 > back }
        let wait = try #require(after.first, "\(ours.report)") - back
        print("hub: | back after \(wait.seconds) s, \(before.count) and \(after.count) samples |")
        #expect(before.count > 100 && after.count > 100, "\(ours.report)")
        #expect(wait.seconds < 1)
        #expect(times.allSatisfy { $0 < out + .milliseconds(20) || $0 > back })
      }
    }

    @Test func `detect lists a hub's sensors and what is not used`() throws {
      try Self.withHub { _ in
        let said = try Tool.run("detect")
        for name in ["accel_3d", "gyro_3d", "magn_3d", "als"] {
          #expect(said.output.contains(name), "\(said.output)\(said.errors)")
        }
      }
    }
  }
}
