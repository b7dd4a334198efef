// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Quantities
import Runtime
import Testing

extension KernelBenchTests {
  /// The kernel's drivers and ours on the same chips in the same held world, one after the other. Each comparison prints a
  /// row of the oracle table.
  @Suite(.serialized) struct OracleTests {
    static let held =
      "acceleration=0.31,-0.52,-0.79;rotation-rate=0.5,-0.25,1;magnetic-field=20,-5,-42;"
      + "pressure=98.7;temperature=31.5;humidity=45"

    private static func row(_ cells: String...) {
      print("oracle: | \(cells.joined(separator: " | ")) |")
    }

    /// What the kernel says of a quantity at each of its scales.
    private struct Kernel {
      var range: Double
      var scale: Double
      var raw: [Double]
    }

    @Test(arguments: Oracle.all) func counts(oracle: Oracle) throws {
      let server = try BenchServer(Boards.all, hold: Self.held)
      defer { server.stop() }
      let words = oracle.words()
      var kernel: [[Kernel]] = []
      try VirtualBench.with(words.new, gone: words.delete) {
        for quantity in oracle.quantities {
          let device = try IIODevice(named: quantity.device)
          let scales = try quantity.scales.map { try device.numbers($0) } ?? []
          // Every full scale of ours is one of the kernel's, in the same order.
          try #require(scales.count == quantity.ranges.count, "\(scales)")
          var rows: [Kernel] = []
          for (scale, range) in zip(scales.sorted(), quantity.ranges) {
            let text = try device.text(quantity.scales ?? "").split(separator: " ")
              .first { Double($0) == scale }
            try device.set(quantity.scale, String(text ?? ""))
            let said = try device.number(quantity.scale)
            #expect(said == scale)
            // The first conversion after a change is the new range's.
            Thread.sleep(forTimeInterval: 0.1)
            rows.append(
              Kernel(
                range: range, scale: scale,
                raw: try quantity.channels.map { try device.number("\($0)_raw") }))
          }
          kernel.append(rows)
        }
      }
      for (quantity, rows) in zip(oracle.quantities, kernel) {
        var worst = 0.0
        var worstScale = 0.0
        for row in rows {
          let board = try Ours.board(
            oracle.placement(", rate-hz: 100, \(quantity.rangeKey): \(Int(row.range))"),
            spi: oracle.spi)
          let values = quantity.ours(try oracle.onOurSide { _ in try Ours.last(board) })
          let unit = quantity.ofCount(row.range)
          for (ours, theirs) in zip(values, row.raw) {
            let counts = ours / unit
            #expect(abs(counts - counts.rounded()) < 1e-6, "\(oracle): \(counts) is no count")
            worst = max(worst, abs(counts.rounded() - theirs))
          }
          // The scale itself, in our unit; the kernel prints six to nine decimals.
          let printed = quantity.scales == nil ? 0 : row.scale * quantity.kernelUnit
          worstScale = max(worstScale, abs(printed / unit - 1))
        }
        #expect(worst == 0, "\(oracle) \(quantity.device): \(worst) counts apart")
        #expect(worstScale < 2e-3, "\(oracle) \(quantity.device): scales \(worstScale) apart")
        Self.row(
          oracle.description, quantity.channels[0].split(separator: "_")[1].description,
          "\(rows.count) scales x \(quantity.channels.count)", "\(worst) LSB",
          "scale \(worstScale.formatted(.number.precision(.significantDigits(2))))")
      }
    }
  }
}
