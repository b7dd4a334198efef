// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import MotionSources
import Registers
import Testing

@Suite struct FirmwareTests {
  private func imu(_ keys: String) throws -> (Board, CatalogEntry) {
    let board = try BoardFile.parse(
      """
      otolith-board: 1
      name: Firmware
      buses: { i2c1: { i2c: /dev/i2c-1 } }
      chips:
        imu: { chip: "bosch,bmi270", on: i2c1, address: 0x68\(keys) }
      """, file: "boards/here.yaml", catalogue: ChipCatalog.descriptions)
    return (board, try #require(ChipCatalog.entry(named: "bosch,bmi270")))
  }

  @Test func `a file named in the board file is relative to it`() throws {
    #expect(try imu("").0.chips[0].firmware == nil)
    #expect(try imu(", firmware: it.fw").0.chips[0].firmware == "boards/it.fw")
    #expect(try imu(", firmware: /lib/it.fw").0.chips[0].firmware == "/lib/it.fw")
  }

  @Test func `only a file of 8192 bytes is the firmware of a BMI270`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "otolith-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bytes = (0..<8193).map { UInt8(truncatingIfNeeded: $0 &* 5) }
    for (name, size) in [("short", 8191), ("right", 8192), ("long", 8193)] {
      try Data(bytes.prefix(size)).write(to: folder.appending(path: name))
    }
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "link"), withDestinationURL: folder.appending(path: "right"))
    func loaded(_ name: String) throws -> [UInt8] {
      let (board, entry) = try imu(", firmware: \(folder.path())/\(name)")
      return board.chips[0].firmwareBytes(of: entry)
    }
    #expect(try loaded("right") == Array(bytes.prefix(8192)))
    #expect(try loaded("link") == Array(bytes.prefix(8192)))
    for name in ["short", "long", "absent", ""] { #expect(try loaded(name).isEmpty, "\(name)") }
    let (board, _) = try imu(", firmware: \(folder.path())/right")
    let other = try #require(ChipCatalog.entry(named: "bosch,bmi160"))
    #expect(board.chips[0].firmwareBytes(of: other).isEmpty)
  }

  @Test func `one sentence says where to get it`() throws {
    let (board, _) = try imu("")
    #expect(
      board.chips[0].sentence(for: .firmware, on: board.bus("i2c1"))
        == "imu: the BMI270 at 0x68 on /dev/i2c-1 has no firmware that it accepts: save the 8192 "
        + "bytes of bmi270_config_file in Bosch's BMI270_SensorAPI (github.com/boschsensortec) as "
        + "/lib/firmware/bmi270-init-data.fw, or name the file by 'firmware' in the board file")
  }
}
