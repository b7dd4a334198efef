// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Foundation
import Otolith
import Recordings
import ChipCatalog
import Registers
import Text

extension RegistersCommand {
  struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "write",
      abstract: "Write some registers of a chip, or fields of them.",
      discussion: """
        Shows each register before and after, field by field, and the command that undoes the \
        write. A field accepts a number or the name of one of its codes: 'power1.sleep=off', \
        'gyroConfig=0x18'. Fields of one register are written together; its other fields keep \
        their values. Every write is read back; a difference is an error.

        Read-only registers cannot be written; addresses missing in the data sheet's map need \
        --force. The chip keeps the values until its next reset, which includes the start of a \
        program that uses it.
        """)

    @OptionGroup var options: RegisterChipOptions

    @Argument(
      help: ArgumentHelp(
        "The registers and fields to write, with their values.", valueName: "register[.field]=value"
      ))
    var assignments: [String] = []

    @Option(
      help: ArgumentHelp("Save the previous values to this file, for --undo.", valueName: "file"),
      completion: .file())
    var save: String?

    @Option(
      help: ArgumentHelp("Restore the values saved with --save.", valueName: "file"),
      completion: .file())
    var undo: String?

    @Flag(help: "Write addresses that are missing in the register map too.")
    var force = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
      if undo == nil, assignments.isEmpty {
        throw ValidationError("nothing to write; give registers, such as gyroConfig=0x18")
      }
      if undo != nil, !assignments.isEmpty {
        throw ValidationError("--undo takes its registers from the file; give no others")
      }
      if let board = assignments.first(where: BoardOption.isBoard) {
        throw ValidationError(
          "'\(board)' is a board, but this command takes registers: name the board with --board "
            + "\(board)")
      }
      if let bad = assignments.first(where: { !$0.contains("=") }) {
        throw ValidationError("'\(bad)' has no value; write \(bad)=VALUE")
      }
    }

    func run() throws {
      // Never replace a saved undo file: in this command `--force` applies only to registers.
      let file = try save.map { try OutputFile($0, inputs: [undo], replaces: nil) }
      let chip = try options.open()
      let plan = try self.plan(chip.queries(try undo.map(saved) ?? assignments), chip)
      if let file { try keep(plan, file) }
      var differences: [RegisterDifference] = []
      var rejected: [String] = []
      for step in plan.steps {
        try chip.write(step.after, to: step.row)
        guard step.row.isReadable, step.row.effect == .none else { continue }
        // Wait 1 ms: the slowest chip needs less than 0.5 ms for a write (BMI160 in suspend mode).
        chip.wait(.milliseconds(1))
        let kept = try chip.read(step.row)
        if let before = step.before {
          differences.append(RegisterDifference(step.row, before: before, after: kept))
        }
        if kept != step.after {
          rejected.append(
            "\(step.row.name): wrote \(step.row.text(step.after)), holds \(step.row.text(kept))")
        }
      }
      say(plan, differences, chip)
      guard rejected.isEmpty else {
        throw Failure(
          "\(chip.name): reads back differently: \(rejected.joined(separator: "; ")): bits that "
            + "clear themselves or are reserved, or a chip that sleeps", Failure.badData)
      }
    }

    /// Plans one write for each register, in the order of the arguments.
    private func plan(_ queries: [RegisterQuery], _ chip: OpenedChip) throws(Failure)
      -> RegisterPlan
    {
      try RegisterPlan(queries, isForced: force, refuse: { Self.failure($0, chip) }) {
        row throws(Failure) in try chip.read(row)
      }
    }

    private static func failure(_ refusal: RegisterPlan.Refusal, _ chip: OpenedChip) -> Failure {
      switch refusal {
      case .readOnly(let row):
        Failure("\(chip.name): \(row.name) is read-only: nothing was written", Failure.usage)
      case .undocumented(let row):
        Failure(
          "\(chip.name): \(row.name) is not in the register map: the effect of writing it is "
            + "unknown; nothing was written; write it with --force", Failure.usage)
      case .unreadable(let row):
        Failure(
          "\(chip.name): \(row.name) cannot be read, so its other fields would be lost: give the "
            + "whole register, such as \(row.name)=\(row.text(0)); nothing was written",
          Failure.usage)
      }
    }

    private func say(
      _ plan: RegisterPlan, _ differences: [RegisterDifference], _ chip: OpenedChip
    ) {
      let undo = plan.undo
      let board = options.board.path.map { " --board \($0)" } ?? ""
      let command =
        "otolith registers write --chip \(chip.name)\(board) \(undo.joined(separator: " "))"
      if json {
        let report = JSON.object([
          .init("registers", .object(differences.map(\.json))), .init("undo", .text(command)),
        ])
        return Terminal.say(report.description)
      }
      let width = plan.steps.map(\.row.name.count).max() ?? 0
      for step in plan.steps {
        if let difference = differences.first(where: { $0.row.place == step.row.place }) {
          Terminal.say(difference.text(width: width))
        } else {
          Terminal.say(
            "\(step.row.label) \(step.row.name)  wrote \(step.row.text(step.after)); "
              + "it cannot be read back, nor undone")
        }
      }
      if !undo.isEmpty { Terminal.say("undo: \(command)") }
    }

    // MARK: Undo

    private func keep(_ plan: RegisterPlan, _ file: OutputFile) throws(Failure) {
      let lines = plan.undo.map { $0 + "\n" }
      let text =
        "# otolith registers write --chip \(options.chip) --undo \(file.path)\n"
        + lines.joined()
      try file.write(text, makesFolder: true)
    }

    private func saved(_ path: String) throws(Failure) -> [String] {
      let text: String
      switch BoundedFile.read(path, most: { _ in 1 << 20 }) {
      case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
      // A file of this size is not a saved undo file, because no undo file is that large.
      case .tooLarge: text = ""
      case .failed:
        throw Failure("\(path): cannot be read; --save writes such a file", Failure.noInput)
      }
      let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
      guard !lines.isEmpty, lines.allSatisfy({ $0.contains("=") }) else {
        throw Failure("\(path): is not a file written by --save", Failure.badData)
      }
      return lines
    }
  }
}
