// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Foundation
import LinuxBus
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

      The board is chosen as by 'otolith run'. With --listen other machines reach it, who need a \
      token: that of --token-file or $OTOLITH_TOKEN, else one that is made up and printed. What \
      is sent is not encrypted: over networks that others use, take ssh -L or a proxy with TLS.

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

  @Option(help: ArgumentHelp("The port; 0 takes a free one.", valueName: "number"))
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

  @Option(help: "Frames a second that a page gets at most, 1 to 60.")
  var frames = 60

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup var end: DurationOption

  func validate() throws {
    guard (1...60).contains(frames) else {
      throw ValidationError("--frames is between 1 and 60, the frames a second")
    }
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
    // A client that goes away is an answer of a write.
    signal(SIGPIPE, SIG_IGN)
    let bell: Doorbell
    do throws(OpenError) { bell = try Doorbell() } catch { throw Failure(.open(error)) }
    let (access, isMadeUp) = try makeAccess()
    let (source, sentence) = try chooseSource()
    let served = try ServedMotion(
      SourceMenu(source, sentence: sentence, offering: offer), frame: referenceFrame,
      frames: frames)
    let server: WebServer
    do throws(WebServerError) {
      server = try WebServer(address: listen, port: port, access: access)
    } catch {
      throw Failure(
        error.description, error.isDenied ? Failure.noPermission : Failure.unavailable)
    }
    let signals = try EndSignals { bell.ring() }
    defer { signals.cancel() }
    try served.start()
    announce(server, isMadeUp: isMadeUp)
    let timer = end.seconds.map { seconds in
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + seconds)
      timer.setEventHandler { bell.ring() }
      timer.resume()
      return timer
    }
    server.run(served, until: bell)
    timer?.cancel()
    let counts = served.line
    served.stop()
    Terminal.complain(Terminal.startOfLine + counts)
  }

  private func chooseSource() throws(Failure) -> (source: any MotionSource, sentence: String) {
    guard let recording else { return try place.chooseAndExplain() }
    return (try SourceMenu.recording(recording), "the recording \(recording), in its own time")
  }

  private func makeAccess() throws(Failure) -> (access: WebAccess, isMadeUp: Bool) {
    var access = WebAccess()
    access.isLocal = WebAccess.isLoopback(listen)
    access.names = Set(hostName.map { $0.lowercased() })
    access.origins = Set(allowOrigin.map { $0.lowercased() })
    if !access.isLocal {
      var name = [CChar](repeating: 0, count: 256)
      // Written within the call alone, and ended by the last zero.
      if unsafe gethostname(&name, name.count - 1) == 0 {
        let own = String(
          decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
        )
        .lowercased()
        access.names.formUnion([own, own + ".local"])
      }
    }
    if let given = try givenToken() {
      guard given.utf8.count >= 16, given.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x3B })
      else {
        throw Failure(
          "the token has at least 16 characters, and no blanks or semicolons", Failure.usage)
      }
      access.token = Array(given.utf8)
    } else if !access.isLocal {
      var generator = SystemRandomNumberGenerator()
      let words = [generator.next(), generator.next()] as [UInt64]
      access.token = Array(words.map { String($0, radix: 36) }.joined().utf8)
      return (access, true)
    }
    return (access, false)
  }

  private func givenToken() throws(Failure) -> String? {
    if let tokenFile {
      guard let text = try? String(contentsOfFile: tokenFile, encoding: .utf8) else {
        throw Failure("--token-file \(tokenFile) cannot be read", Failure.noInput)
      }
      SecretFile.warn(about: tokenFile, content: "the token")
      return String(text.prefix { !$0.isNewline })
    }
    let value = ProcessInfo.processInfo.environment["OTOLITH_TOKEN"] ?? ""
    return value.isEmpty ? nil : value
  }

  private func announce(_ server: WebServer, isMadeUp: Bool) {
    let host = listen.contains(":") ? "[\(listen)]" : listen
    // A token that was given is known, and not for a log.
    let token =
      isMadeUp ? server.access.token.map { "?token=" + String(decoding: $0, as: UTF8.self) } : nil
    Terminal.complain("serving: http://\(host):\(server.port)/\(token ?? "")")
  }
}
