// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Python as an independent reader.
enum Python {
  /// True if `python3` is installed.
  static var isThere: Bool { (try? run("print('here')", input: "")) == "here\n" }

  /// Returns the output of `program` for `input`.
  static func run(_ program: String, input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    try standardOutput.fileHandleForReading.close()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
