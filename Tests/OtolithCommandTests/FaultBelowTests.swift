// SPDX-License-Identifier: Apache-2.0
import FailingCalls
import Foundation
import Testing

/// Every call on a file fails in turn, in every way: no existing file is lost, no new one is
/// incomplete, and no other file is left.
@Suite(.serialized, .timeLimit(.minutes(30))) struct FaultBelowTests {
  @Test(arguments: WritingCommand.all)
  func `whichever call fails, the file is the old one or a whole new one`(_ writer: WritingCommand)
    throws
  {
    let rig = try WritingRig(writer)
    let calls = FailingCalls(in: rig.scratch.path)
    var runs = 0
    var most = 0
    for failure in FailingCalls.failures() {
      #expect(try rig.run(calls.environment(failure, call: 0)).status == 0)
      most = max(most, try calls.count())
    }
    try #require(most >= 2)
    for number in FailingCalls.calls(of: most) {
      for failure in FailingCalls.failures(ofCall: number) {
        let (status, ending) = try rig.run(calls.environment(failure, call: number))
        let place: Comment =
          "call \(number) of \(most), \(failure): status \(status), \(ending.errors)"
        runs += 1
        #expect(try rig.fault() == nil, place)
        if failure == .killed {
          // A temporary file that could not be removed is removed by the next run, whatever that
          // writes.
          #expect(rig.strangers.allSatisfy { $0.hasSuffix(".part") }, place)
          if !rig.strangers.isEmpty {
            try rig.age()
            #expect(try rig.run().status == 0)
          }
        }
        #expect(rig.strangers == [], place)
        switch status {
        case 0: break
        case 137: #expect(failure == .killed, place)
        default:
          #expect(!failure.isGotOver, place)
          #expect((64...78).contains(status), place)
          #expect(ending.errorLines.contains { $0.contains(": ") }, place)
        }
      }
    }
    // The next run behaves like the first.
    #expect(try rig.run().status == 0 && rig.strangers == [])
    print("faults from below: \(writer.testDescription): \(most) calls, \(runs) runs")
  }
}
