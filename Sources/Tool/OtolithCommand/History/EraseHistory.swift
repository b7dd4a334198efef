// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Foundation
import Otolith

extension HistoryCommand {
  struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase",
      abstract: "Delete all history, recorded acceleration included.",
      discussion: """
        A running service starts again at zero. Asks for confirmation on a terminal; elsewhere \
        --yes is required.
        """)

    @OptionGroup var options: HistoryOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() throws {
      let movement = try options.movement
      let acceleration = try options.acceleration
      let places = [movement.folder, acceleration.folder]
        .filter { FileManager.default.fileExists(atPath: $0) }
      guard !places.isEmpty else {
        Terminal.say(
          "nothing to erase: neither \(movement.folder) nor \(acceleration.folder) is there")
        return
      }
      if !yes {
        guard isatty(0) == 1 else {
          throw Failure(
            "this erases \(places.joined(separator: " and ")) permanently; confirm with --yes",
            Failure.usage)
        }
        Terminal.complain("This erases permanently:")
        for place in places { Terminal.complain("  \(place)") }
        Terminal.write("Erase? [y/N] ", to: 2)
        guard readLine()?.lowercased().hasPrefix("y") == true else {
          Terminal.complain("Nothing is erased.")
          return
        }
      }
      try Self.becomeOwner(of: places[0])
      do throws(HistoryError) {
        try movement.erase()
        try acceleration.erase()
      } catch { throw Failure(error) }
      Terminal.say("erased \(places.joined(separator: " and "))")
    }

    /// Changes root's effective user to the owner of `folder` before a service's history is erased.
    /// Symbolic links that the owner has placed there then reach only files that the owner may
    /// access. Throws an error if root may not act as the owner; nothing is erased in that case.
    private static func becomeOwner(of folder: String) throws(Failure) {
      var status = stat()
      // `stat` writes `status` only during the call.
      guard geteuid() == 0, unsafe stat(folder, &status) == 0, status.st_uid != 0 else { return }
      // If the group count is 0, the list pointer is not read.
      guard setgroups(0, nil) == 0, setegid(status.st_gid) == 0, seteuid(status.st_uid) == 0 else {
        throw Failure(
          "\(folder) belongs to user \(status.st_uid), as whom root may not act here (no "
            + "CAP_SETUID or CAP_SETGID, as in some containers); nothing is erased: run this as "
            + "that user",
          Failure.noPermission)
      }
    }
  }
}
