// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BringUp
import ArgumentParser
import ChipCatalog
import Otolith
import Registers

package struct RegistersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "registers", abstract: "Read, write and compare a chip's registers.",
    discussion: """
      Registers and fields are named as in the manufacturer's data sheet. All subcommands fail \
      while the otolith service, another program or a kernel driver uses the chip.
      """,
    subcommands: [Dump.self, Read.self, Write.self, Diff.self, Watch.self])

  struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dump",
      abstract: "Print every register of a chip with its named fields.",
      discussion: """
        An asterisk marks a value that differs from the reset value, which follows in brackets. \
        Registers with read side effects are skipped unless --force is given. The chip is read as \
        it is; with --start its driver first starts it as configured in the board file.
        """)

    @OptionGroup var options: RegisterChipOptions

    @Flag(help: "Start the chip as configured in the board file first.")
    var start = false

    @Flag(help: "Read registers with read side effects too.")
    var force = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
      let chip = try options.open(isReport: !json)
      if start { try chip.start() }
      let dump = RegisterDump(chip.rows, isForced: force) { try? chip.access.read($0) }
      if start { try? chip.access.stopDriver() }
      guard dump.lines.contains(where: { $0.value != nil }) else {
        throw OpenedChip.failure(.bus(.noAcknowledge, register: 0), chip.name, chip.board)
      }
      if json {
        Terminal.write(dump.json + "\n", to: 1)
      } else {
        Terminal.say(
          "\(chip.name): \(chip.access.entry.description.title), identity 0x\(hexadecimal(chip.access.identity))"
        )
        Terminal.write(dump.text, to: 1)
      }
    }
  }
}
