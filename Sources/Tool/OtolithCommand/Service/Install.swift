// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Foundation

struct Install: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Print the files that let systemd run the service, and record.",
    discussion: """
      Nothing is written: each file begins with where it goes and what to run then. \
      docs/service.md tells what they are for, and how to do without systemd.
      """)

  @Option(
    defaultAsFlag: .all,
    help: ArgumentHelp(
      "Which: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "file"))
  var print: Part?

  @Option(
    help: ArgumentHelp(
      "Where the program lies that the files are for; this one, where it is now, unless told.",
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
      throw ValidationError("otolith install writes nothing; to see the files: --print")
    }
    if let program, !program.hasPrefix("/") {
      throw ValidationError("--program \(program): units want the whole path, from / on")
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
