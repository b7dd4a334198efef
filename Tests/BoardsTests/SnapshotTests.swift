// SPDX-License-Identifier: Apache-2.0
import Boards
import Foundation
import Testing

/// Every file of `Broken` gives exactly the errors in `Snapshots`. OTOLITH_RECORD=1 writes these;
/// read the differences as a person who has never seen a board file.
@Suite struct SnapshotTests {
  static let names: [String] = (try? Fixtures.yamlFiles(in: Fixtures.folder + "Broken")) ?? []

  @Test func `there are ten broken files at least`() { #expect(Self.names.count >= 10) }

  @Test(arguments: names)
  func `each broken file has the errors of its snapshot`(_ name: String) throws {
    let path = Fixtures.folder + "Broken/" + name
    let errors = try #require(throws: BoardErrors.self) {
      try BoardFile.load(path: path, catalogue: Fixtures.catalogue)
    }
    // The path of the package is removed, because it differs between machines.
    let said = errors.description.replacing(Fixtures.folder, with: "") + "\n"
    let snapshot = Fixtures.folder + "Snapshots/" + name.replacing(".yaml", with: ".txt")
    if Fixtures.isRecording { try Fixtures.write(said, to: snapshot) }
    #expect(said == (try Fixtures.text(snapshot)))
    for error in errors.errors {
      #expect(error.line > 0 && error.column > 0)
      #expect(!error.description.contains("\n"))
    }
  }

  @Test(.disabled(if: Fixtures.isRecording)) func `every snapshot belongs to a test`() throws {
    let snapshots = try FileManager.default.contentsOfDirectory(
      atPath: Fixtures.folder + "Snapshots")
    #expect(
      Set(snapshots) == Set(Self.names.map { $0.replacing(".yaml", with: ".txt") }))
  }
}
