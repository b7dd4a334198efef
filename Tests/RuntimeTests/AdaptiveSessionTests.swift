// SPDX-License-Identifier: Apache-2.0
import Runtime
import Boards
import Foundation
import Quantities
import MotionSources
import Sensors
import Testing

/// Sessions whose chips run as fast as clients need them.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AdaptiveSessionTests {
  private func rates(_ session: BoardSession) -> [Double] { session.report.map(\.rate) }

  @Test func `rates follow demand`() throws {
    let session = BoardSession(
      try Fixtures.still(), adaptsRate: true, slowingAfter: .milliseconds(300))
    session.want(SampleDemand(.acceleration, at: 20))
    #expect(rates(session) == [0, 0], "it does not run")
    try session.start()
    // MPU-6050 at 100, 50, 25, ... Hz; the LIS3MDL is not needed.
    #expect(Fixtures.eventually { rates(session) == [25, 0] })
    #expect(session.report.map(\.rateChanges) == [0, 0], "they began so")
    #expect(session.rate(of: .rotationRate) == 100, "what the board file promises")
    // Faster at once, and what slept wakes up.
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
    // 25, 100, asleep, 100; asleep before its first step, 80, 20, 80.
    #expect(session.report.map(\.rateChanges) == [3, 2])
  }

  /// Ten programs that did nothing else took a quarter of a processor.
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

  /// Whoever asks for nothing gets the board file's rates, and so does everybody in a session that does not adapt.
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
