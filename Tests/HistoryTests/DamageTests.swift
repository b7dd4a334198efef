// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Testing

/// Power failures, kills, full disks and damaged files.
@Suite struct DamageTests {
  /// The file is cut at every byte of its last block: no earlier block is lost, and writing
  /// continues.
  @Test func `a file torn at any byte of its last block loses no other`() throws {
    let rig = try Rig()
    do {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      for index in 1...3 { try writer.append(rig.second(Double(index) / 4, rate: 5)) }
    }
    let file = try #require(try rig.files().first)
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    // docs/movement.md: a block has 80 bytes, and 6 per sample.
    try #require(whole.count == 3 * (80 + 5 * 6))
    for cut in 220..<330 {
      try whole.prefix(cut).write(to: URL(fileURLWithPath: file))
      #expect(try rig.story() == [0.25, 0.5])
      do {
        var writer = try SampleWriter(rig.store, clocks: rig.clocks)
        try writer.append(rig.second(1, rate: 5))
      }
      let all = try rig.all()
      #expect(all.map(\.identifier) == (1...3).flatMap { Array(repeating: $0, count: 5) })
      #expect(try rig.story() == [0.25, 0.5, 1])
      #expect(try rig.store.summary().damaged == 0)
    }
  }

  /// After a power failure a file may have its length but zeros instead of bytes.
  @Test func `zeros at the end are left out, and writing goes on`() throws {
    let rig = try Rig()
    do {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      try writer.append(rig.second(0.5))
    }
    let file = try #require(try rig.files().first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let size = bytes.count
    bytes += Data(count: 4096)
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try rig.all().count == 50)
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count == size)
    try writer.append(rig.second(0.25))
    #expect(try rig.story() == [0.5, 0.25])
  }

  /// Any single wrong byte loses only its block, and is detected.
  @Test func `a wrong byte costs its block alone, and is noticed`() throws {
    let rig = try Rig()
    do {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      for index in 1...3 { try writer.append(rig.second(Double(index) / 4, rate: 5)) }
    }
    let file = try #require(try rig.files().first)
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    for place in 110..<220 {
      var bytes = whole
      bytes[place] ^= 0x10
      try bytes.write(to: URL(fileURLWithPath: file))
      #expect(try rig.story() == [0.25, 0.75], "byte \(place)")
      #expect(try rig.store.summary().damaged == 110)
    }
    // This includes the first block of a segment.
    var bytes = whole
    bytes[2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try rig.story() == [0.5, 0.75])
  }

  /// The first header is read before its checksum is checked: whichever byte has a flipped bit, the
  /// store can still be read and written.
  @Test func `rot in the first header leaves a store that works`() throws {
    let rig = try Rig()
    for x in [0.25, 0.5] {
      do {
        var writer = try SampleWriter(rig.store, clocks: rig.clocks)
        try writer.append(rig.second(x, rate: 5))
      }
      rig.restart(after: 60)
    }
    let files = try rig.files()
    try #require(files.count == 2)
    let whole = try Data(contentsOf: URL(fileURLWithPath: files[0]))
    for place in 0..<80 {
      var bytes = whole
      bytes[place] ^= 0x80
      try bytes.write(to: URL(fileURLWithPath: files[0]))
      _ = try SampleWriter(rig.store, clocks: rig.clocks)
      #expect(try rig.story().last == 0.5, "byte \(place)")
    }
  }

  /// Found by `make fuzz`: after the greatest number there is no next one, and the writer trapped.
  @Test func `a segment with the greatest number is ignored, and writing continues`() throws {
    let rig = try Rig()
    do {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      try writer.append(rig.second(0.5))
    }
    let file = try #require(try rig.files().first)
    try FileManager.default.copyItem(
      atPath: file, toPath: rig.store.folder + "/ffffffffffffffff.samples")
    for x in [0.25, 0.75] {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      try writer.append(rig.second(x))
    }
    #expect(try rig.story() == [0.5, 0.25, 0.75])
  }

  /// On a full disk no block is written in part; when there is space again the same writer
  /// continues.
  @Test func `on a full disk nothing is half written, and the writer goes on`() throws {
    let rig = try Rig()
    let output = try Victim.run(rig.store.folder, mode: "full")
    let error =
      "error: \(rig.store.folder)/0000000000000001.samples: the disk is full: No space left on device"
    #expect(output == "1\n2\n\(error)\n\(error)\n5\n")
    #expect(try rig.story() == [1.0 / 1024, 2.0 / 1024, 5.0 / 1024])
    let summary = try rig.store.summary()
    #expect(summary.damaged == 0 && summary.bytes == 3 * 380)
    #expect(try rig.all().last?.identifier == 3)
  }

  /// The file size limit (setrlimit(2), in a separate process) is reached within a block: the
  /// partial block is removed, and the next writer continues.
  @Test func `a block that was written by half is taken back`() throws {
    let rig = try Rig()
    // 20 blocks of 380 bytes are 7600 bytes; the limit counts in units of 1024.
    let output = try Victim.run(rig.store.folder, limit: "ulimit -f 7; trap '' XFSZ; ")
    #expect(output.hasPrefix("1\n2\n"))
    #expect(
      output.contains("error: \(rig.store.folder)/0000000000000001.samples: the disk is full"))
    let summary = try rig.store.summary()
    #expect(summary.damaged == 0)
    #expect(summary.blocks == 18 && summary.bytes == 18 * 380, "7168 bytes hold 18 blocks")
    var writer = try SampleWriter(rig.store)
    try writer.append([
      TimedAcceleration(timestamp: HostClocks.system.now().boot, acceleration: .zero)
    ])
    #expect(try rig.all().last?.identifier == 19)
  }

  @Test func `a folder that cannot be made is an error with its path`() throws {
    let error = try #require(throws: HistoryError.self) {
      _ = try SampleWriter(SampleStore(folder: "/dev/null/otolith"))
    }
    #expect(error.path == "/dev/null/otolith")
  }

  /// The writer is killed at random times: every block on disk is there, and the file is valid.
  /// `OTOLITH_KILLS=100` runs longer.
  @Test func `of a writer that is killed every block on the disk is read`() throws {
    let rig = try Rig()
    let kills = ProcessInfo.processInfo.environment["OTOLITH_KILLS"].flatMap(Int.init) ?? 10
    var random = SystemRandomNumberGenerator()
    var acknowledged = 0
    for run in 1...kills {
      // The first milliseconds open the store.
      let output = try Victim.run(
        rig.store.folder, killedAfter: Double.random(in: 0.005...0.15, using: &random),
        ofOutput: run.isMultiple(of: 2))
      // An incomplete last line was not reported.
      let last = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last
      acknowledged += last.flatMap { Int($0) } ?? 0
      let summary = try rig.store.summary()
      #expect(summary.damaged == 0, "run \(run)")
      // The last block may have been written but not reported when the process was killed.
      #expect((acknowledged...acknowledged + run).contains(summary.blocks), "run \(run)")
      #expect(summary.samples == summary.blocks * 50)
    }
    let identifiers = try rig.all().map(\.identifier)
    #expect(
      identifiers
        == (1...UInt64(identifiers.count / 50)).flatMap { Array(repeating: $0, count: 50) })
  }

  /// Reads while another process writes.
  @Test func `a reader reads complete records while a writer writes`() throws {
    let rig = try Rig()
    let victim = try Victim(rig.store.folder)
    var most = 0
    var rounds = 0
    let end = ProcessInfo.processInfo.systemUptime + 1
    while ProcessInfo.processInfo.systemUptime < end {
      let samples = try rig.all()
      #expect(samples.count % 50 == 0 && samples.count >= most)
      #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
      most = samples.count
      rounds += 1
    }
    _ = victim.kill()
    #expect(most > 0 && rounds > 1)
  }
}
