// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Redundancy
import Testing

/// Slow errors that are below the noise of a sample.
struct DriftTests {
  /// What a run has shown after a fault at `DriftTests.fault`.
  struct Result {
    /// The time from the fault until the member with the fault was left out, s.
    var delay = Scalar.infinity
    /// The number of values with another member out of use.
    var wronged = 0
  }
  static let fault: Scalar = 8

  static func run(_ bench: GroupBench, sick: Int, seconds: Scalar = 6) -> Result {
    var bench = bench
    var group = bench.group()
    var result = Result()
    let number = bench.members.count
    bench.run(&group, seconds: fault + seconds) { combined, group in
      let time = Scalar(combined.time.seconds)
      for k in 0..<number where !group.condition(of: k).isUsed {
        if k != sick {
          result.wronged += 1
        } else if time >= fault {
          result.delay = min(result.delay, time - fault)
        }
      }
    }
    return result
  }

  /// An arm that turns by up to 200 degrees/s in either direction, two or three times a second.
  static let fast: @Sendable (Scalar) -> Vector3 = { time in
    Vector3(sin(14 * time), sin(16.3 * time), sin(19.1 * time)) * (200 * degree / 3.0.squareRoot())
  }

  @Test(arguments: [0, 1, 2])
  func `one degree per second is found although an arm turns by up to two hundred`(sick: Int) {
    var bench = GroupBench(members: SensorGroupTests.members([100, 200, 400]))
    bench.motion = Self.fast
    bench.members[sick].sense = { value, time in
      time < Self.fault ? value : value + Vector3(0, 1 * degree, 0)
    }
    let result = Self.run(bench, sick: sick)
    // The mean covers one second, in which it reaches two thirds of the error.
    #expect(result.delay < 2, "\(result.delay)")
    #expect(result.wronged == 0)
  }

  @Test(arguments: [0, 1, 2])
  func `of three the two good ones show an error that the worst one alone could have`(lead: Int) {
    // The leading sensor may be off by 0.1 degrees/s, so an error of 0.8 is eight times that. The
    // other good sensor differs from the bad one by forty times what both may have.
    var bench = GroupBench(members: SensorGroupTests.members([200, 200, 200]))
    bench.motion = SensorFaultTests.moving
    for k in 0..<3 { bench.members[k].noise = 0.03 * degree }
    bench.members[lead].unsteadiness = 0.1 * degree
    bench.members[lead].rate = 400
    let sick = (lead + 1) % 3
    bench.members[sick].sense = { value, time in
      time < Self.fault ? value : value + Vector3(0.8 * degree, 0, 0)
    }
    let result = Self.run(bench, sick: sick)
    #expect(result.delay < 3, "\(result.delay)")
    #expect(result.wronged == 0)
  }

  @Test func `while two differ a jolt of one does not say that it is wrong`() {
    var bench = GroupBench(members: SensorGroupTests.members([200, 200]))
    for k in 0..<2 { bench.members[k].noise = 0.05 * degree }
    bench.members[1].sense = { value, time in
      let slow = min(max(time - Self.fault, 0), 1)
      return value + Vector3(slow * degree, 0, 0)
    }
    bench.members[0].sense = { value, time in
      abs(time - Self.fault - 4) < 0.0026 ? value - Vector3(0.3 * degree, 0, 0) : value
    }
    #expect(Self.run(bench, sick: 1).wronged == 0)
  }
}
