// SPDX-License-Identifier: Apache-2.0
import Runtime
import Boards
import Foundation
import Quantities
import MotionSources
import Sensors
import Testing

/// Tests of sessions that run each chip as fast as their clients need it.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AdaptiveSessionTests {
  private func rates(_ session: BoardSession) -> [Double] { session.report.map(\.rate) }

  @Test func `rates follow demand`() throws {
    let session = BoardSession(
      try Fixtures.still(), adaptsRate: true, slowingAfter: .milliseconds(300))
    session.want(SampleDemand(.acceleration, at: 20))
    #expect(rates(session) == [0, 0], "it does not run")
    try session.start()
    // The MPU-6050 can run at 100, 50, 25, ... Hz, of which 25 is enough for 20; the LIS3MDL is not
    // needed.
    #expect(Fixtures.eventually { rates(session) == [25, 0] })
    #expect(session.report.map(\.rateChanges) == [0, 0], "they began so")
    #expect(session.rate(of: .rotationRate) == 100, "what the board file promises")
    // A greater demand takes effect at once, and the chip that slept wakes up.
    session.want(SampleDemand([], motion: 10))
    #expect(Fixtures.eventually { rates(session) == [100, 80] })
    #expect(Fixtures.eventually { session.pipeline.chips == [.delivering, .delivering] })
    var motions = session.pipeline.motions.reader()
    #expect(Fixtures.eventually { session.pipeline.motions.newest != nil })
    session.want(SampleDemand(.magneticField, at: 20))
    _ = Fixtures.eventually(0.2) { false }
    #expect(rates(session) == [100, 80], "not yet")
    #expect(Fixtures.eventually { rates(session) == [0, 20] })
    #expect(session.pipeline.chips == [.delivering, .delivering], "sleep is no failure")
    #expect(Fixtures.eventually(0.3) { session.pipeline.motions.count > 0 })
    while motions.read() != nil {}
    #expect(!Fixtures.eventually(0.2) { motions.isBehind }, "the gyroscope sleeps")
    session.want(.everything)
    #expect(Fixtures.eventually { rates(session) == [100, 80] && motions.isBehind })
    session.stop()
    #expect(rates(session) == [0, 0])
    for chip in session.report {
      #expect(chip.health.busErrors == 0 && chip.health.restarts == 0, "\(chip)")
    }
    // The MPU-6050 ran at 25, at 100, slept, and ran at 100: three changes. The LIS3MDL slept
    // before its first step, then ran at 80, 20 and 80 Hz: two changes.
    #expect(session.report.map(\.rateChanges) == [3, 2])
  }

  /// A demand that repeats the one before must not wake the thread of the bus: ten programs that
  /// only repeated theirs once took a quarter of a processor.
  @Test func `what is wanted again wakes no reader`() throws {
    let session = BoardSession(try Fixtures.still(), adaptsRate: true)
    let slow = SampleDemand(.acceleration, at: 5)
    session.want(slow)
    try session.start()
    defer { session.stop() }
    #expect(Fixtures.eventually { rates(session)[0] > 0 })
    func wakes() throws -> Int {
      let tasks = "/proc/self/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
        let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
        guard name?.hasPrefix("bus ") ?? false else { return sum }
        let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
      }
    }
    let before = try wakes()
    for _ in 0..<500 {
      session.want(slow)
      usleep(500)
    }
    #expect(try wakes() - before < 100)
  }

  /// A session without a demand runs at the board file's rates, and so does a session that does not
  /// adapt its rates, whatever the demand is.
  @Test(arguments: [false, true])
  func `a session that is asked for nothing runs at the board file's rates`(adapts: Bool) throws {
    let session = BoardSession(try Fixtures.still(), adaptsRate: adapts)
    if !adapts { session.want(.nothing) }
    try session.start()
    #expect(Fixtures.eventually { rates(session) == [100, 80] })
    #expect(Fixtures.eventually { session.pipeline.chips == [.delivering, .delivering] })
    session.stop()
  }
}
