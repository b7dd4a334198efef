// SPDX-License-Identifier: Apache-2.0
import Foundation
import Recordings
import Testing

@Suite struct FileWriterTests {
  /// Runs `body` in a fresh folder.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("otolith-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func nothingIsThereBeforeCommit() throws {
    try inFolder { folder in
      let path = folder + "/motion.csv"
      try "old".write(toFile: path, atomically: true, encoding: .utf8)
      var writer = try FileWriter(path: path)
      try writer.write(Array("new ".utf8))
      try writer.write(Array("text".utf8))
      #expect(try text(path) == "old")
      #expect(try names(folder).count == 2)
      try writer.commit()
      #expect(try text(path) == "new text")
      #expect(try names(folder) == ["motion.csv"])
    }
  }

  @Test func nothingStaysWithoutCommit() throws {
    try inFolder { folder in
      do {
        var writer = try FileWriter(path: folder + "/motion.csv")
        try writer.write([1, 2, 3])
      }
      #expect(try names(folder) == [])
    }
  }

  @Test func `of two writers of one file neither sees the other's rows`() throws {
    try inFolder { folder in
      let path = folder + "/motion.csv"
      var first = try FileWriter(path: path)
      var second = try FileWriter(path: path)
      try first.write(Array("first".utf8))
      try second.write(Array("second".utf8))
      try second.commit()
      try first.commit()
      #expect(try text(path) == "first")
      #expect(try names(folder) == ["motion.csv"])
    }
  }

  @Test func aLinkStaysALink() throws {
    try inFolder { folder in
      let (target, link) = (folder + "/target.csv", folder + "/link.csv")
      try "old".write(toFile: target, atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      var writer = try FileWriter(path: link)
      try writer.write(Array("new".utf8))
      try writer.commit()
      #expect(try text(target) == "new")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    }
  }

  @Test func permissionsOfTheOldFileStay() throws {
    try inFolder { folder in
      let path = folder + "/motion.csv"
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: Data(), attributes: [.posixPermissions: 0o600]))
      let writer = try FileWriter(path: path)
      try writer.commit()
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  /// Whatever the umask, and whatever the old file had.
  @Test func `a file has the permissions that are asked for`() throws {
    try inFolder { folder in
      let path = folder + "/calibration.yaml"
      for mode in [0o644, 0o600] as [UInt16] {
        let writer = try FileWriter(path: path, permissions: mode)
        try writer.commit()
        let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(found as? Int == Int(mode))
      }
    }
  }

  @Test func devicesAreWrittenThroughAndStay() throws {
    var writer = try FileWriter(path: "/dev/null")
    try writer.write([1, 2, 3])
    try writer.commit()
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(type as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test func aFullDiskIsAnError() throws {
    var writer = try FileWriter(path: "/dev/full")
    #expect(
      throws: FileWriterError(.failed, file: "/dev/full", reason: "No space left on device")
    ) { try writer.write([1]) }
  }

  @Test(arguments: [
    ("/nowhere/motion.csv", "there is no folder '/nowhere/'"), ("/tmp", "it is a directory"),
  ])
  func `a file that cannot be made is told with why`(path: String, reason: String) {
    do {
      _ = try FileWriter(path: path)
      Issue.record("expected an error")
    } catch {
      #expect(error.kind == .cannotCreate)
      #expect(error.description == "\(path): cannot be written: \(reason)")
    }
  }
}
