// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Runtime
import Testing

/// Tests of the faults that fusion finds, in sentences for people and in numbers for programs that
/// watch.
@Suite struct FaultTimesTests {
  private static let hung = SensorFaults.gyroscopeHung
  private static let clipped = SensorFaults.accelerometerAtRangeEnd

  private func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

  /// Adds a motion with the faults of its time every tenth of a second, for so many seconds.
  /// Returns the times, and the numbers of the motions that brought a change.
  private func course(
    _ seconds: Int, _ faults: (Double) -> SensorFaults
  ) -> (times: FaultTimes, changes: [Int]) {
    var times = FaultTimes()
    var changes: [Int] = []
    for k in 0...(10 * seconds) {
      let found = faults(Double(k) / 10)
      if times.add(found, isCoasting: found.contains(Self.hung), at: time(Double(k) / 10)) {
        changes.append(k)
      }
    }
    return (times, changes)
  }

  /// The faults are read from the source file that defines them, so that a fault which is added
  /// there fails this test until it has a name and a sentence.
  @Test func `every fault of fusion has a name and words`() throws {
    var folder = URL(filePath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    let source = try String(
      contentsOf: folder.appending(path: "Sources/Core/Fusion/SampleFaults.swift"), encoding: .utf8)
    let found = source.matches(
      of: /static var (\w+): SensorFaults \{ SensorFaults\(rawValue: (\d+)\)/)
    #expect(found.contains { $0.1 == "gyroscopeHung" && $0.2 == "2" })
    for match in found {
      let name = String(match.1)
      let value = try #require(SensorFaults.RawValue(match.2))
      let row = try #require(
        SensorFaultRow.rows(of: SensorFaults(rawValue: value)).first { $0.name == name }, "\(name)")
      #expect(row.fault.rawValue == value && name.hasPrefix(row.sensor))
      #expect(SensorFaultRow.fault(named: name) == row.fault)
    }
  }

  @Test func `a name that fusion does not know is not a fault`() {
    #expect(SensorFaultRow.fault(named: "gyroscopeOnFire") == nil)
    #expect(SensorFaultRow.rows(of: []).isEmpty && SensorFaults().names == "")
    #expect(
      SensorFaults([.gyroscopeHung, .accelerometerAtRangeEnd]).names
        == "gyroscopeHung accelerometerAtRangeEnd")
  }

  @Test func `each fault has its time, and the number of times that it began`() {
    let (times, _) = course(60) { t in
      (t >= 10 && t < 13) || (t >= 20 && t < 20.5) ? Self.clipped : []
    }
    #expect(abs(times.record(of: Self.clipped).seconds - 3.5) < 1e-9)
    #expect(times.record(of: Self.clipped).count == 2)
    #expect(abs(times.total - 60) < 1e-9)
    #expect(times.occurred == Self.clipped)
    #expect(
      times.sentences == [
        "the accelerometer was at the end of its range for 3.5 s of 60 s: choose a larger range "
          + "('acceleration-range-g' in the board file)"
      ])
  }

  @Test func `a pause of the whole source is no fault's time`() {
    var times = FaultTimes()
    _ = times.add(Self.hung, isCoasting: true, at: time(1))
    _ = times.add(Self.hung, isCoasting: true, at: time(1000))
    #expect(times.record(of: Self.hung).seconds == 2 && times.total == 2)
    // A clock that was set back starts a new interval and adds no time.
    _ = times.add(Self.hung, isCoasting: true, at: time(5))
    #expect(times.record(of: Self.hung).seconds == 2)
  }

  /// The accelerometer of a swinging arm reaches the end of its range twice a second: that makes
  /// one remark, not one for each time.
  @Test
  func
    `a fault that comes and goes is reported once, and its end ten seconds after it`()
  {
    let (times, changes) = course(60) { t in
      t >= 10 && t < 30 && (t * 2).truncatingRemainder(dividingBy: 1) < 0.35 ? Self.clipped : []
    }
    #expect(changes.count == 2, "\(changes)")
    #expect((105...120).contains(changes[0]) && (396...403).contains(changes[1]), "\(changes)")
    #expect(times.noted == [])
    // A fault of less than half a second in all makes no remark; it is only counted.
    let short = course(30) { t in abs(t - 10) < 0.15 ? .gyroscopeGlitch : [] }
    #expect(short.changes == [] && short.times.record(of: .gyroscopeGlitch).count == 1)
  }

  @Test func `coasting has its time, and what it costs`() {
    let (times, _) = course(20) { t in t >= 10 && t < 12 ? Self.hung : [] }
    #expect(abs(times.coasting.seconds - 2) < 1e-9 && times.coasting.count == 1)
    #expect(!times.isCoasting)
    #expect(
      times.sentences.last
        == "the attitude came from the accelerometer alone for 2.0 s of 20 s: turns about the "
        + "vertical are missed, and every acceleration tilts it")
  }
}
