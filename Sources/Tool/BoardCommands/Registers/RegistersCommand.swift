// SPDX-License-Identifier: Apache-2.0
import BringUp
import ArgumentParser
import ChipCatalog
import Otolith
import Registers

package struct RegistersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "registers", abstract: "Look into a chip's registers, and change them.",
    discussion: """
      Registers and their fields have the names of the maker's data sheet. While the otolith \
      service, another program or a driver of the kernel has the chip, all of these refuse.
      """,
    subcommands: [Dump.self, Read.self, Write.self, Diff.self, Watch.self])

  struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dump",
      abstract: "Print every register of a chip with its named fields.",
      discussion: """
        An asterisk marks what differs from the contents after a reset, which follow in brackets. \
        Registers that change by being read are left alone unless --force is given. The chip is read \
        as it is; with --start its driver starts it first, as the board file says.
        """)

    @OptionGroup var options: RegisterChipOptions

    @Flag(help: "Start the chip as the board file says, and then dump.")
    var start = false

    @Flag(help: "Read also what changes by being read.")
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
