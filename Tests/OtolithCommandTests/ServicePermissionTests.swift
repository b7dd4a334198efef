// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The users who may ask `otolith service`, and those who may change it.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServicePermissionTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// A command prefix for a user and a group that do not exist.
  static let somebody = "setpriv --reuid 54321 --regid 54321 --clear-groups --no-new-privs"

  /// True if another user can be simulated and may run the built program.
  static let canBeSomebodyElse: Bool = {
    guard geteuid() == 0, let scratch = try? Scratch() else { return false }
    let ending = try? Tool.shell("\(somebody) \"$OTOLITH\" --version", in: scratch)
    return ending?.status == 0
  }()

  @Test(.enabled(if: canBeSomebodyElse, "needs root, setpriv, and a build that others may run"))
  func `a member of the group may query, and the owner may give orders`() throws {
    let service = try RunningService("--board", LiveTests.board, "--group", "games", in: scratch)
    #expect(service.logLines.first?.hasSuffix("; group: games") ?? false)
    let shell = "\"$OTOLITH\" service status --socket '\(service.socket)'"
    let outsider = try Tool.shell("\(Self.somebody) \(shell)", in: scratch)
    #expect(outsider.status == 77 && outsider.output.isEmpty)
    #expect(
      outsider.errors
        == "no permission to use the otolith service at \(service.socket): your user is not in "
        + "group games; run: sudo usermod -aG games $USER, then log in again\n")
    let live = try Tool.shell(
      "OTOLITH_SOCKET='\(service.socket)' \(Self.somebody) \"$OTOLITH\" run", in: scratch)
    #expect(live.status == 77 && live.errors == outsider.errors)
    // A member of the group may read, but not make changes.
    let member = "setpriv --reuid 54321 --regid 54321 --groups games"
    #expect(try Tool.shell("\(member) \(shell)", in: scratch).status == 0)
    for command in ["reload", "forget"] {
      let ending = try Tool.shell(
        "\(member) \"$OTOLITH\" service \(command) --socket '\(service.socket)'", in: scratch)
      #expect(ending.status == 77)
      #expect(ending.errors == "only root and the service's owner (user 0) may do that\n")
    }
    let uptime = try service.status(in: scratch).uptime
    #expect(try service.status(in: scratch).uptime > uptime, "it has not started again")
  }

  @Test(.enabled(if: canBeSomebodyElse, "needs root, setpriv, and a build that others may run"))
  func `a refused user of root's service gets no advice to join root's group`() throws {
    let service = try RunningService("--board", LiveTests.board, "--group", "root", in: scratch)
    let ending = try Tool.shell(
      "\(Self.somebody) \"$OTOLITH\" service status --socket '\(service.socket)'", in: scratch)
    #expect(ending.status == 77 && !ending.errors.contains("-aG root"))
    #expect(
      ending.errors
        == "no permission to use the otolith service at \(service.socket): it serves only root; "
        + "run it for a group: sudo groupadd --system otolith; sudo usermod -aG otolith $USER; "
        + "start it again (sudo otolith service --group otolith), then log in again\n")
  }
}
