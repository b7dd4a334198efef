// SPDX-License-Identifier: Apache-2.0
import Foundation
import Recordings
import Testing

@Suite struct FileWriterTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `the old file stays until the commit`() throws {
    try inFolder { folder in
      let path = folder + "/motion.csv"
      try "old".write(toFile: path, atomically: true, encoding: .utf8)
      var writer = try FileWriter(path: path)
      try writer.write(Array("new ".utf8))
      try writer.write(Array("text".utf8))
      #expect(try text(path) == "old")
      // There is no file that a signal would leave behind.
      #expect(try names(folder) == ["motion.csv"])
      try writer.commit()
      #expect(try text(path) == "new text")
      #expect(try names(folder) == ["motion.csv"])
    }
  }

  @Test func `nothing stays without a commit`() throws {
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

  @Test func `a link stays a link`() throws {
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

  @Test func `a link to a file that is not there yet has it made`() throws {
    try inFolder { folder in
      let files = FileManager.default
      try files.createDirectory(atPath: folder + "/far", withIntermediateDirectories: false)
      try files.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: "far/other")
      try files.createSymbolicLink(atPath: folder + "/far/other", withDestinationPath: "new.csv")
      var writer = try FileWriter(path: folder + "/link")
      try writer.write(Array("new".utf8))
      try writer.commit()
      #expect(try text(folder + "/far/new.csv") == "new")
      #expect(try files.destinationOfSymbolicLink(atPath: folder + "/link") == "far/other")
      #expect(try names(folder + "/far") == ["new.csv", "other"])
    }
  }

  @Test func `links that form a cycle are reported`() throws {
    try inFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/a", withDestinationPath: "a")
      #expect(
        throws: FileWriterError(
          .cannotCreate, file: folder + "/a", reason: "its symbolic links form a loop")
      ) { _ = try FileWriter(path: folder + "/a") }
      #expect(try names(folder) == ["a"])
    }
  }

  @Test func `a link is refused where it may be another's`() throws {
    try inFolder { folder in
      let link = folder + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "victim")
      #expect(throws: FileWriterError(.cannotCreate, file: link, reason: "it is a link")) {
        _ = try FileWriter(path: link, followsLinks: false)
      }
      #expect(try names(folder) == ["link"])
    }
  }

  @Test func `a named pipe is written into and stays one`() throws {
    try inFolder { folder in
      let path = folder + "/pipe"
      // The system calls use the paths only during the calls.
      try #require(unsafe mkfifo(path, 0o600) == 0)
      let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)  // as above
      try #require(reader >= 0)
      let file = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
      var writer = try FileWriter(path: path, permissions: 0o644)
      try writer.write(Array("new".utf8))
      try writer.commit()
      #expect(try file.readToEnd() == Data("new".utf8))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try names(folder) == ["pipe"])
    }
  }

  /// As with `>> log` and -o /dev/fd/3, the existing content and the file are kept.
  @Test func `an open descriptor is written to where it stands`() throws {
    try inFolder { folder in
      let path = folder + "/log"
      try "old ".write(toFile: path, atomically: true, encoding: .utf8)
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.seekToEnd()
      for name in ["/dev/fd/", "/proc/self/fd/"] {
        var writer = try FileWriter(path: name + "\(file.fileDescriptor)")
        try writer.write(Array("new ".utf8))
        try writer.commit()
      }
      try file.write(contentsOf: Data("end".utf8))
      #expect(try text(path) == "old new new end")
      #expect(try names(folder) == ["log"])
    }
  }

  /// If a personal file were open to all users while it was empty, it could be read later.
  @Test func `a file of its user alone is that from the first moment`() throws {
    try inFolder { folder in
      let path = folder + "/steps.csv"
      try "old".write(toFile: path, atomically: true, encoding: .utf8)
      var writer = try FileWriter(path: path, permissions: 0o600)
      // No other test that runs at the same time writes a file of this length.
      let length = 40_961
      try writer.write([UInt8](repeating: 0x61, count: length))
      // The file has no name yet, but is among this process's descriptors.
      var modes: [UInt32] = []
      for name in try names("/proc/self/fd") {
        var status = stat()
        // `stat` uses the path and the status only during the call.
        guard unsafe stat("/proc/self/fd/" + name, &status) == 0, status.st_nlink == 0,
          status.st_mode & S_IFMT == S_IFREG, status.st_size == length
        else { continue }
        modes.append(status.st_mode & 0o777)
      }
      #expect(modes.contains(0o600) && !modes.contains { $0 & 0o077 != 0 }, "\(modes)")
      try writer.commit()
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `what root replaces stays its owner's`() throws {
    try inFolder { folder in
      let path = folder + "/motion.csv"
      try "old".write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.ownerAccountID: 54321, .groupOwnerAccountID: 54322, .posixPermissions: 0o640],
        ofItemAtPath: path)
      var writer = try FileWriter(path: path)
      try writer.write(Array("new".utf8))
      try writer.commit()
      let found = try FileManager.default.attributesOfItem(atPath: path)
      #expect(found[.ownerAccountID] as? Int == 54321)
      #expect(found[.groupOwnerAccountID] as? Int == 54322)
      #expect(found[.posixPermissions] as? Int == 0o640)
    }
  }

  @Test func `permissions of the old file stay`() throws {
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

  /// Neither the umask nor the old file's permissions matter.
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

  @Test func `devices are written to and stay`() throws {
    var writer = try FileWriter(path: "/dev/null")
    try writer.write([1, 2, 3])
    try writer.commit()
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(type as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test func `a full disk is an error`() throws {
    var writer = try FileWriter(path: "/dev/full")
    #expect(
      throws: FileWriterError(.failed, file: "/dev/full", reason: "No space left on device")
    ) { try writer.write([1]) }
  }

  @Test(arguments: [
    ("/nowhere/motion.csv", "there is no folder '/nowhere/'"), ("/tmp", "it is a directory"),
  ])
  func `a file that cannot be created is reported with the reason`(path: String, reason: String) {
    do {
      _ = try FileWriter(path: path)
      Issue.record("expected an error")
    } catch {
      #expect(error.kind == .cannotCreate)
      #expect(error.description == "\(path): cannot be written: \(reason)")
    }
  }
}
