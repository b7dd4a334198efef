// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import Quantities
import Runtime
import Sensors
import Testing

extension KernelBenchTests {
  /// Sensors that the kernel's drivers read, read by otolith through the kernel.
  @Suite(.serialized) struct KernelSensorTests {
    private static func board(_ sensors: [String], _ settings: String = "") throws -> Board {
      let chips = sensors.enumerated().map { "  chip\($0): { iio: \($1)\(settings) }\n" }
      return try BoardFile.parse(
        "otolith-board: 1\nname: Of the kernel\nchips:\n\(chips.joined())", file: "bench.yaml",
        catalogue: ChipCatalog.descriptions)
    }

    /// Without an interrupt the kernel has no trigger, so that the files are polled. The kernel's
    /// count times its scale is the value, to the last bit of the count.
    @Test(arguments: Oracle.all)
    func `a held value is the kernel's count times its scale`(oracle: Oracle) throws {
      try BenchServer.serve(oracle.board, hold: OracleTests.held)
      let words = oracle.words()
      try VirtualBench.with(words.new, gone: words.delete) {
        let names = oracle.quantities.map(\.device)
        var devices: [String] = []
        for name in names where !devices.contains(name) { devices.append(name) }
        for file in oracle.files {
          try IIODevice(named: devices[0]).set(file.name, file.value)
        }
        // An interrupt that the driver insists on and that is not wired is noticed after two seconds.
        let ours = try Ours.run(
          try Self.board(devices), seconds: oracle.line == nil ? 1.5 : 4)
        for quantity in oracle.quantities {
          let device = try IIODevice(named: quantity.device)
          let source = try #require(devices.firstIndex(of: quantity.device))
          let sample = try #require(ours.samples(of: source).last, "\(oracle): \(ours.report)")
          let scale = try device.number(quantity.scale) * quantity.kernelUnit
          for (value, channel) in zip(quantity.ours(sample), quantity.channels) {
            let count = try device.number("\(channel)_raw")
            let off = abs(value / scale - count)
            #expect(off < 1e-6 * max(1, abs(count)), "\(oracle) \(channel): \(value), \(count)")
          }
        }
      }
    }

    /// With its interrupt the kernel fills the buffer and stamps each sample.
    @Test(arguments: CaptureTests.pairs)
    func `the kernel's buffer is read without loss at the kernel's times`(pair: CaptureTests.Pair)
      throws
    {
      try BenchServer.serve(pair.held, hold: OracleTests.held)
      let at = "bus=i2c unit=0 address=\(pair.addresses.kernel)"
      try VirtualBench.with("\(at) driver=\(pair.driver) irq=0 trigger=rising", gone: at) {
        let quantity = pair.quantities[0]
        let device = try IIODevice(named: quantity.device)
        if let trigger = pair.trigger { try device.set("trigger/current_trigger", trigger) }
        let rate = try #require(Double(pair.rate.value))
        let ours = try Ours.run(
          try Self.board([quantity.device], ", rate-hz: \(pair.rate.value)"), seconds: 3)
        let samples = ours.samples(of: 0)
        let report = try #require(ours.report.first)
        #expect(Double(samples.count) > 2.4 * rate, "\(samples.count) samples, \(report)")
        #expect(report.health.missing == 0 && report.health.busErrors == 0, "\(report)")
        // The driver wrote the length of two seconds.
        #expect(try device.number("buffer/length") >= 2 * rate)
        let times = samples.map(\.timestamp.nanoseconds)
        let gaps = zip(times.dropFirst(), times).map { Double($0 - $1) * 1e-9 * rate }
        let (shortest, longest) = (gaps.min() ?? 0, gaps.max() ?? 0)
        print(
          "kernel sensor: | \(pair.driver) | \(samples.count) samples, lost "
            + "\(report.health.missing) | intervals \(shortest) to \(longest) of the nominal |")
        // Linux 7.3 gives the BMI270's samples no time, so that they have that of their arrival.
        if pair.driver != "bmi270" { #expect(shortest > 0 && longest < 2) }
        let scale = try device.number(quantity.scale) * quantity.kernelUnit
        let counts = try quantity.channels.map { try device.number("\($0)_raw") }
        let last = try #require(samples.last)
        for (value, count) in zip(quantity.ours(last), counts) {
          #expect(abs(value / scale - count) < 1e-6 * max(1, abs(count)), "\(value), \(count)")
        }
      }
    }

    /// The number of samples in the test below; 60,000 take two minutes of the guest's time.
    private static let number =
      ProcessInfo.processInfo.environment["OTOLITH_KERNEL_SAMPLES"].flatMap { Int($0) } ?? 3000

    /// libiio's program reads the same buffer after otolith, at the fastest rate that the driver
    /// offers.
    @Test func `a kernel's buffer is what iio_readdev reads of it`() throws {
      try BenchServer.serve(Boards.all, hold: OracleTests.held)
      let at = "bus=i2c unit=0 address=0x68"
      try VirtualBench.with("\(at) driver=mpu6050 irq=0 trigger=rising", gone: at) {
        let device = try IIODevice(named: "mpu6050")
        let board = try Self.board(["mpu6050"], ", rate-hz: 500")
        let ours = try Ours.run(board, seconds: Double(Self.number) / 500 + 0.5)
        let samples = ours.samples(of: 0)
        let report = try #require(ours.report.first)
        #expect(samples.count >= Self.number && report.health.missing == 0, "\(report)")
        let theirs = try device.readdev("mpu6050", count: Self.number)
        try #require(theirs.count == Self.number)
        let oracle = try #require(Oracle.all.first { $0.driver == "mpu6050" })
        for quantity in oracle.quantities {
          let scale = try device.number(quantity.scale) * quantity.kernelUnit
          for (axis, channel) in quantity.channels.enumerated() {
            let counts = Set(theirs.map { $0.values[channel] })
            let own = Set(samples.map { Int64((quantity.ours($0)[axis] / scale).rounded()) })
            #expect(counts == Set(own.map(Int64?.some)), "\(channel): \(own), \(counts)")
          }
        }
        func intervals(_ times: [Int64]) -> (Int64, Int64) {
          let steps = zip(times.dropFirst(), times).map { $0 - $1 }
          return (steps.min() ?? 0, steps.max() ?? 0)
        }
        let own = intervals(samples.map(\.timestamp.nanoseconds))
        let other = intervals(theirs.map(\.time))
        print(
          "kernel sensor: | as iio_readdev | \(samples.count) samples, lost "
            + "\(report.health.missing) | intervals \(own), \(other) ns |")
        // Both are the kernel's time stamps of the same edges.
        #expect(own.0 > 1_900_000 && own.1 < 2_100_000)
        #expect(other.0 > 1_900_000 && other.1 < 2_100_000)
      }
    }
  }
}
