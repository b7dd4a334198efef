// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import ChipCatalog
import Foundation
import Quantities
import Testing

/// Every fault that the documents write for `--fault` is valid.
@Suite struct FaultExamplesTests {
  private static let board = """
    otolith-board: 1
    name: Examples
    buses: { i2c: { simulated: i2c } }
    chips:
      imu: { chip: mpu6050, on: i2c, address: 0x68 }
      mpu6050: { chip: mpu6050, on: i2c, address: 0x69 }
      compass: { chip: lis3mdl, on: i2c, address: 0x1C }

    """

  /// Returns every text in backquotes or quotes that begins with the kind of a fault and has keys.
  private static func examples(in page: String) throws -> [String] {
    let kinds = FaultKind.allCases.map(\.rawValue)
    return try Fixtures.text(Fixtures.root + page)
      .matches(of: /[`']([a-z-]+(?:\s+[^\s`'=]+=[^\s`']+)+)[`']/)
      .map { String($0.1) }
      .filter { text in kinds.contains { text.hasPrefix($0 + " ") } }
  }

  @Test func `each fault that a document spells is one that the option takes`() throws {
    let board = try BoardFile.parse(
      Self.board, file: "examples.yaml", catalogue: ChipCatalog.descriptions)
    let names = try FileManager.default.subpathsOfDirectory(atPath: Fixtures.root + "docs")
    var count = 0
    for page in names.filter({ $0.hasSuffix(".md") }).map({ "docs/" + $0 }) + ["README.md"] {
      for example in try Self.examples(in: page) {
        count += 1
        do throws(BoardErrors) {
          _ = try BoardFile.fault(example, for: board, option: "--fault")
        } catch { Issue.record("\(page): \(error)") }
      }
    }
    // The two tables of faults.md alone contain 25 examples.
    #expect(count > 25, "\(count) examples were found")
  }

  @Test func `the table of faults says how long each lasts`() throws {
    let board = try BoardFile.parse(
      Self.board, file: "examples.yaml", catalogue: ChipCatalog.descriptions)
    let examples = try Self.examples(in: "docs/reference/faults.md")
    #expect(examples.contains("stuck-bus at-s=2 for-s=0.5"))
    let fault = try BoardFile.fault(
      "stuck-bus at-s=2 for-s=0.5", for: board, option: "--fault")
    #expect(fault.duration == .milliseconds(500) && fault.occurrence == .at(.seconds(2)))
  }
}
