// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Boards
import BringUp
import ArgumentParser
import Otolith
import Recordings

struct ShowWiring: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wiring",
    abstract: "Show a board's wiring, pin by pin.",
    discussion: """
      Prints the pins of each module and the pins of the Raspberry Pi's header they connect to, \
      and the header as seen from above. Without 'wiring:' in the board file the connections \
      follow from its buses and interrupt lines, one module per chip. --svg draws a figure like \
      those in docs/reference/boards.md.

        otolith boards wiring raspberry-pi-gy521 --svg wiring.svg
      """)

  @OptionGroup var board: BoardName

  @Option(
    help: ArgumentHelp(
      "Draw the wiring into this file ('-': standard output).", valueName: "file.svg"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @OptionGroup var overwrite: OverwriteOption

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if board.path == nil {
      throw ValidationError("name a board, such as 'raspberry-pi-gy521'")
    }
    if json, svg != nil { throw ValidationError("say --json or --svg, not both") }
  }

  func run() throws {
    let file = try svg.map {
      try OutputFile(
        $0, "--svg", holds: "svg", inputs: [board.path ?? ""], replaces: overwrite.force)
    }
    var shown = try Boards.shown(board.path ?? "")
    if shown.wiring == nil, let inferred = shown.inferredWiring {
      shown.wiring = inferred
      let drawn = Set(inferred.modules.flatMap(\.chips))
      let left = shown.chips.map(\.name).filter { !drawn.contains($0) }
      Terminal.complain(
        "\(shown.file): has no 'wiring:'; these are the pins of its buses"
          + (left.isEmpty
            ? "" : ", without \(left.joined(separator: ", ")), whose pins are unknown"))
    }
    guard let wiring = shown.wiring, let picture = WiringPicture(shown) else {
      throw Failure(
        "\(shown.file): has no 'wiring:', and none of its buses is known to be on the header; see "
          + "docs/reference/board-files.md for 'wiring:'", Failure.badData)
    }
    if json { return try Terminal.say(json: Self.report(shown, wiring)) }
    guard let file else {
      for line in WiringTable(shown).lines { Terminal.say(line) }
      return
    }
    try file.write(picture.svg)
    if file.path != "-" { Terminal.complain("written: \(file.path)") }
  }

  private struct Report: Encodable {
    struct Pin: Encodable {
      var name: String
      /// The header pin's number and name; both are `nil` for a pin that is not connected.
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
