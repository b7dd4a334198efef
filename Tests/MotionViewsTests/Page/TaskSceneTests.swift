// SPDX-License-Identifier: Apache-2.0
import Foundation
import MotionViews
import Testing
import Text

/// A task as pages and scripts see it.
@Suite struct TaskSceneTests {
  static let offers = [PageText.TaskOffer(kind: "bringup", label: "Check the board")]

  /// A task with all optional values.
  static var full: TaskScene {
    var scene = TaskScene(number: 3, kind: "magnetometer", title: "Calibrate \"it\"")
    scene.instruction = "turn it"
    scene.up = "-x"
    (scene.progress, scene.progressText) = (1 / 3, "33 %")
    scene.items = [
      TaskScene.Item("flat", .passed), TaskScene.Item("bus <a>", .failed, "no answer\nat 0x68"),
      TaskScene.Item("c", .open), TaskScene.Item("d", .running), TaskScene.Item("e", .skipped),
    ]
    scene.map = [".##@", "........"]
    scene.say("compass: turn it")
    (scene.verdict, scene.isGood, scene.result) = ("measured", true, ["hard iron  1 2 3 uT"])
    scene.faults = [TaskScene.Fault("No power", "why", evidence: ["seen"], steps: ["look"])]
    (scene.file, scene.obstacle, scene.hasReport) = ("calibration/board.yaml", "none", true)
    return scene
  }

  @Test func `a task is said whole, and its texts are escaped`() throws {
    let text = PageText.task(Self.full, offers: Self.offers, obstacle: nil, isForPage: true)
    #expect(
      text.description
        == #"{"type":"task","obstacle":null,"offers":[{"kind":"bringup","label":"Check the board"}],"#
        + #""task":{"number":3,"kind":"magnetometer","title":"Calibrate \"it\"","state":"running","#
        + #""instruction":"turn it","up":"-x","progress":0.3333,"progressText":"33 %","#
        + #""items":[{"name":"flat","state":"passed","text":""},"#
        + #"{"name":"bus \u003ca>","state":"failed","text":"no answer\nat 0x68"},"#
        + #"{"name":"c","state":"open","text":""},{"name":"d","state":"running","text":""},"#
        + #"{"name":"e","state":"skipped","text":""}],"map":[".##@","........"],"#
        + #""lines":["compass: turn it"],"verdict":"measured","isGood":true,"#
        + #""result":["hard iron  1 2 3 uT"],"faults":[{"title":"No power","explanation":"why","#
        + #""evidence":["seen"],"steps":["look"]}],"file":"calibration/board.yaml","#
        + #""obstacle":"none","hasReport":true}}"#)
  }

  @Test func `a task keeps its last twelve lines, and forgets what is of a moment`() {
    var scene = Self.full
    for number in 1...20 { scene.say("line \(number)") }
    #expect(scene.lines.count == 12 && scene.lines.first == "line 9")
    scene.clear()
    #expect(scene.instruction == nil && scene.up == nil && scene.progress == nil)
    #expect(scene.items.count == 5 && scene.map.count == 2)
  }

  @Test func `a board is in a task's hands until that has ended`() {
    var scene = Self.full
    let states: [TaskScene.State] = [
      .running, .stopping, .cancelled, .failed, .done, .saving, .saved,
    ]
    let underWay = states.filter { state in
      scene.state = state
      return scene.isUnderWay
    }
    #expect(underWay == [.running, .stopping])
  }
}
