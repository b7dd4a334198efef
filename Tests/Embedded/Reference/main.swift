// SPDX-License-Identifier: Apache-2.0
// EmbeddedReference BOARD SECONDS FOLDER: makes the reference for a microcontroller. It runs the
// simulated board on its own clock through the code of Linux programs, and writes into FOLDER a
// tape of the bus traffic (NAME.tape) and the results (NAME.linux), where NAME is that of the board
// file.
import Boards
import ChipCatalog
import Foundation
import Quantities

guard CommandLine.arguments.count == 4, let seconds = Double(CommandLine.arguments[2]) else {
  FileHandle.standardError.write(Data("usage: EmbeddedReference BOARD SECONDS FOLDER\n".utf8))
  exit(64)
}
let file = CommandLine.arguments[1]
let folder = URL(fileURLWithPath: CommandLine.arguments[3])
let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent

do {
  let board = try BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
  let run = try RecordedRun(board, for: TimeSpan(seconds: seconds))
  let tape = try Tape(run.traced)
  let values = try PlayedRun(run.traced)
  guard values.samples == run.samples else {
    throw ReferenceError("the drivers' samples over the trace are not those that were recorded")
  }
  try Data(tape.bytes).write(to: folder.appending(path: "\(name).tape"))
  try Data(values.bytes).write(to: folder.appending(path: "\(name).linux"))
  print(
    "\(name): \(tape.steps) steps, \(run.samples.count) samples, \(tape.bytes.count) bytes of tape")
} catch {
  FileHandle.standardError.write(Data("EmbeddedReference: \(file): \(error)\n".utf8))
  exit(1)
}
