// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Foundation

struct Install: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Print systemd units and related files for the service and for recording.",
    discussion: """
      The files are printed, not installed: each begins with its path and the commands to run \
      afterwards. docs/service.md explains them, and how to run without systemd.
      """)

  @Option(
    defaultAsFlag: .all,
    help: ArgumentHelp(
      "The files to print: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "file"))
  var print: Part?

  @Option(
    help: ArgumentHelp(
      "The path of the otolith program in the files. (default: this program)",
      valueName: "path"),
    completion: .file())
  var program: String?

  enum Part: String, CaseIterable, ExpressibleByArgument {
    case service
    case socket
    case udev
    case sysusers
    case tmpfiles
    case record
    case all
  }

  func validate() throws {
    if print == nil {
      throw ValidationError("otolith install only prints the files: add --print")
    }
    if let program, !program.hasPrefix("/") {
      throw ValidationError("--program \(program): units need an absolute path")
    }
  }

  func run() throws {
    let files = try InstallationFiles(executable: program ?? Self.ownPath())
    let parts = print == .all ? Part.allCases.filter { $0 != .all } : [print].compactMap(\.self)
    Terminal.write(parts.map { files.text($0) }.joined(separator: "\n"), to: 1)
  }

  private static func ownPath() throws(Failure) -> String {
    do { return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch
    {
      throw Failure("/proc/self/exe cannot be read: \(error)", Failure.unavailable)
    }
  }
}
