// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Boards
import BringUp
import ArgumentParser
import ChipCatalog
import Foundation
import Otolith
import Recordings

struct NewBoard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a board file for the chips on this machine's buses.",
    discussion: """
      Looks for chips like 'otolith detect', asks for the rest (a name, which chips, their \
      interrupt lines and rates), shows the file and writes it, with a comment on each key. With \
      --yes it does not ask: it uses the options, and its proposals for the rest. --yes is \
      required if standard input is not a terminal.

        otolith boards new robot.yaml
        otolith boards new robot.yaml --yes --interrupt imu=GPIO4 --rate 500
        otolith boards new robot.yaml --chip mpu6050@/dev/i2c-1:0x69,interrupt=GPIO17
        otolith boards new robot.yaml --like raspberry-pi-gy521

      A chip that is not connected yet is given as \
      KIND@BUS[:ADDRESS][,interrupt=LINE][,rate=HZ][,name=NAME]: --chip mpu6050@/dev/i2c-1 --chip \
      lis3mdl@/dev/spidev0.0.

      The file is written atomically. Exit status: 69 if no chip was found, 73 if the file exists \
      already.
      """)

  @Argument(
    help: ArgumentHelp(
      "The file to write ('-': standard output). (default: the board's name and .yaml)",
      valueName: "file"), completion: .file(extensions: ["yaml"]))
  var file: String?

  @Option(help: "The board's name, for people.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Use this chip without detection, such as mpu6050@/dev/i2c-1:0x69,interrupt=GPIO17. Can be "
        + "repeated.",
      valueName: "kind@bus"), completion: .kinds)
  var chip: [String] = []

  @Option(
    help: ArgumentHelp(
      "A connected interrupt line such as GPIO4; with several chips preceded by the chip's name, "
        + "as in imu=GPIO4. Can be repeated.",
      valueName: "line"), completion: .lines)
  var interrupt: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Samples per second of accelerometers and gyroscopes. (default: 200)", valueName: "hz"),
    transform: NumberForm.number(of: "samples a second", 0.1...8000, example: 200))
  var rate: Double?

  @OptionGroup var board: BoardOption

  @Option(
    help: ArgumentHelp(
      "Copy this built-in board instead ('otolith boards list' lists them).", valueName: "board"),
    completion: .builtInBoards)
  var like: String?

  @Flag(help: "Do not ask for confirmation.")
  var yes = false

  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    if like != nil,
      !chip.isEmpty || board.path != nil || name != nil || rate != nil || !interrupt.isEmpty
    {
      throw ValidationError(
        "--like copies a board unchanged and cannot be combined with other "
          + "options")
    }
    if board.path != nil, !chip.isEmpty {
      throw ValidationError(
        "--board searches for chips, --chip names them: give only one of them")
    }
  }

  func run() throws {
    // Check the output file before asking questions, so that no answers are lost.
    if let file { _ = try output(file) }
    if let like {
      guard let board = ShippedBoard.named(like) else {
        throw Failure(
          "--like \(like): no such board is built in; there are "
            + ShippedBoard.all.map(\.name).joined(separator: ", "), Failure.usage)
      }
      return try write(board.text, to: file ?? board.file)
    }
    let isTalk = !yes && isatty(0) == 1
    guard isTalk || yes else {
      throw Failure(
        "standard input is not a terminal; --yes accepts the proposals without asking",
        Failure.usage)
    }
    let said = try specifications()
    let proposal = try said.isEmpty ? found() : draft(of: said)
    var interview = BoardInterview(proposal, isTalk: isTalk, choosesChips: said.isEmpty)
    let interrupts = wantedInterrupts(zip(said, proposal.chips))
    let draft = try interview.draft(name: name, rate: rate, interrupts: interrupts)
    let path = try file ?? interview.file(for: draft.name)
    _ = try output(path)
    // Whatever the answers, do not write a file that `otolith boards check` would reject.
    do throws(BoardErrors) {
      _ = try BoardFile.parse(draft.text, file: path, catalogue: ChipCatalog.descriptions)
    } catch {
      // Print the errors without line numbers, because there is no file yet.
      let reasons = error.errors.map(\.sentence).joined(separator: "; ")
      throw Failure("\(reasons): nothing was written", Failure.usage)
    }
    if isTalk, path != "-" {
      Terminal.complain("")
      Terminal.write(draft.text, to: 2)
      guard interview.agrees("Write this to \(path)?") else {
        Terminal.complain("Nothing is written.")
        return
      }
    }
    try write(draft.text, to: path)
  }

  private func output(_ path: String) throws(Failure) -> OutputFile {
    try OutputFile(
      path, holds: "yaml", inputs: [board.path], replaces: overwrite.force)
  }

  private func write(_ text: String, to path: String) throws {
    if path == "-" { return Terminal.write(text, to: 1) }
    // Check again, because another program may have created the file while the user answered.
    try output(path).write(text, makesFolder: true)
    Terminal.complain("written: \(path)")
    Terminal.complain("next: otolith bringup \(path)")
  }

  // MARK: - Sources of chips

  /// Returns a draft with the chips that were detected.
  private func found() throws -> BoardDraft {
    let result = try Detect.detect(on: board.load(), named: board.path)
    for error in result.unopened { Terminal.complain("\(error)") }
    for line in result.explanation { Terminal.complain(line) }
    guard !result.chips.isEmpty else {
      var failure = Detect.nothing(in: result)
      failure.message +=
        "\nto write a file for chips that are not connected yet: --chip, or --like with a built-in "
        + "board: "
        + ShippedBoard.all.map(\.name).joined(separator: ", ")
      throw failure
    }
    var draft = BoardDraft(name: "", buses: [], chips: [])
    // Put chips with a gyroscope first, because a board is named after its inertial sensor.
    let chips = result.chips.enumerated().sorted { a, b in
      let turns = [a, b].map { found in
        found.element.candidate.channels.contains { $0.channel == .rotationRate }
      }
      return turns[0] == turns[1] ? a.offset < b.offset : turns[0]
    }
    for finding in chips.map(\.element) {
      let wire: Wire = finding.address == nil ? .spi : .i2c
      let bus = draft.bus(finding.bus, wire, isSimulated: board.path != nil)
      draft.add(finding.candidate, bus: bus, address: finding.address)
    }
    return draft
  }

  /// Returns the chips given by the options `--chip`.
  private func specifications() throws(Failure) -> [ChipSpecification] {
    var said: [ChipSpecification] = []
    for text in chip { said.append(try ChipSpecification(text)) }
    return said
  }

  private func draft(of said: [ChipSpecification]) throws(Failure) -> BoardDraft {
    var draft = BoardDraft(name: "", buses: [], chips: [])
    for chip in said { try draft.add(chip) }
    return draft
  }

  /// Returns the interrupt lines from the options `--interrupt` and `--chip`.
  private func wantedInterrupts(
    _ chips: some Sequence<(ChipSpecification, BoardDraft.Chip)>
  ) -> [WantedInterrupt] {
    let said = chips.compactMap { said, chip in
      said.interrupt.map {
        WantedInterrupt(option: "--chip \(said.text)", chip: chip.name, line: $0)
      }
    }
    return said + interrupt.map(WantedInterrupt.init)
  }
}

extension BoardDraft {
  /// Returns the name of the bus at `path`; adds the bus to the draft if it is missing.
  mutating func bus(_ path: String, _ wire: Wire, isSimulated: Bool) -> String {
    let name = String(path.split(separator: "/").last ?? "bus").replacing(".", with: "-")
    if !buses.contains(where: { $0.name == name }) {
      buses.append(Bus(name: name, wire: wire, path: isSimulated ? nil : path))
    }
    return name
  }

  fileprivate mutating func add(_ chip: ChipDescription, bus: String, address: UInt8?) {
    chips.append(
      Chip(
        name: Self.name(of: chip, besides: chips.map(\.name)), description: chip, bus: bus,
        address: address, rate: Self.rate(of: chip)))
  }
}
