// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Quantities
import Runtime
import Testing

extension KernelBenchTests {
  /// Two chips of one kind in the same moving hand: the kernel captures one through its buffer with
  /// its interrupt, and otolith reads the other. otolith's samples are interpolated to the time of
  /// each scan and compared.
  @Suite(.serialized) struct CaptureTests {
    /// The two chips, and the kernel's names of buffers and channels.
    struct Pair: CustomTestStringConvertible {
      var chip: String
      var driver: String
      var addresses: (kernel: String, ours: String)
      var quantities: [Quantity]
      /// The kernel's files of the rate, of which a device has one or more, and the value written
      /// to each.
      var rate: (files: [String], value: String)
      /// The matching settings in the board file, and the largest change in counts per second.
      var settings: String
      var watermark: Int?
      /// The kernel's name of the chip's trigger, where its driver does not select it.
      var trigger: String?

      var testDescription: String { "\(chip), buffered" }

      /// A board with the kernel's chip alone.
      var held: String {
        """
        otolith-board: 1
        name: A held chip
        buses: { i2c: { simulated: i2c } }
        chips:
          kernel: { chip: "\(chip)", on: i2c, address: \(addresses.kernel) }
        simulation: { noise: false }

        """
      }
    }

    /// The rates of drivers that have one for each of two sensors.
    private static let rates = ["in_accel_sampling_frequency", "in_anglvel_sampling_frequency"]

    static let pairs = [
      pair(of: "mpu6050", addresses: ("0x68", "0x69"), rate: (["sampling_frequency"], "500")),
      pair(of: "lis3mdl", addresses: ("0x1C", "0x1E"), rate: (["sampling_frequency"], "80")),
      pair(of: "bmi160", addresses: ("0x68", "0x69"), rate: (rates, "400")),
      // Not the LSM6DS3, whose samples all get one time from Linux 6.12 (its st_lsm6dsx has no
      // ts_sensitivity for the part).
      pair(
        of: "lsm6dso", addresses: ("0x6A", "0x6B"), rate: (["sampling_frequency"], "416"),
        watermark: 16),
      pair(
        of: "lsm6dsv16x", addresses: ("0x6A", "0x6B"), rate: (["sampling_frequency"], "480"),
        watermark: 16),
      pair(
        of: "bmi270", addresses: ("0x68", "0x69"), rate: (rates, "400"), trigger: "bmi270-trig-1"),
      pair(
        of: "icm45686", addresses: ("0x68", "0x69"), rate: (["sampling_frequency"], "400"),
        watermark: 16),
    ].compactMap { $0 }

    /// Returns the pair of an oracle's chips; `nil` if the guest has no driver of it.
    private static func pair(
      of driver: String, addresses: (kernel: String, ours: String),
      rate: (files: [String], value: String), watermark: Int? = nil, trigger: String? = nil
    ) -> Pair? {
      guard let oracle = Oracle.all.first(where: { $0.driver == driver }) else { return nil }
      return Pair(
        chip: oracle.chip, driver: driver, addresses: addresses, quantities: oracle.quantities,
        rate: rate,
        settings: "rate-hz: \(rate.value), read-by: data-ready, interrupt: { line: GPIO2 }",
        watermark: watermark, trigger: trigger)
    }

    private func hand(_ pair: Pair) -> String {
      """
      otolith-board: 1
      name: A pair
      buses: { i2c: { simulated: i2c } }
      chips:
        kernel: { chip: "\(pair.chip)", on: i2c, address: \(pair.addresses.kernel) }
        ours: { chip: "\(pair.chip)", on: i2c, address: \(pair.addresses.ours) }
      simulation: { motion: sway, noise: false }

      """
    }

    @Test(arguments: pairs)
    func `a capture of the kernel's is ours, sample by sample`(pair: Pair) throws {
      try BenchServer.serve(hand(pair))
      let at = "bus=i2c unit=0 address=\(pair.addresses.kernel)"
      try VirtualBench.with("\(at) driver=\(pair.driver) irq=0 trigger=rising", gone: at) {
        for quantity in pair.quantities { try compare(quantity, pair) }
      }
    }

    private func compare(_ quantity: Quantity, _ pair: Pair) throws {
      let device = try IIODevice(named: quantity.device)
      // The smallest full scale that the motion does not exceed: the second, and of rotation rates
      // at least 250 degrees per second.
      let isTurn = quantity.rangeKey == "rotation-rate-range-dps"
      let step = isTurn ? max(1, quantity.ranges.firstIndex { $0.range >= 250 } ?? 1) : 1
      let (range, unit) = quantity.ranges[step]
      let scales = try device.text(quantity.scales ?? quantity.scale).split(separator: " ")
        .sorted { (Double($0) ?? 0) < (Double($1) ?? 0) }
      try device.set(quantity.scale, String(scales[step]))
      for file in pair.rate.files where device.has(file) {
        try device.set(file, pair.rate.value)
      }
      let board = try Ours.board(
        "ours: { chip: '\(pair.chip)', on: i2c, address: \(pair.addresses.ours), \(pair.settings), "
          + "\(quantity.rangeKey): \(Int(range)) }")
      var ours = Ours()
      try VirtualBench.forgetEdges()
      var scans = try device.capture(trigger: pair.trigger, watermark: pair.watermark) {
        ours = try Ours.run(board, seconds: 4)
      }
      if scans.allSatisfy({ $0.time == 0 }) {
        // Linux 7.3 gives the BMI270's samples no time. Each belongs to an edge of the chip's line.
        let edges = try VirtualBench.edges(of: 0).filter(\.isRising)
        try #require(edges.count >= scans.count && edges.count <= scans.count + 2)
        for index in scans.indices { scans[index].time = edges[index].chipTime }
      }
      // otolith's times are those of the edges. If a long kernel transaction delayed an edge, the
      // chip's own time is in the bench's log.
      let edges = try VirtualBench.edges(of: 2).filter(\.isRising)
      var next = 0
      let samples = ours.samples.compactMap { sourced -> (Int64, [Double])? in
        let time = sourced.sample.timestamp.nanoseconds
        while next < edges.count, edges[next].raisedTime < time - 50_000 { next += 1 }
        guard next < edges.count, abs(edges[next].raisedTime - time) < 50_000 else { return nil }
        return (edges[next].chipTime, quantity.ours(sourced.sample).map { $0 / unit })
      }
      try #require(samples.count == ours.samples.count, "a sample without its edge")
      var worst = 0.0
      var place = ""
      var compared = 0
      // The offset of the kernel's times from otolith's, by the slope of the measured values.
      var product = 0.0
      var square = 0.0
      next = 0
      for scan in scans {
        while next + 1 < samples.count, samples[next + 1].0 <= scan.time { next += 1 }
        guard next + 1 < samples.count, samples[next].0 <= scan.time else { continue }
        let (t0, a) = samples[next]
        let (t1, b) = samples[next + 1]
        // Between two adjacent samples.
        guard t1 - t0 < 2 * Int64(1e9 / 80) else { continue }
        let part = Double(scan.time - t0) / Double(t1 - t0)
        for (axis, name) in quantity.channels.enumerated() {
          let theirs = Double(try #require(scan.values[name]))
          let expected = a[axis] + (b[axis] - a[axis]) * part
          let slope = (b[axis] - a[axis]) / (Double(t1 - t0) * 1e-9)
          if abs(theirs - expected) > worst {
            worst = abs(theirs - expected)
            place =
              "at \(scan.time - samples[0].0) ns between \(t0 - samples[0].0) and \(t1 - samples[0].0): \(a[axis]) \(theirs) \(b[axis])"
          }
          product += (theirs - expected) * slope
          square += slope * slope
        }
        compared += 1
      }
      let lag = product / square
      print(
        "capture: | \(pair.chip) | \(quantity.device) | \(scans.count) scans, \(compared) compared | worst "
          + "\(worst.formatted(.number.precision(.fractionLength(2)))) LSB | times "
          + "\((lag * 1e6).formatted(.number.precision(.fractionLength(1)))) us apart |")
      #expect(
        compared > 200,
        "scans \(scans.first?.time ?? 0)...\(scans.last?.time ?? 0), samples \(samples.first?.0 ?? 0)...\(samples.last?.0 ?? 0), \(samples.count), \(ours.report)"
      )
      #expect(worst < 3, "\(place), \(ours.report)")
    }
  }
}
