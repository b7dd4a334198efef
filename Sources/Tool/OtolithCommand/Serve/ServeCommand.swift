// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Foundation
import LinuxSystem
import Otolith
import Runtime
import WebServer

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show a board on a page, and give it to scripts, Prometheus and Foxglove.",
    discussion: """
      The page is at http://127.0.0.1:8642/: the board as it turns, charts, compass, level, steps, \
      and what each chip delivers and loses. At the same port: JSON at /api/..., described by \
      /openapi.json; metrics of Prometheus at /metrics; and the WebSocket protocol of Foxglove \
      and Lichtblick at ws://127.0.0.1:8642.

      The board is chosen as by 'otolith run'. Whatever changes something (another source, a check, \
      a calibration) needs the token of the address that is printed; on this machine reading needs \
      none. With --listen other machines reach it, and reading needs the token too. --token-file or \
      $OTOLITH_TOKEN set it; then nothing is printed and reading needs it. What is sent is not \
      encrypted: over networks that others use, take ssh -L or a proxy with TLS.

        otolith serve
        otolith serve --recording walk.csv --offer drive.mcap
        otolith serve --listen 0.0.0.0 --allow-origin https://app.foxglove.dev
      """)

  @OptionGroup var place: BoardOptions

  @Option(
    help: ArgumentHelp(
      "Play a recording again and again instead of a board: a CSV or MCAP as 'otolith replay' reads.",
      valueName: "file"), completion: .file(extensions: ["csv", "mcap"]))
  var recording: String?

  @Option(
    help: ArgumentHelp(
      "Let the page choose this recording, trace or board too. Can be repeated.",
      valueName: "file"), completion: .file())
  var offer: [String] = []

  @Option(
    help: ArgumentHelp(
      "The address to listen on, such as 0.0.0.0; one that others reach needs a token.",
      valueName: "address"))
  var listen = "127.0.0.1"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The port; 0 takes a free one. (default: 8642)", valueName: "number"),
    transform: NumberForm.whole("a port number", 0...65535, example: 8642))
  var port: UInt16 = 8642

  @Option(
    help: ArgumentHelp("The file with the token, in its first line.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "Answer to this name too, beside localhost and addresses. Can be repeated.",
      valueName: "name"))
  var hostName: [String] = []

  @Option(
    help: ArgumentHelp(
      "Let pages of this origin open WebSockets, such as https://app.foxglove.dev. Can be repeated.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    parsing: .unconditional,
    help: "Frames a second that a page gets at most, 1 to 60. (default: 60)",
    transform: NumberForm.whole("a whole number of frames a second", 1...60, example: 60))
  var frames = 60

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup var end: DurationOption

  func validate() throws {
    if recording != nil, !place.isEmpty {
      throw ValidationError(
        "--recording is played instead of a board: leave out the board and its options")
    }
    for origin in allowOrigin where !origin.contains("://") || origin.hasSuffix("/") {
      throw ValidationError(
        "--allow-origin is a scheme and a host, such as https://app.foxglove.dev")
    }
  }

  func run() throws {
    // Clients that disconnect are detected by write errors instead.
    signal(SIGPIPE, SIG_IGN)
    let bell: WakeEvent
    do throws(ResourceError) { bell = try WakeEvent() } catch { throw Failure(.resource(error)) }
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
    let signals = try EndSignals { bell.ring() }
    defer { signals.cancel() }
    var failure: Failure?
    do throws(WebServerError) {
      try server.run(at: address, until: bell) { port in
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
    guard let recording else { return try place.chooseAndExplain() }
    return (try SourceMenu.recording(recording), "the recording \(recording), in its own time")
  }
}
