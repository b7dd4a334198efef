// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCommands
import ArgumentParser
import Boards
import Foundation
import Runtime
import LinuxSystem
import Logging
import MotionServer
import Otolith
import MotionSources

extension Service {
  struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Run the service until Ctrl-C or SIGTERM.",
      discussion: """
        The board is the one named in the arguments, else $OTOLITH_BOARD, else \
        /etc/otolith/board.yaml, else the detected chips, else the simulated board. A socket \
        passed by systemd is used as it is, with its group.
        """)

    @OptionGroup var board: BoardOptions

    @Option(
      help: ArgumentHelp(
        "The path of the socket. (default: $OTOLITH_SOCKET, as root /run/otolith/otolith.sock, "
          + "else $XDG_RUNTIME_DIR/otolith.sock)", valueName: "path"))
    var socket: String?

    @Option(
      help: ArgumentHelp(
        "The group that may connect, in addition to root and the service's user. (default: group "
          + "otolith if it exists and this user is a member, else this user's group)",
        valueName: "name"))
    var group: String?

    // The limit is 400 programs, because each uses two descriptors and the usual limit for these is
    // 1024.
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The maximum number of programs; one user gets at most three quarters of it. (default: 64)",
        valueName: "count"),
      transform: NumberForm.whole("a whole number of programs", 1...400, example: 64))
    var maxClients = 64

    func validate() throws {
      try refuseMistyped()
      if socket == "" { throw ValidationError("--socket is the path of a socket") }
      if group == "" { throw ValidationError("--group is the name of a group") }
    }

    /// Rejects a board argument that is probably a mistyped subcommand.
    private func refuseMistyped() throws {
      guard let word = board.name.board, !FileManager.default.fileExists(atPath: word),
        ShippedBoard.named(word) == nil,
        let line = MistypedCommand.line(below: Service.self, word, path: "otolith service")
      else { return }
      throw ValidationError(line)
    }

    func run() throws {
      HugePages.refuse()
      let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
      // Inform the service manager, whether this function returns or throws.
      defer { manager?.notify("STOPPING=1") }
      let choice = try ServedBoard(path: board.path, simulation: board.simulation)
      let listening = try listen()
      // Ignore SIGPIPE, because the service must not end if the reader of its log has gone.
      signal(SIGPIPE, SIG_IGN)
      let signals = try EndSignals()
      defer { signals.cancel() }
      try choice.checkBuses()
      let name = listening.group.map { SocketAccess.name(ofGroup: $0) } ?? "unknown"
      logger.notice(
        "board: \(choice.selection.sentence); socket: \(listening.socket.path); group: \(name)")
      for remark in choice.selection.remarks { logger.notice("\(remark)") }
      var policy = ServicePolicy(group: listening.group, owner: geteuid())
      policy.mostClients = maxClients
      policy.mostOfOneUser = max(1, maxClients * 3 / 4)
      try serve(
        choice, on: listening.socket, policy, ServiceWatch(manager), until: signals.wakeEvent)
    }

    /// Serves one session after another, as the owner requests them. The socket stays open between
    /// sessions.
    private func serve(
      _ choice: ServedBoard, on listening: borrowing ListeningSocket,
      _ policy: ServicePolicy, _ watch: ServiceWatch, until wakeEvent: WakeEvent
    ) throws(Failure) {
      while true {
        let session = BoardSession(choice.selection.board, adaptsRate: true)
        // Lock the board even while the chips are stopped, so that no other process can take it.
        do throws(SessionError) { try session.claim() } catch {
          // A missing device is not an error here. It is reported when a client needs the device.
          if error.isTaken { throw Failure(error) }
        }
        let server: MotionServer
        let recording: HistoryRecording?
        let hub = MotionHub(session)
        let movement = PedometerStore(hub)
        do throws(ResourceError) {
          server = try MotionServer(session, policy: policy)
          recording = try HistoryRecording(session, hub)
        } catch { throw Failure(.resource(error)) }
        server.objection = { $0 == .reload ? choice.objection() : nil }
        server.movement = movement.answers
        server.heartbeat = (watch.interval, { watch.beat(session, $0) })
        let outcome = server.serve(listening, until: wakeEvent)
        // Wait until the recording has ended. It writes the learned values, and would restore them
        // after they were deleted.
        recording?.end()
        movement.finish()
        switch outcome {
        case .ended: return logger.notice("ended")
        case .reload: choice.renew()
        case .forget: choice.forget()
        }
      }
    }

    // MARK: Socket

    private func listen() throws(Failure) -> ServingPlace {
      let environment = ProcessInfo.processInfo.environment
      do throws(SocketError) {
        if let given = try ListeningSocket.inherited(.packets, environment: environment) {
          let group = SocketAccess(of: given.path)?.group
          return ServingPlace(socket: given, group: group)
        }
      } catch { throw Failure(error) }
      guard let path = socket ?? ServicePlace.usual()?.path else {
        throw Failure(
          "there is no default path for the socket, because $XDG_RUNTIME_DIR is not set: give "
            + "--socket PATH",
          Failure.usage)
      }
      if path == ServicePlace.systemPath {
        // Mode 0755 is safe, because the socket has its own permissions. Ignore the result: `bind`
        // reports every error except that the folder exists.
        _ = unsafe mkdir((path as NSString).deletingLastPathComponent, 0o755)  // only for the call
      }
      let group = try chosenGroup()
      do throws(SocketError) {
        let socket = try ListeningSocket(
          path: path, kind: .packets, access: SocketAccess(group: group))
        return ServingPlace(socket: socket, group: group)
      } catch { throw Failure(error) }
    }

    private func chosenGroup() throws(Failure) -> UInt32 {
      if let group {
        guard let id = SocketAccess.group(named: group) else {
          throw Failure(
            "--group \(group): there is no such group; to make it: sudo groupadd --system \(group)",
            Failure.usage)
        }
        return id
      }
      if let id = SocketAccess.group(named: "otolith"), SocketAccess.canGive(to: id) { return id }
      return getegid()
    }
  }
}

/// The socket on which a service listens, and the group that may connect.
private struct ServingPlace: ~Copyable {
  var socket: ListeningSocket
  var group: UInt32?
}

private let logger = Logger(label: "otolith.service")
