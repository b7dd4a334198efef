// SPDX-License-Identifier: Apache-2.0
import BringUp
import Simulation
import Boards
import Registers
import ChipCatalog
import Foundation
import Quantities
import MotionSources
import Testing

/// The output of `otolith registers dump` for every chip of boards/simulated-all.yaml: after
/// power-up, and after its driver has started it in a constant world. OTOLITH_RECORD=1 writes it.
@Suite struct RegisterSnapshotTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path()
  static let folder = root + "Tests/BringUpTests/Snapshots/"

  static func board() throws -> Board {
    var board = try BoardFile.load(
      path: root + "boards/simulated-all.yaml", catalogue: ChipCatalog.descriptions)
    var held = MovingWorld(.still, origin: .zero).sample(at: .zero)
    held.rotationRate = Vector3(0.5, -0.25, 1)
    board.simulation?.motion = .held(held)
    board.simulation?.noise = .off
    return board
  }

  static let chips = ((try? board())?.chips ?? []).map(\.name)

  @Test func `the catalogue is not empty`() { #expect(Self.chips.count >= 12) }

  @Test(arguments: chips, [false, true])
  func `the dump of each chip has the snapshot's registers`(_ chip: String, _ isStarted: Bool)
    throws
  {
    let clock = VirtualClock()
    let opened = try #require(try BoardBuilder(Self.board(), clock: clock).open(chip))
    let access = try opened.get()
    #expect(access.isKnown)
    if isStarted {
      try access.startDriver { clock.advance(to: clock.now + $0) }
    }
    let dump = RegisterDump(access.entry.registers()) { try? access.read($0) }
    let path = Self.folder + "registers-\(chip)\(isStarted ? "-started" : "").txt"
    if ProcessInfo.processInfo.environment["OTOLITH_RECORD"] == "1" {
      try dump.text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try dump.text == String(contentsOfFile: path, encoding: .utf8))
    // A driver changes at least three registers; before it, at most eight differ from their reset
    // values.
    let changed = dump.lines.filter { $0.differs == true }.count
    #expect(isStarted ? changed >= 3 : changed <= 8, "\(changed)")
  }
}
