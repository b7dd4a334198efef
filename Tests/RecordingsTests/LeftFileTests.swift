// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import Recordings
import Testing

/// Temporary files of writers that were killed.
@Suite struct LeftFileTests {
  private let folder =
    FileManager.default.temporaryDirectory
    .appending(path: "left-\(UUID().uuidString)").path() + "/"

  private func leave(_ name: String, age: Double) throws {
    try "half".write(toFile: folder + name, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date() - age], ofItemAtPath: folder + name)
  }

  /// Returns the identifier of a process that has ended and was waited for.
  private static func gone() throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    return process.processIdentifier
  }

  @Test func `the next writer removes what a killed one left, and nothing else`() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let gone = try Self.gone()
    let own = ProcessInfo.processInfo.processIdentifier
    try leave(".otolith-\(gone)-0.part", age: 120)
    // Files that must stay: new ones, as from another container; one of a living process; other
    // names.
    let stay = [
      ".otolith-\(gone)-1.part", ".otolith-\(gone)-x.part", ".otolith-\(own)-7.part",
      "otolith-\(gone)-0.part",
    ]
    for (name, age) in zip(stay, [0.0, 120, 120, 120]) { try leave(name, age: age) }
    try FileManager.default.createSymbolicLink(
      atPath: folder + ".otolith-\(gone)-2.part", withDestinationPath: "nowhere")
    var writer = try FileWriter(path: folder + "new")
    try writer.write(Array("whole".utf8))
    try writer.commit()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(names) == Set(stay + [".otolith-\(gone)-2.part", "new"]))
  }

  /// tmpfs stores any 64 bits of seconds.
  @Test func `a file of any time has an age`() {
    let now = time(nil)
    #expect(FileWriter.Place.isOld(.min) && FileWriter.Place.isOld(now - 61))
    #expect(!FileWriter.Place.isOld(.max) && !FileWriter.Place.isOld(now))
  }
}
