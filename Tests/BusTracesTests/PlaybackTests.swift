// SPDX-License-Identifier: Apache-2.0
import BringUp
import Simulation
import BusTraces
import Boards
import ChipCatalog
import Quantities
import Registers
import MotionSources
import Sensors
import Testing

/// Compares what drivers do in a playback with what was recorded.
@Suite struct PlaybackTests {
  static let ways: [(chip: String, keys: String)] = [
    ("invensense,mpu6050", "address: 0x68\nread-by: fifo\nrate-hz: 200"),
    ("invensense,mpu6050", "address: 0x68\nread-by: data-ready\ninterrupt: simulated"),
    ("invensense,mpu6050", "address: 0x68\nread-by: polling"),
    ("bosch,bmi160", "address: 0x68\nread-by: fifo\nrate-hz: 200"),
    ("bosch,bmi160", "address: 0x68\nread-by: data-ready\ninterrupt: simulated"),
    ("bosch,bmi160", "address: 0x68\nread-by: polling"),
    ("bosch,bmi270", "address: 0x68\nread-by: fifo\nrate-hz: 200"),
    ("bosch,bmi270", "address: 0x68\nread-by: polling"),
    ("st,lsm6ds3", "address: 0x6A\nread-by: fifo\nrate-hz: 208"),
    ("st,lsm6ds3", "address: 0x6A\nread-by: data-ready\ninterrupt: simulated"),
    ("st,lsm6ds3", "address: 0x6A\nread-by: polling"),
    ("st,lis3mdl", "address: 0x1C\nread-by: data-ready\ninterrupt: simulated"),
    ("st,lis3mdl", "address: 0x1C\nread-by: polling"),
    ("bosch,bmp280", "address: 0x76\nread-by: polling\nrate-hz: 25"),
  ]

  @Test(arguments: ways)
  func `a trace played has the samples of the live run`(chip: String, keys: String) throws {
    let recorded = try Recorded(Recorded.board(chip, keys))
    let played = try Played(try traced(recorded.trace))
    #expect(recorded.live.samples.count >= 10)
    #expect(played.samples == recorded.live.samples)
    let result = try #require(played.chips.first)
    #expect(result.health == recorded.health && result.recordedHealth == recorded.health)
    #expect(result.divergenceCount == 0, "\(result.divergences.first as Any)")
  }

  /// Errors are part of the trace.
  @Test func `what was lost live is lost again`() throws {
    let recorded = try Recorded(
      Recorded.board(
        "invensense,mpu6050", "address: 0x68\nread-by: fifo\nrate-hz: 200",
        faults:
          "[{ fault: nack, probability: 0.05 }, { fault: fifo-overflow, every-s: 0.6 }, { fault: brown-out, at-s: 0.9 }]"
      ), for: .seconds(2))
    let played = try Played(try traced(recorded.trace))
    #expect(recorded.health.busErrors > 5 && recorded.health.restarts > 0)
    #expect(!recorded.live.samples.isEmpty)
    #expect(played.samples == recorded.live.samples)
    let result = try #require(played.chips.first)
    #expect(result.health == recorded.health)
    #expect(
      result.failures == recorded.live.errors.count && result.error == recorded.live.errors.last)
    #expect(result.divergenceCount == 0, "\(result.divergences.first as Any)")
    #expect(result.divergenceRemark == nil)
  }

  /// Instead of a changed driver, the trace is changed.
  @Test func `a changed request diverges, and the samples go on`() throws {
    let recorded = try Recorded(
      Recorded.board("invensense,mpu6050", "address: 0x68\nread-by: polling"))
    var lines = recorded.trace.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    // The status of the MPU-6050 (register map RM-MPU-6000A, section 4.17) is read repeatedly.
    let asked = lines.indices.filter { lines[$0].contains(" r 0x3A 1 ") }
    let changed = try #require(asked.dropFirst(20).first)
    lines[changed] = lines[changed].replacing(" r 0x3A 1 ", with: " r 0x3C 1 ")
    let played = try Played(try traced(lines.joined(separator: "\n")))
    let result = try #require(played.chips.first)
    let first = try #require(result.divergences.first)
    #expect(first.line == changed + 1)
    #expect(first.recorded == .read(register: 0x3C, count: 1))
    #expect(first.requested == .read(register: 0x3A, count: 1))
    #expect(result.divergenceCount <= 4)
    let remark = try #require(result.divergenceRemark)
    #expect(remark.contains(" from the recorded ones, the first in line \(changed + 1), because "))
    #expect(
      remark.hasSuffix(
        ": samples after it may not be the recorded ones; record it again with this version"))
    // Playback continues with all samples except that of the changed line; the sample clocks have
    // one observation less.
    #expect(played.samples.count >= recorded.live.samples.count - 2)
    let (last, live) = (try #require(played.samples.last), try #require(recorded.live.samples.last))
    #expect(last.acceleration == live.acceleration && last.rotationRate == live.rotationRate)
    #expect(abs((last.timestamp - live.timestamp).seconds) < 0.002)
  }

  /// Played on another clock, the trace gives the same values at the times of that clock.
  @Test(arguments: ways)
  func `a trace in the bus's place gives the same values by another clock`(
    chip: String, keys: String
  ) throws {
    let recorded = try Recorded(Recorded.board(chip, keys))
    let board = try traced(recorded.trace)
    let clock = VirtualClock(now: Timestamp(nanoseconds: 5_000_000_000))
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let live = Collector()
    Recorded.run(bus.reader, clock, for: .seconds(1), to: live)
    let same = zip(live.samples, recorded.live.samples).allSatisfy { a, b in
      var a = a
      a.timestamp = b.timestamp
      a.missing = b.missing
      return a == b
    }
    #expect(same)
    #expect(Double(live.samples.count) >= Double(recorded.live.samples.count) * 0.9)
    let times = live.samples.map(\.timestamp)
    #expect(times.allSatisfy { $0 > Timestamp(nanoseconds: 5_000_000_000) && $0 <= clock.now })
  }

  /// After the end of the trace the chip fails with an error, and delivers no old samples.
  @Test func `after the end of the trace its chip says so`() throws {
    let recorded = try Recorded(
      Recorded.board("invensense,mpu6050", "address: 0x68\nread-by: fifo\nrate-hz: 200"))
    let board = try traced(recorded.trace)
    let clock = VirtualClock()
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let live = Collector()
    Recorded.run(bus.reader, clock, for: .seconds(3), to: live)
    #expect(live.samples.count <= recorded.live.samples.count + 1)
    let error = try #require(live.errors.first)
    #expect(error.busError == ChipTrace.notInTrace)
    let sentence = try #require(board.chips.first).sentence(for: error, on: board.buses.first)
    #expect(sentence.contains("recorded bus wire: the trace has no more of register 0x"))
  }

  /// A recorder that is not emptied counts the lost events, and the trace reports the gap.
  @Test func `a full recorder leaves a gap that is reported`() throws {
    let recorded = try Recorded(
      Recorded.board("bosch,bmp280", "address: 0x76\nread-by: polling\nrate-hz: 25"),
      recorder: TraceRecorder(capacity: 100))
    let board = try traced(recorded.trace)
    let trace = try #require(board.trace)
    #expect(trace.missing > 100)
    #expect(trace.remarks.contains { $0.contains("\(trace.missing) events are missing") })
    // The events before the gap are played.
    _ = try Played(board)
  }
}
