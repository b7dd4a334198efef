// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Foundation
import Boards
import ChipCatalog
import KernelSensors
import Otolith
import Sensors

struct CheckBoards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check board files: every error with its line and column.",
    discussion: """
      Only the files are checked, not the hardware. Exit status: 78 if a file has an error, 66 if \
      a file does not exist.
      """)

  @Argument(help: "The board files, or names of built-in boards.", completion: .boards)
  var files: [String] = []

  @Option(
    name: [.customShort("b"), .customLong("board")],
    help: "A board file, as for other commands.", completion: .boards)
  var option: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if (files + option).isEmpty { throw ValidationError("name at least one board file") }
  }

  struct Report: Encodable {
    struct Chip: Encodable {
      var name: String
      var chip: String
      /// The device node of the bus, or the name of a simulated bus.
      var bus: String
      var address: Int?
      var rateHz: Double
      var readBy: String
    }

    struct Mistake: Encodable {
      var line: Int
      var column: Int
      var message: String
    }

    var file: String
    var isGood: Bool
    var name: String?
    var chips: [Chip] = []
    var errors: [Mistake] = []
  }

  func run() throws {
    var status: Int32 = 0
    var reports: [Report] = []
    for file in files + option {
      do throws(BoardErrors) {
        let board = try BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
        let chips = board.chips.map { chip in
          Report.Chip(
            name: chip.name, chip: chip.chip, bus: board.bus(chip.bus)?.path ?? chip.bus,
            address: chip.address.map(Int.init), rateHz: chip.settings.rate,
            readBy: chip.settings.acquisition.boardName)
        }
        reports.append(Report(file: file, isGood: true, name: board.name, chips: chips))
        if json { continue }
        Terminal.say("\(file): good: \(board.name)")
        for chip in board.chips {
          Terminal.say("  \(Self.summary(chip, board))")
          for line in Self.measured(chip, board) { Terminal.say("    \(line)") }
        }
      } catch {
        let failure = Failure(error)
        let mistakes = error.errors.map {
          Report.Mistake(line: $0.line, column: $0.column, message: $0.description)
        }
        reports.append(Report(file: file, isGood: false, errors: mistakes))
        if !json { Terminal.complain(failure.message) }
        status = status == 0 ? failure.status : status
      }
    }
    if json { try Terminal.say(json: ["files": reports]) }
    if status != 0 { Terminal.exit(withStatus: status) }
  }

  /// Returns the chip's mounting and position according to the calibration file.
  private static func measured(_ chip: ChipPlacement, _ board: Board) -> [String] {
    let file = board.calibration?.file ?? ""
    let stated = "not the board file's \(chip.statedMounting.boardText)"
    if let alignment = chip.alignment {
      let arm = alignment.value.leverArm * 1000
      return [
        "mounting: \(chip.mounting.boardText) by \(file), \(stated)",
        String(
          format: "aligned to %@: %.1f %.1f %.1f mm from it in chip axes, %.2f ms later",
          alignment.reference, arm.x, arm.y, arm.z, alignment.value.timeOffset * 1000),
      ]
    }
    guard let found = board.calibration?.chips[chip.name]?.mounting else { return [] }
    return ["mounting: \(found.boardText) by \(file), \(stated)"]
  }

  private static func summary(_ chip: ChipPlacement, _ board: Board) -> String {
    if let sensor = chip.kernelSensor {
      return "\(chip.name): \(chip.chip), which the kernel reads at \(sensor.place), "
        + "\(String(format: "%g", chip.settings.rate)) Hz"
    }
    let place = chip.address.map { "0x" + String($0, radix: 16, uppercase: true) + " on " } ?? ""
    let bus = board.bus(chip.bus)
    let how = chip.settings.acquisition.boardName
    let kind = bus?.isTrace == true ? "recorded" : "simulated"
    return "\(chip.name): \(chip.chip) at \(place)\(bus?.path ?? "\(kind) \(chip.bus)"), "
      + "\(String(format: "%g", chip.settings.rate)) Hz by \(how)"
  }
}
