// SPDX-License-Identifier: Apache-2.0
import FailingCalls
import Foundation
import SeededRandom
import Testing

/// Writers that are killed at any time lose no existing file and leave no other file.
@Suite(.serialized, .timeLimit(.minutes(30))) struct KillTests {
  static let kills = FailingCalls.isThorough ? 200 : 5

  @Test(arguments: WritingCommand.all)
  func `a kill at any moment leaves the old file or a whole new one`(_ writer: WritingCommand)
    throws
  {
    let rig = try WritingRig(writer)
    let whole = try rig.run()
    #expect(whole.status == 0)
    var random = SplitMix(state: 26)
    var killed = 0
    var number = 0
    // Some runs end before they are killed.
    while killed < Self.kills, number < 3 * Self.kills {
      number += 1
      let delay = Double.random(in: 0...whole.1.seconds, using: &random)
      let (status, ending) = try rig.run(prefix: "timeout --foreground -s KILL \(delay)")
      if status == 137 { killed += 1 }
      let place: Comment = "kill \(number), after \(delay) s: status \(status), \(ending.errors)"
      #expect(try rig.fault() == nil, place)
      // The next run removes it.
      #expect(rig.strangers.count <= 1 && rig.strangers.allSatisfy { $0.hasSuffix(".part") }, place)
      try rig.age()
    }
    #expect(killed == Self.kills)
    #expect(try rig.run().status == 0 && rig.strangers == [])
    print(
      "kills: \(writer.testDescription): \(killed) in \(number) runs, nothing lost, nothing left")
  }
}
