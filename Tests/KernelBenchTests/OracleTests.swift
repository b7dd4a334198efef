// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Quantities
import Runtime
import Testing

extension KernelBenchTests {
  /// The kernel's drivers and otolith's on the same chips in the same constant world, one after the
  /// other. Each comparison prints a row of the oracle table.
  @Suite(.serialized) struct OracleTests {
    static let held =
      "acceleration=0.31,-0.52,-0.79;rotation-rate=0.5,-0.25,1;magnetic-field=20,-5,-42;"
      + "pressure=98.7;temperature=31.5;humidity=45"

    /// Returns the range as written in board files.
    private static func plain(_ range: Double) -> String {
      range == range.rounded() ? "\(Int(range))" : "\(range)"
    }

    private static func row(_ cells: String...) {
      print("oracle: | \(cells.joined(separator: " | ")) |")
    }

    /// The kernel's values of a quantity at each of its scales.
    private struct Kernel {
      var range: Double
      /// The scale as the kernel prints it.
      var scale: String
      var raw: [Double]
    }

    @Test(arguments: Oracle.all)
    func `counts and scales are the kernel's, in every range`(oracle: Oracle) throws {
      try BenchServer.serve(oracle.board, hold: Self.held)
      let words = oracle.words()
      var kernel: [[Kernel]] = []
      try VirtualBench.with(words.new, gone: words.delete) {
        for quantity in oracle.quantities {
          let device = try IIODevice(named: quantity.device)
          for file in oracle.files { try device.set(file.name, file.value) }
          let scales = try device.text(quantity.scales ?? quantity.scale).split(separator: " ")
            .map(String.init)
            .sorted { (Double($0) ?? 0) < (Double($1) ?? 0) }
          // Every full scale of otolith is one of the kernel's, in the same order.
          try #require(scales.count == quantity.ranges.count, "\(scales)")
          var rows: [Kernel] = []
          for (scale, (range, _)) in zip(scales, quantity.ranges) {
            if quantity.scales != nil { try device.set(quantity.scale, scale) }
            let said = try device.text(quantity.scale)
            #expect(Double(said) == Double(scale))
            // The first conversion after the change has the new range.
            Thread.sleep(forTimeInterval: 0.1)
            rows.append(
              Kernel(
                range: range, scale: said,
                raw: try quantity.channels.map { try device.number("\($0)_raw") }))
          }
          kernel.append(rows)
        }
      }
      for (quantity, rows) in zip(oracle.quantities, kernel) {
        var worst = 0.0
        var worstScale = 0.0
        for (row, (_, unit)) in zip(rows, quantity.ranges) {
          let board = try Ours.board(
            oracle.placement(
              ", rate-hz: \(oracle.rate), \(quantity.rangeKey): \(Self.plain(row.range))"),
            spi: oracle.spi)
          let values = quantity.ours(try oracle.onOurSide { _ in try Ours.last(board) })
          for (ours, theirs) in zip(values, row.raw) {
            let counts = ours / unit
            worst = max(worst, abs(counts - theirs))
          }
          // The kernel's scale is accurate to its last printed place, the data sheet's to its three
          // or four digits.
          let scale = try #require(Double(row.scale))
          let decimals = row.scale.split(separator: ".").last?.count ?? 0
          let difference = abs(scale * quantity.kernelUnit / unit - 1)
          #expect(
            difference < pow(10, -Double(decimals)) / scale + quantity.tolerance,
            "\(oracle): \(row.scale)")
          worstScale = max(worstScale, difference)
        }
        #expect(
          worst < quantity.countTolerance, "\(oracle) \(quantity.device): \(worst) counts apart")
        Self.row(
          oracle.description, quantity.channels[0].split(separator: "_")[1].description,
          "\(rows.count) scales x \(quantity.channels.count)",
          "\(worst.formatted(.number.precision(.significantDigits(2)))) LSB",
          "scale \(worstScale.formatted(.number.precision(.significantDigits(2))))")
      }
    }
  }
}
