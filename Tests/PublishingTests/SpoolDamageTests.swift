// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import SeededRandom
import Testing

@testable import Publishing

/// Changes to the files of a spool by a faulty disk, a person or another user.
@Suite struct SpoolDamageTests {
  private let folder = NSTemporaryDirectory() + "/otolith-damage-" + UUID().uuidString

  private func message(_ number: Int) -> Message {
    Message(topic: "t/\(number)", payload: Array("payload \(number)".utf8), isRetained: true)
  }

  /// Creates a spool with 60 messages in several files, of which the first 10 are acknowledged.
  private func make() throws {
    try? FileManager.default.removeItem(atPath: folder)
    var spool = try Spool(folder: folder, limit: 8000)
    for number in 0..<60 { _ = try spool.append(message(number)) }
    var lost: UInt64 = 0
    for _ in 0..<10 {
      guard let item = spool.read(lost: &lost) else { continue }
      spool.acknowledge(item.index)
    }
    spool.sync()
    #expect(spool.count == 50)
  }

  /// Returns what the next process finds, and the messages that can be read, in order.
  private func recover() throws -> (damaged: UInt64, waiting: UInt64, read: [Message]) {
    var spool = try Spool(folder: folder, limit: 8000)
    let (damaged, waiting) = (spool.damaged, spool.count)
    var (lost, read): (UInt64, [Message]) = (0, [])
    while let item = spool.read(lost: &lost) {
      read.append(item.message)
      spool.acknowledge(item.index)
    }
    #expect(lost == 0, "damage is counted when the spool is opened")
    #expect(spool.isEmpty)
    #expect(read.count == Int(waiting))
    return (damaged, waiting, read)
  }

  private func edit(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    let url = URL(filePath: folder + "/" + name)
    var bytes = [UInt8](try Data(contentsOf: url))
    change(&bytes)
    try Data(bytes).write(to: url)
  }

  private var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".spool") }.sorted()
  }

  @Test func `any flipped bit costs the message in which it lies and no other`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let name = try #require(files.last)
    let size = try Data(contentsOf: URL(filePath: folder + "/" + name)).count
    for bit in stride(from: 0, to: size * 8, by: 29) {
      try make()
      try edit(name) { $0[bit / 8] ^= 1 << (bit % 8) }
      let found = try recover()
      #expect(found.damaged == 1 && found.waiting == 49, "bit \(bit)")
      #expect(found.read == (10..<60).map(message).filter(found.read.contains), "bit \(bit)")
    }
  }

  /// Arrived + waiting + dropped = made, whatever happens to one copy of the position and to the
  /// files.
  @Test(arguments: 0..<60)
  func `flips, cuts and holes lose nothing without a count`(_ seed: Int) throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var random = SplitMix(state: UInt64(seed))
    let position = seed % 2 == 0 ? "position" : "position.copy"
    for name in files + [position] {
      try edit(name) { bytes in
        for _ in 0..<Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: bytes.removeLast(bytes.count - place)
          case 1: bytes.insert(contentsOf: [0xFF, 0x53, 0x50, 0x4C, 7], at: place)
          case 2: bytes.removeSubrange(place..<min(place + 50, bytes.count))
          case 3: bytes.append(contentsOf: bytes[..<place])
          default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          }
        }
      }
    }
    let found = try recover()
    #expect(found.damaged + found.waiting == 50)
    #expect(found.read == (10..<60).map(message).filter(found.read.contains))
  }

  @Test(arguments: ["", "1 7                                     ", "9 9 0 1", "\u{0}", "x"])
  func `a wrong position loses nothing and brings nothing twice`(_ text: String) throws {
    for name in ["position", "position.copy"] {
      try make()
      try edit(name) { $0 = Array(text.utf8) }
      let found = try recover()
      #expect(found.damaged == 0 && found.read == (10..<60).map(message))
    }
    // Without both copies, acknowledged messages still in the files may be sent again.
    try make()
    for name in ["position", "position.copy"] { try edit(name) { $0 = Array(text.utf8) } }
    let found = try recover()
    #expect(found.damaged == 0 && found.read.suffix(50) == (10..<60).map(message)[...])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func `the position of another moment or another spool passes over nothing`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for position in [
      SpoolPosition(base: 0, end: 3, lost: 0), SpoolPosition(base: 5000, end: 5000, lost: 0),
      SpoolPosition(base: 0, end: 1 << 61, lost: 0),
    ] {
      try make()
      try edit("position") { $0 = position.bytes }
      let found = try recover()
      #expect(found.damaged == 0 && found.read.suffix(50) == (10..<60).map(message)[...])
    }
  }

  @Test func `what was counted as lost is not counted again by the next process`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let name = try #require(files.last)
    try edit(name) { $0[$0.count - 1] ^= 1 }
    for damaged: UInt64 in [1, 0, 0] {
      var spool = try Spool(folder: folder, limit: 8000)
      #expect(spool.damaged == damaged && spool.count == 49)
      spool.sync()
    }
    var spool = try Spool(folder: folder, limit: 8000)
    _ = try spool.append(message(60))
    #expect(spool.count == 50)
  }

  @Test func `a whole file that is gone is counted`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let name = try #require(files.first { $0 == files[1] })
    try FileManager.default.removeItem(atPath: folder + "/" + name)
    let found = try recover()
    #expect(found.damaged > 0 && found.damaged + found.waiting == 50)
  }

  @Test(arguments: [
    "9223372036854775807.spool", "99999999999999999999999.spool", "00000000.spool", "1.spool",
    "-1.spool", "a.spool", ".spool", "٣.spool",
  ])
  func `a file of any name ends nothing`(_ name: String) throws {
    for text in ["", "rubbish"] {
      try make()
      try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
      let found = try recover()
      #expect(found.damaged == 0 && found.read == (10..<60).map(message))
      // Its number does not fit those that follow.
      var spool = try Spool(folder: folder, limit: 8000)
      _ = try spool.append(message(1))
      #expect(spool.count == 1)
    }
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test(arguments: ["00000099.spool", "position", "position.copy"])
  func `no link is followed`(_ name: String) throws {
    let victim = folder + "-victim"
    defer { for path in [folder, victim] { try? FileManager.default.removeItem(atPath: path) } }
    for isHard in [false, true] {
      try make()
      try Data("precious".utf8).write(to: URL(filePath: victim))
      let path = folder + "/" + name
      try? FileManager.default.removeItem(atPath: path)
      if isHard {
        try FileManager.default.linkItem(atPath: victim, toPath: path)
      } else {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
      }
      #expect(
        throws: PublishError.file(
          "\(path): is not a regular file that only this user can access; remove it, or name "
            + "another folder with --spool")
      ) { try Spool(folder: folder, limit: 8000) }
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }
  }

  @Test func `a folder that is a link is refused`() throws {
    try make()
    let link = folder + "-link"
    defer { for path in [folder, link] { try? FileManager.default.removeItem(atPath: path) } }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    for path in [link, link + "/"] {
      #expect(
        throws: PublishError.file(
          "\(path): is a symbolic link; name the folder that it leads to with --spool")
      ) { try Spool(folder: path, limit: 8000) }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func `the folder or a file of another user is refused`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try make()
    // The path is used only during the call, here and below.
    #expect(unsafe chown(folder, 65_534, 65_534) == 0)
    #expect(
      throws: PublishError.file(
        "\(folder): belongs to user 65534, who could replace the stored messages; name a folder of "
          + "your own with --spool")
    ) { try Spool(folder: folder, limit: 8000) }
    try make()
    #expect(unsafe chown(folder + "/position", 65_534, 65_534) == 0)
    #expect(throws: PublishError.self) { try Spool(folder: folder, limit: 8000) }
  }
}
