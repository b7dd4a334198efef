// SPDX-License-Identifier: Apache-2.0
import MotionPage
import SourceReading
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import Otolith
import Runtime
import WebServer

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a web page of a board, and its data for scripts, Prometheus and Foxglove.",
    discussion: """
      The page at http://127.0.0.1:8642/ shows the board's attitude in 3D, charts, compass, level, \
      steps, and the samples delivered and lost by each chip. The same port has a JSON API at \
      /api/..., described by /openapi.json; metrics for Prometheus at /metrics; and the WebSocket \
      protocol of Foxglove and Lichtblick at ws://127.0.0.1:8642.

      The board is chosen as by 'otolith run'. Requests that change something (another source, a \
      check, a calibration) need the token contained in the printed address; reading from this \
      machine needs no token. With --listen other machines can connect, and need the token for \
      reading too. --token-file or $OTOLITH_TOKEN set the token; then it is not printed, and all \
      reading needs it. Connections are not encrypted: on shared networks use ssh -L or a TLS \
      proxy.

        otolith serve
        otolith serve --recording walk.csv --offer drive.mcap
        otolith serve --listen 0.0.0.0 --allow-origin https://app.foxglove.dev
      """)

  @OptionGroup var place: BoardOptions

  @OptionGroup var only: OnlyOption

  @Option(
    help: ArgumentHelp(
      "Play this recording in a loop instead of a board: a CSV or MCAP file in a format that "
        + "'otolith replay' reads.",
      valueName: "file"), completion: .file(extensions: ["csv", "mcap"]))
  var recording: String?

  @Option(
    help: ArgumentHelp(
      "Offer this recording, trace or board on the page too. Can be repeated.",
      valueName: "file"), completion: .file())
  var offer: [String] = []

  @Option(
    help: ArgumentHelp(
      "The address to listen on, such as 0.0.0.0; clients on other machines need a token.",
      valueName: "address"))
  var listen = "127.0.0.1"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The port; 0 selects a free one. (default: 8642)", valueName: "number"),
    transform: NumberForm.whole("a port number", 0...65535, example: 8642))
  var port: UInt16 = 8642

  @Option(
    help: ArgumentHelp("The file with the token, in its first line.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "Accept this host name too, in addition to localhost and IP addresses. Can be repeated.",
      valueName: "name"))
  var hostName: [String] = []

  @Option(
    help: ArgumentHelp(
      "Allow pages of this origin to open WebSockets, such as https://app.foxglove.dev. Can be "
        + "repeated.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    parsing: .unconditional,
    help: "The maximum number of frames per second sent to a page, 1 to 60. (default: 60)",
    transform: NumberForm.whole("a whole number of frames a second", 1...60, example: 60))
  var frames = 60

  @Option(help: "The reference frame of the attitude.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup var end: DurationOption

  func validate() throws {
    if recording != nil, !place.isEmpty || !only.isEmpty {
      throw ValidationError(
        "--recording replaces the board: give no board and no board options")
    }
    for origin in allowOrigin where !origin.contains("://") || origin.hasSuffix("/") {
      throw ValidationError(
        "--allow-origin is a scheme and a host, such as https://app.foxglove.dev")
    }
  }

  func run() throws {
    // Ignore SIGPIPE, because a client that disconnects is reported as a write error.
    signal(SIGPIPE, SIG_IGN)
    let address: ListeningAddress
    do throws(WebServerError) { address = try ListeningAddress(listen, port: port) } catch {
      throw Failure(error.description, Failure.unavailable)
    }
    let access = try ServeAccess(
      listeningOn: address.text, tokenFile: tokenFile, names: hostName, origins: allowOrigin)
    let (source, sentence) = try chooseSource()
    let served = try ServedMotion(
      SourceMenu(source, sentence: sentence, offering: offer), frame: referenceFrame,
      frames: frames)
    let server = WebServer(served, access: access.access)
    let signals = try EndSignals()
    defer { signals.cancel() }
    var failure: Failure?
    do throws(WebServerError) {
      try server.run(at: address, until: signals.wakeEvent) { port in
        do throws(Failure) { try served.start() } catch {
          failure = error
          return nil
        }
        for line in access.lines(port: port) { Terminal.complain(line) }
        return end.seconds.map { Timestamp.now + TimeSpan(seconds: $0) } ?? .distantFuture
      }
    } catch {
      throw Failure(
        error.description, error.isDenied ? Failure.noPermission : Failure.unavailable)
    }
    if let failure { throw failure }
    let counts = served.line
    served.stop()
    Terminal.complain(Terminal.startOfLine + counts)
  }

  private func chooseSource() throws(Failure) -> (source: any MotionSource, sentence: String) {
    guard let recording else { return try place.chooseAndExplain(only: only) }
    return (try SourceMenu.recording(recording), "the recording \(recording), in its own time")
  }
}
