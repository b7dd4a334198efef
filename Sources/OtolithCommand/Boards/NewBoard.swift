// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ArgumentParser
import ChipCatalog
import Foundation
import Otolith
import Recordings
import Simulation

struct NewBoard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a board file for what is on this machine's buses.",
    discussion: """
      Looks for chips as 'otolith detect' does, asks what no bus can tell (a name, which chips, \
      where their interrupts are wired, how many samples a second), shows the file and writes it, \
      with the meaning of every key beside it. On a terminal it asks; with --yes, which it \
      needs elsewhere, it takes what the options say and what it would have proposed.

        otolith boards new robot.yaml
        otolith boards new robot.yaml --yes --interrupt imu=GPIO4 --rate 500
        otolith boards new robot.yaml --chip st,lis3mdl --bus /dev/i2c-1 --address 0x1E --yes
        otolith boards new robot.yaml --like raspberry-pi-gy521

      The file is written whole or not at all. Ends with 69 where nothing was found, and with 73 \
      where the file is there already.
      """)

  @Argument(
    help: ArgumentHelp(
      "The file to write ('-': standard output). (default: the board's name and .yaml)",
      valueName: "file"))
  var file: String?

  @Option(help: "What people call the board.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Take a chip of this kind without looking for it, such as invensense,mpu6050. May be repeated.",
      valueName: "kind"))
  var chip: [String] = []

  @Option(
    help: ArgumentHelp(
      "The bus of --chip, such as /dev/i2c-1; one for all, or one for each.", valueName: "path"))
  var bus: [String] = []

  @Option(
    help: ArgumentHelp(
      "The I2C address of --chip, such as 0x68, in the same order. (default: its lowest)",
      valueName: "address"))
  var address: [String] = []

  @Option(
    help: ArgumentHelp(
      "A wired interrupt: a line such as GPIO4, after the chip's name where there are several, as in imu=GPIO4. May be repeated.",
      valueName: "line"))
  var interrupt: [String] = []

  @Option(
    help: ArgumentHelp(
      "Samples a second of accelerometers and gyroscopes. (default: 200)", valueName: "hz"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "Look on the simulated buses of this board file, not on the machine's.", valueName: "file"))
  var simulated: String?

  @Option(
    help: ArgumentHelp(
      "Copy a built-in board instead ('otolith boards list' names them).", valueName: "board"))
  var like: String?

  @Flag(help: "Do not ask.")
  var yes = false

  @Flag(help: "Replace the file where it is there already.")
  var force = false

  func validate() throws {
    if like != nil,
      !chip.isEmpty || simulated != nil || name != nil || rate != nil || !interrupt.isEmpty
    {
      throw ValidationError("--like copies a board as it is: leave the other options out")
    }
    if simulated != nil, !chip.isEmpty {
      throw ValidationError("say --simulated or --chip, not both")
    }
    if chip.isEmpty, !bus.isEmpty || !address.isEmpty {
      throw ValidationError("--bus and --address belong to a --chip")
    }
    if let rate, !(rate > 0 && rate <= 8000) {
      throw ValidationError("--rate \(rate): expected samples per second between 0.1 and 8000")
    }
  }

  func run() throws {
    // Before a long talk rather than after it.
    if let file { try refuse(existing: file) }
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
        "standard input is no terminal to ask on; say --yes to take what is proposed",
        Failure.usage)
    }
    let proposal = try chip.isEmpty ? found() : said()
    var interview = BoardInterview(proposal, isTalk: isTalk)
    let draft = try interview.draft(name: name, rate: rate, interrupts: interrupt)
    let path = try file ?? interview.file(for: draft.name)
    try refuse(existing: path)
    // Whatever was answered: a file that `check` would refuse is not written.
    do throws(BoardErrors) {
      _ = try BoardFile.parse(draft.text, file: path, catalogue: ChipCatalog.descriptions)
    } catch { throw Failure(error) }
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

  private func refuse(existing path: String) throws {
    guard path != "-", !force, FileManager.default.fileExists(atPath: path) else { return }
    throw Failure(
      "\(path): is there already; name another file, or say --force to replace it",
      Failure.cannotCreate)
  }

  private func write(_ text: String, to path: String) throws {
    do throws(FileWriterError) {
      if path == "-" { return Terminal.write(text, to: 1) }
      try refuseAgain(path)
      try FileWriter.replace(path, with: text)
    } catch { throw Failure(error) }
    Terminal.complain("written: \(path)")
    Terminal.complain("next: otolith bringup \(path)")
  }

  /// The file may have come while the questions were answered.
  private func refuseAgain(_ path: String) throws(FileWriterError) {
    guard !force, FileManager.default.fileExists(atPath: path) else { return }
    throw FileWriterError(.cannotCreate, file: path, reason: "it is there already; say --force")
  }

  // MARK: - Where chips come from

  /// Those that answer.
  private func found() throws -> BoardDraft {
    let survey = try Detect.look(simulated: simulated)
    for error in survey.unopened { Terminal.complain("\(error)") }
    for line in survey.explanation { Terminal.complain(line) }
    guard !survey.chips.isEmpty else {
      var failure = Detect.nothing(in: survey)
      failure.message +=
        "\nto write the file for chips that are not there yet: --chip with --bus, or --like with a built-in board: "
        + ShippedBoard.all.map(\.name).joined(separator: ", ")
      throw failure
    }
    var draft = BoardDraft(name: "", buses: [], chips: [])
    // What turns comes first: a board is named and used by it.
    let chips = survey.chips.enumerated().sorted { a, b in
      let turns = [a, b].map { found in
        found.element.asked.channels.contains { $0.channel == .rotationRate }
      }
      return turns[0] == turns[1] ? a.offset < b.offset : turns[0]
    }
    for finding in chips.map(\.element) {
      let wire: Wire = finding.address == nil ? .spi : .i2c
      let bus = draft.bus(finding.bus, wire, isSimulated: simulated != nil)
      draft.add(finding.asked, bus: bus, address: finding.address)
    }
    return draft
  }

  /// Those of the options.
  private func said() throws -> BoardDraft {
    guard bus.count == 1 || bus.count == chip.count else {
      throw Failure(
        "\(chip.count) --chip and \(bus.count) --bus: give one bus for all chips, or one for each",
        Failure.usage)
    }
    guard address.isEmpty || address.count == chip.count else {
      throw Failure(
        "\(chip.count) --chip and \(address.count) --address: give each chip its address, or none",
        Failure.usage)
    }
    var draft = BoardDraft(name: "", buses: [], chips: [])
    for (index, kind) in chip.enumerated() {
      guard let entry = ChipCatalog.entry(named: kind) else {
        let known = KnownChips.chip(named: kind).map { "is not supported yet; \($0.instead)" }
        throw Failure(
          "--chip \(kind): "
            + (known ?? "no such chip; there are "
              + ChipCatalog.descriptions.map(\.name).joined(separator: ", ")),
          Failure.usage)
      }
      let path = bus.count == 1 ? bus[0] : bus[index]
      let wire: Wire = path.contains("spi") ? .spi : .i2c
      var place = wire == .i2c ? entry.description.addresses.first : nil
      if !address.isEmpty {
        guard let number = Self.number(address[index]) else {
          throw Failure(
            "--address \(address[index]): expected an address such as 0x68", Failure.usage)
        }
        place = number
      }
      draft.add(
        entry.description, bus: draft.bus(path, wire, isSimulated: false), address: place)
    }
    return draft
  }

  private static func number(_ text: String) -> UInt8? {
    let lower = text.lowercased()
    return lower.hasPrefix("0x") ? UInt8(lower.dropFirst(2), radix: 16) : UInt8(lower)
  }
}

extension BoardDraft {
  /// The name of the bus at `path`, which is added where it is not there yet.
  fileprivate mutating func bus(_ path: String, _ wire: Wire, isSimulated: Bool) -> String {
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
