// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ChipCatalog
import Foundation
import Quantities
import Runtime
import Testing

/// Runs all checks on simulated boards in virtual time. The faults are known to the test, and to
/// the checks only through the bus.
@Suite struct BringUpTests {
  /// An MPU-6050 with its line, and a compass, as in boards/simulated.yaml, with faults.
  static func board(_ faults: String = "", extra: String = "") throws -> Board {
    try BoardFile.parse(
      """
      otolith-board: 1
      name: New board
      buses: { i2c1: { simulated: i2c } }
      chips:
        imu:
          chip: invensense,mpu6050
          on: i2c1
          address: 0x68
          interrupt: simulated
          rate-hz: 100
          \(extra)
        compass: { chip: "st,lis3mdl", on: i2c1, address: 0x1C, interrupt: simulated, rate-hz: 20 }
      simulation: { faults: [\(faults)] }
      """, file: "new.yaml", catalogue: ChipCatalog.descriptions)
  }

  static func report(_ board: Board) -> BringUpReport {
    var options = BoardBringUp.Options()
    options.span = .seconds(1)
    options.noiseSpan = .seconds(4)
    return BoardBringUp.run(board, options)
  }

  @Test func `nothing is wrong with a good board, and every check was made`() throws {
    let report = Self.report(try Self.board())
    #expect(report.findings == [], "\(report.checks)")
    #expect(report.isGood)
    let made = report.checks.filter { $0.state == .passed }.map {
      "\($0.check) \($0.subject ?? "")"
    }
    for chip in ["imu", "compass"] {
      for check in ["identity", "self-test", "interrupt", "bus errors", "noise"] {
        #expect(made.contains("\(check) \(chip)"), "\(check) of \(chip): \(made)")
      }
    }
    #expect(made.contains("fifo imu") && made.contains("axes ") && made.contains("bus i2c1"))
  }

  @Test(arguments: [
    ("{ fault: wrong-address, chip: imu }", Cause.wrongAddress, "imu"),
    ("{ fault: wrong-address, chip: compass }", .wrongAddress, "compass"),
    ("{ fault: stuck-interrupt, chip: imu }", .deadInterrupt, "imu"),
    ("{ fault: swapped-axes, chip: imu }", .swappedAxes, "imu"),
    ("{ fault: swapped-axes, chip: compass }", .swappedAxes, "compass"),
    ("{ fault: stuck-bus }", .stuckBus, "i2c1"),
    ("{ fault: timeout, chip: imu }", .noAnswer, "imu"),
    ("{ fault: timeout, chip: compass }", .noAnswer, "compass"),
    ("{ fault: inverted-interrupt, chip: imu }", .interruptPolarity, "imu"),
    ("{ fault: inverted-interrupt, chip: compass }", .interruptPolarity, "compass"),
    ("{ fault: wrong-chip, chip: imu }", .wrongChip, "imu"),
    ("{ fault: wrong-chip, chip: imu, identity: 0x71 }", .wrongChip, "imu"),
    ("{ fault: noisy-supply, chip: imu }", .noisySupply, "imu"),
    ("{ fault: noisy-supply, chip: compass }", .noisySupply, "compass"),
  ])
  func `a fault of one chip is named, and nothing else`(
    _ fault: String, _ cause: Cause, _ subject: String
  ) throws {
    let report = Self.report(try Self.board(fault))
    #expect(report.findings.map(\.cause) == [cause], "\(report.findings)")
    #expect(report.findings.first?.subject == subject)
    #expect(!report.isGood && report.findings.first?.steps.isEmpty == false)
  }

  @Test(arguments: [
    ("{ fault: swapped-axes }", Cause.swappedAxes), ("{ fault: noisy-supply }", .noisySupply),
    ("{ fault: stuck-interrupt }", .deadInterrupt), ("{ fault: wrong-address }", .wrongAddress),
    ("{ fault: wrong-chip }", .wrongChip),
  ])
  func `what befalls all chips is named for each`(_ fault: String, _ cause: Cause) throws {
    let report = Self.report(try Self.board(fault))
    #expect(report.findings.map(\.cause) == [cause, cause], "\(report.findings)")
    #expect(Set(report.findings.map(\.subject)) == ["imu", "compass"])
  }

  @Test func `a finding of several checks about one bus is reported once`() throws {
    let report = Self.report(try Self.board("{ fault: nack, probability: 0.01 }"))
    #expect(report.findings.map(\.cause) == [.unreliableBus], "\(report.findings)")
    #expect(report.findings.first?.subject == "i2c1")
    #expect(report.findings.first?.evidence.contains("; of ") == true)
    #expect(!report.verdict.contains("more"))
  }

  @Test func `lost transfers are no failing supply, and wrong bits no noisy one`() throws {
    for fault in [
      "{ fault: nack, probability: 0.01 }, { fault: swapped-axes, chip: imu }",
      "{ fault: bit-flip, probability: 0.01 }",
    ] {
      let causes = Self.report(try Self.board(fault)).findings.map(\.cause)
      #expect(causes.contains(.unreliableBus), "\(causes)")
      #expect(!causes.contains(.brownOut) && !causes.contains(.noisySupply), "\(causes)")
    }
  }

  @Test func `the address to write needs no general advice behind it`() throws {
    let report = Self.report(try Self.board("{ fault: wrong-address, chip: imu }"))
    #expect(
      report.findings.first?.steps == [
        "write 'address: 0x69' for 'imu' into new.yaml", "or tie AD0 low (ground)",
      ])
  }

  @Test func `the mounting that was measured is the line to write`() throws {
    // The fault turns the chip by a quarter turn to the left: its x axis points along the device's
    // -y (docs/reference/board-files.md).
    let report = Self.report(try Self.board("{ fault: swapped-axes, chip: imu }"))
    let step = try #require(report.findings.first?.steps.first)
    let line = try #require(step.firstMatch(of: /mounting: (\[[^\]]*\])/)?.1)
    let mended = try Self.board("{ fault: swapped-axes, chip: imu }", extra: "mounting: \(line)")
    // The fault turns the mounting of the file, and the reported mounting must be the result.
    #expect(mended.chips[0].mounting != (try Self.board()).chips[0].mounting)
  }

  @Test func `the page holds every check and finding, and needs nothing from elsewhere`() throws {
    let report = Self.report(try Self.board("{ fault: stuck-interrupt, chip: imu }"))
    let html = ReportPage(report).html
    #expect(html.contains("id=\"dead-interrupt\""))
    #expect(
      html.contains("<svg") && html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
    for word in ["http://", "https://", "src=\"h", "src=\"/", "<link", "<script", "@import"] {
      let text = html.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!text.contains(word), "\(word)")
    }
    #expect(XMLNode.isWellFormed(html))
  }

  @Test func `a failed section is marked, and each axis and the data sheet have a column`() throws {
    let report = Self.report(try Self.board("{ fault: stuck-interrupt, chip: imu }"))
    let html = ReportPage(report).html
    #expect(
      html.contains(
        "<h2>interrupt of imu <span class=\"pill failed\">failed</span></h2>"))
    let noise = try #require(report.checks.first { $0.check == "noise" && $0.subject == "imu" })
    #expect(noise.heads == ["figure", "x", "y", "z", "data sheet", "unit"])
    #expect(noise.rows.allSatisfy { $0.cells.count == 5 })
    // RM-MPU-6000A PS, sections 6.1 and 6.2: 400 ug and 0.005 deg/s, both / sqrt(Hz).
    let density = noise.rows.filter { $0.name.hasSuffix("noise density") }
      .map { $0.cells.suffix(2) }
    #expect(density == [["400", "ug/sqrt(Hz)"], ["0.00500", "deg/s/sqrt(Hz)"]])
    // A phone shows a page 390 points wide, margins included, so no picture may be wider.
    let widths = html.matches(of: /class="otolith-plot" width="(\d+)"/).compactMap { Int($0.1) }
    #expect(!widths.isEmpty && widths.allSatisfy { $0 <= 390 }, "\(widths)")
  }

  /// Another person's board file contains this name. A browser sees a quote even if a combining
  /// mark follows it.
  @Test func `no text of a board file becomes markup of the page`() throws {
    var board = try Self.board()
    board.name = "x\"\u{308} onerror=alert(1) '\u{301} y=<\u{308}script>"
    let html = ReportPage(Self.report(board)).html
    let scalars = Array(html.unicodeScalars)
    for (index, scalar) in scalars.enumerated() where ["\u{308}", "\u{301}"].contains(scalar) {
      #expect(scalars[index - 1] == ";", "escaped before a mark")
    }
    #expect(html.contains("x&quot;\u{308} onerror=alert(1) &#39;\u{301} y=&lt;\u{308}script"))
    #expect(
      html.contains(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          + "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"))
  }
}

/// A parser that counts whether every element of the page is closed, which suffices for a page
/// without scripts.
private enum XMLNode {
  static func isWellFormed(_ html: String) -> Bool {
    var open: [Substring] = []
    let empty: Set<Substring> = ["meta", "!DOCTYPE", "img"]
    for match in html.matches(of: /<(\/?)([A-Za-z!][A-Za-z0-9]*)([^>]*?)(\/?)>/) {
      let (_, closing, name, _, selfClosing) = match.output
      if empty.contains(name) || !selfClosing.isEmpty { continue }
      if closing.isEmpty {
        open.append(name)
      } else if open.popLast() != name {
        return false
      }
    }
    return open.isEmpty
  }
}
