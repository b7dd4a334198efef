// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import BringUp
import ChipCatalog
import Otolith
import Registers

package struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Scan all addresses of an I2C bus.",
    discussion: """
      Prints a map like i2cdetect's: row and column give the address, '--' means no answer, UU an \
      address owned by a kernel driver (not scanned). With --board the result is compared with the \
      board file: a chip that answers is shown by its address, a missing one as '??', and an \
      answer at an address that is not in the file as '!!'.

      Each address is probed with an empty write; the addresses of memory chips by reading a byte. \
      No data is written. Without an argument all I2C buses are scanned: those of the board file, \
      or of this machine. Exit status: 0, 65 if a chip of the board is missing, 69 if a bus is \
      stuck or silent.
      """)

  @Argument(
    help: ArgumentHelp(
      "The device node, such as /dev/i2c-1 or 1, or the bus's name in the board file.",
      valueName: "bus"))
  var bus: String?

  @OptionGroup var option: BoardOption

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let named = try option.load()
    let board = try named ?? machine()
    let buses = try wanted(board)
    if !json { named?.sayNotice() }
    var report = CheckReport<AddressCheck.Result>(board: named?.name)
    let examination = Examination(board)
    for description in buses {
      do throws(SessionError) {
        let probe = try examination.probe(description)
        let expected = named?.chips(on: description.name)
        let scan = AddressCheck.run(probe, name: description.name, expecting: expected)
        report.results.append(scan)
        report.findings += scan.findings
        if !json { for line in Self.lines(scan) { Terminal.say(line) } }
        for place in scan.places where place.verdict == .missing && !scan.isBusDead {
          guard let name = place.chip, let chip = try examination.open(name, usesInterrupt: false)
          else { continue }
          report.findings +=
            IdentityCheck.run(chip, on: probe, of: board, scan: scan).findings
        }
      } catch { throw Failure(error) }
    }
    if json {
      try Terminal.say(json: report, of: named)
    } else {
      Terminal.say(findings: report.findings)
    }
    if let status = report.findings.status { throw ExitCode(status) }
  }

  /// Returns a board with all buses of this machine and no chips.
  private func machine() throws(Failure) -> Board {
    var board: Board
    do throws(BoardErrors) {
      board = try BoardFile.simulated(catalogue: ChipCatalog.descriptions)
    } catch { throw Failure(error) }
    let positions = board.buses.first?.positions
    board.chips = []
    board.buses = BusCheck.run().i2c.compactMap { bus in
      positions.map {
        BusDescription(name: bus.path, connection: .i2c(path: bus.path), positions: $0)
      }
    }
    return board
  }

  private func wanted(_ board: Board) throws(Failure) -> [BusDescription] {
    let all = board.buses.filter { $0.wire == .i2c }
    guard let bus else {
      guard all.isEmpty else { return all }
      throw Failure(
        option.path.map { "\($0): no bus of this board is I2C, and SPI has no addresses" }
          ?? Self.noBus, Failure.unavailable)
    }
    let names = [bus, "/dev/i2c-\(bus)"]
    if let found = all.first(where: { names.contains($0.name) || names.contains($0.path ?? "") }) {
      return [found]
    }
    let isNamed: (BusDescription) -> Bool = { $0.name == bus || $0.path == bus }
    if bus.contains("spidev") || board.buses.contains(where: { $0.wire == .spi && isNamed($0) }) {
      throw Failure(
        "\(bus) is an SPI bus, which has no addresses to scan: otolith detect looks for chips on it",
        Failure.usage)
    }
    let node = Int(bus).map { "/dev/i2c-\($0)" }
    let missing = "there is no I2C bus \(node.map { "\(bus) (\($0))" } ?? "'\(bus)'")"
    guard !all.isEmpty else { throw Failure("\(missing); \(Self.noBus)", Failure.noInput) }
    let known = all.map { $0.path ?? $0.name }.joined(separator: ", ")
    throw Failure(
      "\(missing); \(option.path.map { "\($0) has" } ?? "this machine has") \(known)",
      Failure.noInput)
  }

  private static let noBus =
    "this machine shows no I2C bus (/dev/i2c-*): on a Raspberry Pi turn it on with: "
    + "sudo raspi-config nonint do_i2c 0"

  /// Returns the address map, and for each responding address the chips that may use it.
  static func lines(_ scan: AddressCheck.Result) -> [String] {
    var lines = ["\(scan.bus):" + (scan.clockHz.map { " \($0 / 1000) kHz" } ?? "")]
    lines.append("     " + (0..<16).map { " " + String($0, radix: 16) }.joined(separator: " "))
    for row in 0..<8 {
      let cells = (0..<16).map { column -> String in
        guard let place = scan.places.first(where: { $0.address == UInt8(row * 16 + column) })
        else { return "  " }
        return cell(place)
      }
      var line = "\(String(row, radix: 16))0: " + cells.joined(separator: " ")
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
    for place in scan.places
    where place.answer != .silent && place.answer != .notProbed
      || place.verdict == .missing
    {
      if place.answer == .timeout { continue }
      lines.append("  0x\(hexadecimal(place.address)): \(words(place))")
    }
    return lines
  }

  private static func cell(_ place: AddressCheck.Place) -> String {
    switch (place.answer, place.verdict) {
    case (_, .missing): "??"
    case (.answers, .unexpected): "!!"
    case (.answers, _): hexadecimal(place.address)
    case (.owned, _): "UU"
    case (.timeout, _): "TT"
    case (.failed, _): "EE"
    case (.silent, _): "--"
    case (.notProbed, _): "  "
    }
  }

  private static func words(_ place: AddressCheck.Place) -> String {
    let might =
      place.candidates.isEmpty
      ? "no chip that otolith drives has this address"
      : "might be \(place.candidates.joined(separator: ", "))"
    switch (place.answer, place.chip) {
    case (.owned, _): return "owned by the kernel's driver \(place.owner ?? "")"
    case (.answers, let chip?): return "answers: '\(chip)' of the board file"
    case (.answers, nil):
      return
        (place.verdict == .unexpected
        ? "answers, and the board file has no chip there: " : "answers: ")
        + might
    case (_, let chip?): return "'\(chip)' of the board file does not answer"
    case (_, nil): return "the transfer failed"
    }
  }
}
