// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Otolith
import ChipCatalog
import Registers

extension RegistersCommand {
  struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "read",
      abstract: "Read some registers of a chip, or fields of them.",
      discussion: """
        A register is given by its name in the dump or by its address (0x75, 117); a field follows \
        after a dot: 'whoAmI', 'gyroConfig.fullScale'. Registers with read side effects and \
        addresses missing in the data sheet's map need --force.
        """)

    @OptionGroup var options: RegisterChipOptions

    @Argument(
      help: ArgumentHelp("The registers and fields to read.", valueName: "register[.field]"))
    var registers: [String]

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The number of reads. (default: 1)", valueName: "times"),
      transform: NumberForm.whole("a whole number of times", 1...1_000_000, example: 10))
    var count = 1

    @Flag(help: "Read registers with read side effects too.")
    var force = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
      guard !registers.contains(where: { $0.contains("=") }) else {
        throw ValidationError("'read' accepts no values; to write: otolith registers write")
      }
    }

    func run() throws {
      let chip = try options.open(for: registers)
      let queries = try chip.queries(toRead: registers, isForced: force)
      var values: [String: [UInt16]] = [:]
      for _ in 0..<count {
        for (text, query) in zip(registers, queries) {
          let contents = try chip.read(query.row)
          let value = query.field.map { ($0.mask & contents) >> $0.lowest } ?? contents
          values[text, default: []].append(value)
          if !json { Terminal.say(query.line(contents)) }
        }
      }
      if json {
        try Terminal.say(json: values)
      }
    }
  }
}

extension RegisterQuery {
  /// The reason why the register should not be read; `nil` if reading has no side effect.
  var refusalOfReading: String? {
    if !row.isReadable { return "\(row.name) can only be written" }
    if !isDocumented {
      return
        "\(row.name) is not in the register map: reading it may have side effects; read it with "
        + "--force"
    }
    switch row.effect {
    case .none: return nil
    case .clears: return "reading \(row.name) clears it; read it with --force"
    case .popsQueue:
      return "each read of \(row.name) takes a byte out of the FIFO; read it with --force"
    }
  }

  /// Returns a line that shows the register's contents and its fields to users.
  func line(_ contents: UInt16) -> String {
    let head = "\(row.label) \(row.name)"
    if let field { return "\(head).\(field.name) = \(field.text(in: contents))" }
    let fields =
      row.isNumber && row.fields[0].codes.isEmpty
      ? "" : row.fields.map { " \($0.name)=\($0.text(in: contents))" }.joined()
    return "\(head) = \(row.text(contents)) (\(contents))"
      + (fields.isEmpty ? "" : " " + fields)
  }
}
