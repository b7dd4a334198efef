// SPDX-License-Identifier: Apache-2.0
import FailingCalls
import Foundation
import History
import Quantities
import Recognition
import Testing

/// Every call on a file fails in turn, in every way: whatever was acknowledged is stored, and the
/// next writer continues.
@Suite(.serialized, .timeLimit(.minutes(30))) struct FaultBelowTests {
  /// Runs a writer of eight blocks or entries, and returns the acknowledged ones.
  private func acknowledged(_ folder: String, _ mode: String, _ environment: String) throws
    -> [Int]
  {
    let output = try Victim.run(folder, limit: "export \(environment); ", mode: mode)
    return output.split(separator: "\n").compactMap { Int($0) }
  }

  /// Makes each call of such a writer fail, and passes on what it acknowledged until then.
  private func failing(
    _ mode: String, _ check: (Rig, FailingCalls.Failure, [Int], Comment) throws -> Void
  ) throws {
    var most = 0
    for failure in FailingCalls.failures() {
      let rig = try Rig()
      let calls = FailingCalls(in: rig.root)
      let given = try acknowledged(
        rig.store.folder, mode, calls.environment(failure, call: 0))
      #expect(given == Array(1...8))
      most = max(most, try calls.count())
    }
    try #require(most > 16)
    var runs = 0
    for number in FailingCalls.calls(of: most) {
      for failure in FailingCalls.failures(ofCall: number) {
        let rig = try Rig()
        let calls = FailingCalls(in: rig.root)
        let given = try acknowledged(
          rig.store.folder, mode, calls.environment(failure, call: number))
        runs += 1
        try check(rig, failure, given, "call \(number) of \(most), \(failure): \(given)")
      }
    }
    print("faults from below: \(mode): \(most) calls, \(runs) runs")
  }

  @Test func `of blocks of samples none that was acknowledged is lost`() throws {
    try failing("some") { rig, failure, given, place in
      if failure.isGotOver && failure != .short { #expect(given == Array(1...8), place) }
      // The file contains only whole blocks, and the next writer continues after them.
      var writer = try SampleWriter(rig.store)
      try writer.append([
        TimedAcceleration(
          timestamp: HostClocks.system.now().boot, acceleration: Vector3(0.75, 0, -1))
      ])
      let kept = try rig.story().map { Int(($0 * 1024).rounded()) }
      #expect(Set(kept).isSuperset(of: given) && kept.last == 768, "\(kept) after \(place)")
      #expect(Set(kept.dropLast()).isSubset(of: 1...8), place)
      #expect(try rig.store.summary().damaged == 0, place)
    }
  }

  @Test func `of entries of movement none that was acknowledged is lost`() throws {
    try failing("movement-some") { rig, _, given, place in
      let store = MovementStore(folder: rig.store.folder)
      var writer = try MovementWriter(store)
      let now = HostClocks.system.now().boot
      var entry = MovementEntry(begin: now, end: now + .milliseconds(1))
      entry.counts.steps = 100
      try writer.append(entry)
      let total = try store.total(from: .distantPast, to: .distantFuture)
      #expect(
        (given.count + 100...108).contains(Int(total.counts.steps)),
        "\(total.counts.steps) after \(place)")
    }
  }
}
