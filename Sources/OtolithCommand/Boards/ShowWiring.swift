// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ArgumentParser
import Otolith
import Recordings

struct ShowWiring: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wiring",
    abstract: "Show which wire goes where, pin by pin.",
    discussion: """
      Prints the pins of each module of a board file with the pins of the Raspberry Pi's header \
      that they go to, and the header as one looks at it. With --svg it draws the picture that \
      docs/boards.md has of each board.

        otolith boards wiring raspberry-pi-gy521 --svg wiring.svg
      """)

  @Argument(help: "The board file, or the name of a built-in board.")
  var board: String

  @Option(
    help: ArgumentHelp("Draw it into this file ('-': standard output).", valueName: "file.svg"))
  var svg: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if json, svg != nil { throw ValidationError("say --json or --svg, not both") }
  }

  func run() throws {
    let shown = try Boards.shown(board)
    guard let wiring = shown.wiring, let picture = WiringPicture(shown) else {
      throw Failure(
        "\(shown.file): says nothing of its wiring; docs/board-files.md tells how to add 'wiring:'",
        Failure.badData)
    }
    if json { return try Boards.say(json: Self.report(shown, wiring)) }
    guard let svg else {
      for line in WiringTable(shown).lines { Terminal.say(line) }
      return
    }
    do throws(FileWriterError) {
      var writer = try FileWriter(path: svg)
      try writer.write(Array(picture.svg.utf8))
      try writer.commit()
    } catch { throw Failure(error) }
    if svg != "-" { Terminal.complain("written: \(svg)") }
  }

  private struct Report: Encodable {
    struct Pin: Encodable {
      var name: String
      /// Both `nil` for a pin that stays open.
      var headerPin: Int?
      var headerName: String?
      var isOptional: Bool
      var remark: String?
    }

    struct Module: Encodable {
      var name: String
      var title: String
      var chips: [String]
      var isHAT: Bool
      var pins: [Pin]
    }

    var board: String
    var name: String
    var modules: [Module]
  }

  private static func report(_ board: Board, _ wiring: BoardWiring) -> Report {
    let modules = wiring.modules.map { module in
      Report.Module(
        name: module.name, title: module.title, chips: module.chips, isHAT: module.isHAT,
        pins: module.pins.map { pin in
          Report.Pin(
            name: pin.name, headerPin: pin.header,
            headerName: pin.header.flatMap { RaspberryPiHeader.pin($0) }?.name,
            isOptional: pin.isOptional, remark: pin.remark)
        })
    }
    return Report(board: board.file, name: board.name, modules: modules)
  }
}
