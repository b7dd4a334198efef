// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import MotionPublisher
import MotionSources
import Quantities
import Runtime
import Testing
import Text

/// Tests of the messages about the chips of a board.
@Suite struct ChipHealthTests {
  private static func session(_ fault: String) throws -> BoardSession {
    BoardSession(
      try BoardFile.parse(
        """
        otolith-board: 1
        name: Two IMUs
        buses: { bus: { simulated: i2c } }
        chips:
          a: { chip: mpu6050, on: bus, address: 0x68, rate-hz: 100 }
          b: { chip: bmi160, on: bus, address: 0x69, rate-hz: 100 }
        simulation: { motion: still, faults: [{ fault: \(fault) }] }

        """, file: "two.yaml", catalogue: ChipCatalog.descriptions))
  }

  private func member(_ name: String, _ fields: [JSON.Member]) -> JSON? {
    fields.first { $0.name == name }?.value
  }

  @Test func `a chip whose supply is noisy is published with state, cause and counts`() throws {
    let session = try Self.session("noisy-supply, chip: a, at-s: 1")
    try session.runInstantly(for: .seconds(4)) { true }
    var health = ChipHealth(of: session)
    let messages = health.next(at: Timestamp(seconds: 100))
    #expect(messages.map(\.chip) == ["a", "b"])
    let (a, b) = (try #require(messages.first).fields, try #require(messages.last).fields)
    #expect(member("state", a) == .text("delivering") && member("state", b) == .text("delivering"))
    let conditions = try #require(member("conditions", a)).description
    #expect(conditions.contains(#""isUsed":false"#), "\(conditions)")
    #expect(conditions.contains(#""causes":["noisy-supply"]"#), "\(conditions)")
    let good =
      #"{"channel":"acceleration","states":["good","good","good"],"causes":[],"#
      + #""isUsed":true,"count":0}"#
    #expect(try #require(member("conditions", b)).description.contains(good), "\(b)")
    #expect(member("lost", a) == .integer(0) && member("busErrors", b) == .integer(0))
    guard case .integer(let received) = member("received", b) else {
      Issue.record("no count")
      return
    }
    // 4 s at 100 Hz, with a clock that may be a few percent off.
    #expect((380...410).contains(received), "\(received)")
    #expect(member("remarks", b) == .list([]))
  }

  @Test func `a chip is published at a change, and once a minute`() throws {
    let session = try Self.session("nack, chip: a, at-s: 2, for-s: 100")
    var health = ChipHealth(of: session)
    #expect(health.next(at: Timestamp(seconds: 0)).map(\.chip) == ["a", "b"])
    #expect(health.next(at: Timestamp(seconds: 10)).isEmpty)
    try session.runInstantly(for: .seconds(3)) { true }
    // Both have started, and one has failed since.
    let changed = health.next(at: Timestamp(seconds: 20))
    #expect(changed.map(\.chip) == ["a", "b"])
    #expect(member("state", changed[0].fields) == .text("failed"))
    #expect(member("state", changed[1].fields) == .text("delivering"))
    #expect(health.next(at: Timestamp(seconds: 59)).isEmpty)
    #expect(health.next(at: Timestamp(seconds: 60)).map(\.chip) == ["a", "b"])
  }
}
