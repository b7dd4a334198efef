// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Testing

/// The documented parameters equal those of the engine.
@Suite struct ParameterTableTests {
  @Test func `the page on fusion lists every parameter with its default`() throws {
    try compare("## Parameters", with: FusionEngine.Params())
  }

  @Test func `the page lists every parameter of the magnetometer's calibration with its default`()
    throws
  {
    try compare(
      "### Parameters of the magnetometer's calibration", with: MagneticCalibrator.Params())
  }

  private func compare(_ heading: String, with parameters: Any) throws {
    var folder = URL(filePath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    let page = try String(contentsOf: folder.appending(path: "docs/fusion.md"), encoding: .utf8)
    var rows: [String: (value: String, unit: String)] = [:]
    let sections = page.components(separatedBy: "\n\(heading)\n")
    #expect(sections.count == 2, "\(heading)")
    let table = try #require(sections.last?.components(separatedBy: "\n#").first)
    for line in table.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].hasPrefix("`") else { continue }
      let name = cells[0].trimmingCharacters(in: ["`"])
      #expect(rows[name] == nil, "\(name) is there twice")
      rows[name] = (cells[1], cells[2])
    }
    for (label, value) in Mirror(reflecting: parameters).children {
      let name = try #require(label)
      guard let row = rows.removeValue(forKey: name) else {
        Issue.record("\(name) is missing")
        continue
      }
      if let isOn = value as? Bool {
        #expect(row.value == "\(isOn)", "\(name)")
      } else if let carrier = value as? Carrier {
        #expect(row.value == "\(carrier)", "\(name)")
      } else if row.value == "nil" {
        #expect((value as? Double?) == .some(nil), "\(name)")
      } else {
        let number = try #require(value as? Double)
        let written = try #require(Double(row.value), "\(name)")
        let unit = row.unit.hasPrefix("degrees") ? degree : row.unit == "ms" ? 0.001 : 1
        #expect(abs(number - written * unit) <= 1e-12 * number, "\(name) is \(number)")
      }
    }
    #expect(rows.isEmpty, "no such parameters")
  }
}
