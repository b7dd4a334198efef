// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import History
import Quantities

private let clocks = HostClocks(boot: BootIdentifier(high: 1, low: 1)) {
  ClockReading(wall: 1_767_225_600_000_000_000, boot: Timestamp(seconds: 1000))
}

/// Sets the right checksum in each block, which mutations would not find.
private func sealed(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var place = 0
  while place + BlockHeader.size <= bytes.count {
    guard let header = BlockHeader(bytes, at: place), place + header.length <= bytes.count else {
      place += 1
      continue
    }
    var crc = CRC32C()
    crc.add(bytes[place..<(place + 12)])
    crc.add(bytes[(place + 16)..<(place + header.length)])
    for index in 0..<4 {
      bytes[place + 12 + index] = UInt8(truncatingIfNeeded: crc.value >> (8 * index))
    }
    place += header.length
  }
  return bytes
}

/// Reads a segment of accelerations. The first byte decides whether its checksums are corrected.
func takeSamples(_ bytes: [UInt8]) throws {
  guard let way = bytes.first else { return }
  let segment = way & 1 == 0 ? sealed(Array(bytes.dropFirst())) : Array(bytes.dropFirst())
  _ = Scratch.shared.write(segment, to: "0000000000000001.samples")
  let store = SampleStore(folder: Scratch.shared.folder)
  let summary = try store.summary()
  var count = 0
  for sample in try store.samples() {
    check(sample.acceleration.x.isFinite, "no number")
    count += 1
  }
  check(count <= summary.samples, "\(count) of \(summary.samples) samples")
  let moment = Date(timeIntervalSince1970: 1_767_225_600)
  for _ in try store.samples(after: moment, through: moment + 3600) {}
  if way & 2 != 0 {
    // A writer continues after the segment.
    var writer = try SampleWriter(store, clocks: clocks)
    try writer.append([TimedAcceleration(timestamp: Timestamp(seconds: 999), acceleration: .zero)])
    for name in try FileManager.default.contentsOfDirectory(atPath: store.folder)
    where name.hasSuffix(".samples") && name != "0000000000000001.samples" {
      unlink("\(store.folder)/\(name)")
    }
  }
}

private let movement = MovementStore(folder: Scratch.shared.folder, clocks: clocks)

/// A connection that permits rows with invalid references.
private let connection: SQLiteConnection? = {
  guard (try? movement.openForWriting(isDurable: false)) != nil,
    let connection = try? SQLiteConnection.open(movement.path, for: .writing)
  else { return nil }
  try? connection.run(script: "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
  return connection
}()

private let columns = ["boot": 4, "session": 7, "walk": 8, "activity": 4, "event": 3]

/// Reads database rows of movement that are damaged or written by another program, and runs the
/// queries of an app.
func takeMovement(_ bytes: [UInt8]) throws {
  guard connection != nil else { return check(false, "no database") }
  var rest = bytes[...]
  func number() -> Int64 {
    // A byte gives the length of a number: small numbers are short, others have any size.
    let width = Int(rest.popFirst() ?? 0) % 9
    return (0..<width).reduce(0) { value, _ in value << 8 | Int64(rest.popFirst() ?? 0) }
  }
  try connection?.write { db in
    for table in columns.keys { try db.run(script: "DELETE FROM \(table)") }
    for _ in 0..<24 where !rest.isEmpty {
      let table = ["boot", "session", "walk", "walk", "activity", "event"][
        Int(rest.popFirst() ?? 0) % 6]
      let values = (0..<(columns[table] ?? 0)).map { column in
        let value = number()
        guard table == "boot" && column == 1 else { return "\(value)" }
        let last = String(UInt8(truncatingIfNeeded: value), radix: 16)
        let half = String(repeating: "0", count: 16 - last.count) + last
        return "x'\(half)\(half)'"
      }
      try db.run(
        script: "INSERT OR IGNORE INTO \(table) VALUES (\(values.joined(separator: ", ")))")
    }
  }
  let now = Date(timeIntervalSince1970: 1_767_225_600)
  for (start, end) in [(now - 3600, now), (.distantPast, .distantFuture), (now, now + 1e9)] {
    _ = try movement.total(from: start, to: end)
    _ = try movement.activities(from: start, to: end)
    _ = try movement.events(from: start, to: end)
    _ = try movement.intervals(from: start, to: end)
  }
  _ = try movement.summary()
}
