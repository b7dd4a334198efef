// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Recordings of a board whose motion combines two IMUs, made from the board or through the
/// service.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CombinedRecordingTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write(BoardNotesTests.twoIMUs, to: "two.yaml")
  }

  private func run(_ arguments: String) throws -> Tool.Ending {
    try Tool.shell("\"$OTOLITH\" \(arguments)", in: scratch)
  }

  /// Returns the cells of a file by the names of their columns.
  private func table(_ name: String) throws -> [[String: String]] {
    let rows = try scratch.text(name).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = try #require(rows.first)
    return rows.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  private static let columns =
    ["attitude.x", "attitude.y", "attitude.z", "attitude.w", "roll", "pitch", "yaw"]
    + ["rotationRate", "gravity", "userAcceleration"].flatMap { name in
      ["x", "y", "z"].map { "\(name).\($0)" }
    }

  /// Texts are compared, so that the last digit counts.
  @Test func `a replay with the board gives the motion that was recorded`() throws {
    let record = try run("record two.yaml -d 4 --instant -o r.csv --motion live.csv")
    #expect(record.status == 0)
    #expect(try run("replay r.csv --board two.yaml -o replayed.csv").status == 0)
    let (live, replayed) = (try table("live.csv"), try table("replayed.csv"))
    #expect(live.count == replayed.count && live.count > 300)
    for (a, b) in zip(live, replayed) {
      #expect(Self.columns.allSatisfy { a[$0] == b[$0] && a[$0]?.isEmpty == false })
    }
    // Without the board, fusion expects other errors.
    #expect(try run("replay r.csv -o other.csv").status == 0)
    #expect(zip(live, try table("other.csv")).contains { $0["yaw"] != $1["yaw"] })
  }

  /// Specific force is in m/s2 there: 1 g is 9.80665 m/s2, so the last digit may differ.
  @Test func `a replay of an MCAP file gives the same motion`() throws {
    #expect(try run("record two.yaml -d 4 --instant -o r.csv").status == 0)
    #expect(try run("record two.yaml -d 4 --instant -o r.mcap").status == 0)
    #expect(try run("replay r.csv --board two.yaml -o csv.csv").status == 0)
    #expect(try run("replay r.mcap --board two.yaml -o mcap.csv").status == 0)
    let (csv, mcap) = (try table("csv.csv"), try table("mcap.csv"))
    #expect(csv.count == mcap.count && csv.count > 300)
    for (a, b) in zip(csv, mcap) {
      for column in Self.columns {
        let (one, other) = (
          try #require(a[column].flatMap { Double($0) }),
          try #require(b[column].flatMap { Double($0) })
        )
        #expect(abs(one - other) < 1e-12, "\(column)")
      }
    }
  }

  /// The chip's samples are the same, whether the board combines them or uses this chip alone: both
  /// recordings have all chips, so that the chips are read at the same times.
  @Test(arguments: ["a", "b"])
  func `a replay of one chip gives the motion of that chip alone`(_ chip: String) throws {
    #expect(
      try run("record two.yaml --only \(chip) -d 4 --instant -o all.csv --motion live.csv").status
        == 0)
    #expect(try run("record two.yaml -d 4 --instant -o r.csv").status == 0)
    #expect(try run("replay r.csv --board two.yaml --only \(chip) -o one.csv").status == 0)
    let (live, replayed) = (try table("live.csv"), try table("one.csv"))
    #expect(live.count > 150)
    #expect(live.count == replayed.count)
    for (row, other) in zip(live, replayed) {
      #expect(Self.columns.allSatisfy { row[$0] == other[$0] && row[$0]?.isEmpty == false })
      // The file of a recording may have zeros behind a timestamp.
      #expect(row["timestamp"].flatMap { Double($0) } == other["timestamp"].flatMap { Double($0) })
    }
    // In MCAP stamps are wall-clock times, and acceleration is in m/s2.
    #expect(try run("record two.yaml -d 4 --instant -o r.mcap").status == 0)
    #expect(try run("replay r.mcap --board two.yaml --only \(chip) -o mcap.csv").status == 0)
    let mcap = try table("mcap.csv")
    #expect(mcap.count == replayed.count)
    for (row, other) in zip(replayed, mcap) {
      for column in Self.columns {
        let (one, two) = (
          try #require(row[column].flatMap { Double($0) }),
          try #require(other[column].flatMap { Double($0) })
        )
        #expect(abs(one - two) < 1e-12, "\(column)")
      }
    }
  }

  @Test func `a replay of a chip without samples of its own says why it cannot be`() throws {
    #expect(try run("record two.yaml -d 1 --instant -o r.csv").status == 0)
    #expect(try run("record two.yaml -d 1 --instant -o r.mcap").status == 0)
    for file in ["r.csv", "r.mcap"] {
      let unknown = try run("replay \(file) --only c")
      #expect(unknown.status == 65)
      #expect(
        unknown.errors.contains(
          "\(file): no samples of 'c' alone for --only, expected one of the chips a, b"),
        "\(unknown.errors)")
      let both = try run("replay \(file) --only a --only b")
      #expect(both.status == 65)
      #expect(
        both.errors.contains(
          "\(file): 'b' of --only has acceleration as another chip of it has, expected one chip for "
            + "each quantity; what chips give together depends on when their samples arrived, which "
            + "no file has"), "\(both.errors)")
    }
    try scratch.write(
      "timestamp,rotationRate.x,rotationRate.y,rotationRate.z\n0,0,0,0\n", to: "o.csv")
    let one = try run("replay o.csv --only a")
    #expect(
      one.errors.contains(
        "o.csv: no samples of 'a' alone for --only, expected a recording of several chips that "
          + "measure the same, as otolith record writes it"), "\(one.errors)")
  }

  @Test func `the service passes on the samples of each chip by its name`() throws {
    let service = try RunningService("--board", "two.yaml", in: scratch)
    let ending = try Tool.run(
      "record", "-d", "1", "-o", "s.csv", in: scratch,
      environment: ["OTOLITH_SOCKET": service.socket])
    #expect(ending.status == 0)
    let rows = try table("s.csv")
    func count(_ column: String) -> Int { rows.count { $0[column]?.isEmpty == false } }
    // The chips have 50 and 100 Hz, motion has the faster one's; both start with the recording.
    #expect((35...52).contains(count("a.acceleration.x")), "\(count("a.acceleration.x"))")
    #expect((75...102).contains(count("b.rotationRate.z")), "\(count("b.rotationRate.z"))")
    #expect((75...102).contains(count("rotationRate.z")), "\(count("rotationRate.z"))")
    let status = try Tool.shell(
      "\"$OTOLITH\" service status --json --socket \(service.socket)", in: scratch)
    struct Status: Decodable {
      struct Chip: Decodable {
        struct Condition: Decodable {
          var channel: String
          var states: [String]
          var isUsed: Bool
        }
        var name: String
        var conditions: [Condition]?
      }
      var chips: [Chip]
    }
    let chips = try JSONDecoder().decode(Status.self, from: Data(status.output.utf8)).chips
    #expect(chips.map(\.name) == ["a", "b"])
    for chip in chips {
      #expect(chip.conditions?.map(\.channel) == ["acceleration", "rotationRate"])
      #expect(
        chip.conditions?.allSatisfy { $0.states == ["good", "good", "good"] && $0.isUsed } == true)
    }
    #expect(service.end() == 0)
  }
}
