// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Publishing

@Suite struct SpoolTests {
  private func folder() -> String {
    NSTemporaryDirectory() + "/otolith-spool-" + UUID().uuidString
  }

  private func message(_ number: Int) -> Message {
    Message(topic: "t/\(number)", payload: Array("payload \(number)".utf8))
  }

  private func next(
    _ spool: inout Spool
  ) throws -> (index: Spool.Index, message: Message) {
    var lost: UInt64 = 0
    let item = spool.read(lost: &lost)
    #expect(lost == 0)
    return try #require(item)
  }

  private func take(_ index: Spool.Index, _ spool: inout Spool) {
    let isTaken = spool.acknowledge(index)
    #expect(isTaken)
  }

  @Test func `what goes in comes out in order and leaves no files`() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var spool = try Spool(folder: folder, limit: 10_000)
    for number in 0..<50 {
      let dropped = try spool.append(message(number))
      #expect(dropped == 0)
    }
    #expect(spool.count == 50)
    var lost: UInt64 = 0
    for number in 0..<50 {
      let item = try next(&spool)
      #expect(item.message == message(number))
      take(item.index, &spool)
    }
    let after = spool.read(lost: &lost)
    #expect(after == nil)
    #expect(spool.isEmpty)
    #expect(lost == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.sorted() == ["position", "position.copy"])
  }

  @Test func `what was not acknowledged is read again by the next process`() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      var spool = try Spool(folder: folder, limit: 4000)
      for number in 0..<40 { _ = try spool.append(message(number)) }
      var items: [Spool.Index] = []
      for _ in 0..<20 { items.append(try next(&spool).index) }
      // Acknowledged out of order: 19 stays first.
      for index in items.dropFirst() { take(index, &spool) }
      #expect(spool.count == 21)
      spool.rewind()
      var again = try next(&spool).message
      #expect(again == message(0))
      // Acknowledged messages are not read again.
      again = try next(&spool).message
      #expect(again == message(20))
      take(items[0], &spool)
      #expect(spool.count == 20)
      spool.sync()
    }
    var spool = try Spool(folder: folder, limit: 4000)
    #expect(spool.count == 20)
    for number in 20..<40 {
      let item = try next(&spool)
      #expect(item.message == message(number))
      take(item.index, &spool)
    }
    #expect(spool.isEmpty)
  }

  @Test func `of more than it holds the oldest go and are counted`() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var spool = try Spool(folder: folder, limit: 4096)
    var dropped: UInt64 = 0
    for number in 0..<1000 { dropped += try spool.append(message(number)) }
    #expect(dropped > 0)
    #expect(dropped + spool.count == 1000)
    let bytes = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".spool")
    }.map {
      try FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.size] as? Int ?? 0
    }.reduce(0, +)
    #expect(bytes <= 4096)
    // More than half of the limit is used, and an eighth of it is dropped at once.
    #expect(bytes > 2048)
    let first = try next(&spool)
    #expect(first.message == message(Int(dropped)))
    // It was dropped while in flight, so it does not count twice.
    for number in 1000..<2000 { dropped += try spool.append(message(number)) }
    let isTaken = spool.acknowledge(first.index)
    #expect(!isTaken)
    #expect(dropped + spool.count == 2000)
  }

  @Test func `a spool of no size keeps nothing and counts all`() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var spool = try Spool(folder: folder, limit: 0)
    let dropped = try spool.append(message(1))
    #expect(dropped == 1)
    #expect(spool.isEmpty)
  }

  @Test func `a torn end is counted and the rest comes`() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      var spool = try Spool(folder: folder, limit: 100_000)
      for number in 0..<10 { _ = try spool.append(message(number)) }
    }
    let file = folder + "/00000001.spool"
    var bytes = try Data(contentsOf: URL(filePath: file))
    bytes.removeLast(5)
    try bytes.write(to: URL(filePath: file))
    var spool = try Spool(folder: folder, limit: 100_000)
    #expect(spool.count == 9)
    #expect(spool.damaged == 1)
    // The next message is appended after the complete ones.
    _ = try spool.append(message(99))
    var lost: UInt64 = 0
    var last: Message?
    while let item = spool.read(lost: &lost) { last = item.message }
    #expect(last == message(99))
    #expect(lost == 0)
  }

  @Test func `damage on the disk is counted and ends nothing`() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var spool = try Spool(folder: folder, limit: 1600)
    for number in 0..<20 { _ = try spool.append(message(number)) }
    let kept = spool.count
    let file = folder + "/00000002.spool"
    var bytes = try Data(contentsOf: URL(filePath: file))
    bytes[20] ^= 1
    // Write in place, because the spool has the file open.
    let handle = try #require(FileHandle(forUpdatingAtPath: file))
    try handle.write(contentsOf: bytes)
    var (lost, read): (UInt64, UInt64) = (0, 0)
    while let item = spool.read(lost: &lost) {
      read += 1
      spool.acknowledge(item.index)
    }
    #expect(lost > 0)
    #expect(read + lost == kept)
    #expect(spool.isEmpty)
  }

  @Test func `one folder has one user`() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let spool = try Spool(folder: folder, limit: 1000)
    #expect(
      throws: PublishError.file(
        "\(folder): in use by another otolith; choose another folder with --spool")
    ) { try Spool(folder: folder, limit: 1000) }
    #expect(spool.isEmpty)
  }
}
