// SPDX-License-Identifier: Apache-2.0
package import SourceReading
package import CommandOutput
import Boards
import Foundation
import LinuxSystem
import MotionViews
import MotionServer
import MotionSources
package import Otolith
import Recordings
import Runtime
import Sensors
import ShippedFiles
package import WebServer
import Text

/// The web application of `otolith serve`: the page and its stream of frames, a JSON API,
/// Prometheus metrics, and Foxglove's protocol. The application runs on the server's thread, holds
/// no lock that a sensor thread needs, and waits for no client.
package final class ServedMotion: WebApplication {
  /// A connected page. It acknowledges each frame that it has drawn, and at most `window` frames
  /// are unacknowledged. A slow or hidden page receives fewer frames, but always the newest frame.
  private struct Viewer {
    var needsSource = true
    var needsState = true
    var needsTask = true
    var sent: [UInt64] = []
    static let window = 6
  }

  private var menu: SourceMenu
  private let wantedFrame: FrameOption
  private var frame: FrameOption
  private var source: any MotionSource
  private var sourceCounts: SourceCounts
  private var follower: SourceReader
  private var current = 0
  private var opening: SourceOpening?
  private var messages: ServedMessages?
  private let controller = TaskController()
  private var viewers: [ConnectionNumber: Viewer] = [:]
  private var clients: [ConnectionNumber: FoxgloveClient] = [:]
  private var scene: MonitorScene
  private var number: UInt64 = 0
  private var nextState = Timestamp.zero
  private var startingUntil = Timestamp.zero
  private var counts = (frames: UInt64(0), skipped: UInt64(0), messages: UInt64(0), lost: UInt64(0))
  private let interval: TimeSpan
  private let session = "\(UInt64.random(in: 1 ... .max))"
  private var complaints: [String: Timestamp] = [:]
  package private(set) var due = Timestamp.now
  private var ticked = Timestamp.zero

  package init(_ menu: SourceMenu, frame: FrameOption, frames: Int) throws(Failure) {
    self.menu = menu
    wantedFrame = frame
    self.frame = frame
    interval = TimeSpan(seconds: 1 / Double(frames))
    source = try SourceMenu.open(menu.choices[0].kind)
    sourceCounts = SourceCounts(of: source)
    if let refusal = source.refusal(of: frame) { throw refusal }
    follower = try SourceReader(source, sentence: menu.choices[0].sentence, frame: frame)
    scene = follower.model.scene
  }

  package func start() throws(Failure) {
    do throws(SessionError) { try source.start() } catch { throw Failure(error) }
  }

  package func stop() {
    controller.end()
    source.stop()
  }

  /// The final line, with the counts of the whole run.
  package var line: String {
    "\(sourceCounts.line); \(counts.frames) frames to pages, \(counts.messages) messages to Foxglove"
  }

  // MARK: Requests

  package func answer(
    _ request: HTTPRequest, from connection: ConnectionNumber, _ server: WebServer
  ) -> HTTPAnswer? {
    let isRead = request.method == "GET" || request.method == "HEAD"
    if request.method == "POST" {
      if request.path == "/api/source" { return choose(request, from: connection) }
      if request.path == "/api/task" {
        hurry()
        return controller.answer(request, source)
      }
    }
    guard let answer = read(request, server) else {
      return HTTPAnswer(.notFound, "no such path; /openapi.json lists all")
    }
    guard isRead else {
      var refusal = HTTPAnswer(.methodNotAllowed, "this path is read-only")
      let takesMore = ["/api/source", "/api/task"].contains(request.path)
      let allowed = takesMore ? "GET, HEAD, POST" : "GET, HEAD"
      refusal.headers.append(("Allow", allowed))
      return refusal
    }
    return answer
  }

  private func read(_ request: HTTPRequest, _ server: WebServer) -> HTTPAnswer? {
    if let file = PageFile.at(request.path) {
      return HTTPAnswer(.ok, type: file.type, body: file.bytes)
    }
    switch request.path {
    case "/api/access":
      return .json(.object([.init("mayChange", .flag(server.access.mayChange(request)))]))
    case "/api/motion": return .json(PageText.motion(freshScene()))
    case "/api/state": return .json(PageText.state(freshScene(), task: taskPart))
    case "/api/source": return .json(sourceText(isForPage: false))
    case "/api/task": return .json(controller.text(source))
    case "/api/report": return controller.report
    case "/metrics":
      return HTTPAnswer(
        .ok, type: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics(server).utf8))
    default: return nil
    }
  }

  /// The effect of a task on the chip states that the page shows. For a moment after the task, the
  /// chips are shown as starting.
  private var taskPart: PageText.TaskPart {
    if controller.isUnderWay { return .underWay }
    return Timestamp.now < startingUntil ? .over : .none
  }

  /// Returns the scene updated to the current time. Without viewers the stored scene may be 0.1 s
  /// old.
  private func freshScene() -> MonitorScene {
    follower.follow()
    scene = follower.model.scene(at: .now)
    return scene
  }

  private func sourceText(isForPage: Bool) -> JSON {
    PageText.source(
      scene, menu.choices.map(\.choice), current: menu.choices[current].choice.id,
      isForPage: isForPage)
  }

  private struct Choice: Decodable { var id: String }

  /// Starts to open another source on a separate thread. The request is answered once the source is
  /// open or has failed to open.
  private func choose(
    _ request: HTTPRequest, from connection: ConnectionNumber
  ) -> HTTPAnswer? {
    let wanted: Choice
    do throws(HTTPRefusal) {
      wanted = try request.json(Choice.self, such: "{\"id\": \"first\"}")
    } catch { return .error(error.text, error.status) }
    guard let place = menu.choices.firstIndex(where: { $0.choice.id == wanted.id }) else {
      return .error("there is no source of that id; GET /api/source lists them", .notFound)
    }
    if place == current { return .json(sourceText(isForPage: false)) }
    if controller.isBusy { return Self.isBusy }
    if opening != nil {
      return .error("another source is being opened; wait until it is open", .conflict)
    }
    do throws(ResourceError) {
      opening = try SourceOpening(menu.choices[place].kind, place: place, for: connection)
    } catch { return .error(error.description, .unavailable) }
    hurry()
    return nil
  }

  private static let isBusy = HTTPAnswer.error(
    "the board is being checked or calibrated; cancel that first", .conflict)

  /// Switches to the new source if its opening has ended.
  private func finishOpening(_ server: WebServer) {
    guard let opening, let result = opening.result else { return }
    self.opening = nil
    let answer: HTTPAnswer
    if controller.isBusy {
      answer = Self.isBusy
    } else {
      do throws(Failure) {
        try change(to: opening.place, try result.get(), server)
        answer = .json(sourceText(isForPage: false))
      } catch { answer = .error(error.message, .conflict) }
    }
    server.reply(answer, to: opening.connection)
  }

  /// Switches to another source of the menu. If that source cannot be started, the current source
  /// continues.
  private func change(
    to place: Int, _ new: any MotionSource, _ server: WebServer
  ) throws(Failure) {
    let sentence = menu.choices[place].sentence
    let frame = new.refusal(of: wantedFrame) == nil ? wantedFrame : .xArbitraryZVertical
    let next = try SourceReader(new, sentence: sentence, frame: frame)
    // Stop the current source first, because the board of the new source may use the same chips.
    source.stop()
    do throws(SessionError) { try new.start() } catch {
      do throws(SessionError) { try source.start() } catch { throw Failure(error) }
      throw Failure(error)
    }
    controller.clear()
    take(new, place, frame, next, server)
  }

  /// Replaces the current source with `new`, which is already running.
  private func take(
    _ new: any MotionSource, _ place: Int, _ frame: FrameOption, _ next: consuming SourceReader,
    _ server: WebServer
  ) {
    let old = ROSTopic.all(of: source.channels)
    sourceCounts = SourceCounts(of: new)
    (source, current, self.frame, messages) = (new, place, frame, nil)
    follower = next
    scene = follower.model.scene
    for number in viewers.keys {
      viewers[number]?.needsSource = true
      viewers[number]?.needsState = true
      viewers[number]?.needsTask = true
    }
    for number in clients.keys {
      clients[number]?.forget()
      server.send(.text(FoxgloveClient.unadvertise(old)), to: number)
      server.send(
        .text(FoxgloveClient.advertise(ROSTopic.all(of: source.channels))), to: number)
    }
  }

  /// Switches to a new session of the same board, which uses the saved result of a task.
  private func renew(_ server: WebServer) {
    guard let new = controller.takeNext() else { return }
    menu.renew(current, new)
    do throws(Failure) {
      let next = try SourceReader(new, sentence: menu.choices[current].sentence, frame: frame)
      take(new, current, frame, next, server)
    } catch { Terminal.complain(error.message) }
  }

  private func metrics(_ server: WebServer) -> String {
    var metrics = Metrics()
    metrics.add(freshScene())
    metrics.add(
      "otolith_chip_samples_total", .counter, "Samples read from the chip.",
      follower.report.map {
        ([("chip", $0.name), ("kind", $0.chip)], Double($0.health.received))
      })
    metrics.addReadings(of: follower.report)
    metrics.add(
      ServedCounts(
        web: server.counts, viewers: viewers.count, clients: clients.count, frames: counts.frames,
        skippedFrames: counts.skipped, messages: counts.messages, droppedMessages: counts.lost))
    return metrics.text
  }

  package func refused(_ reason: String, _ detail: String) {
    // Log each reason at most once per 10 s, so that a flooding client does not fill the log.
    let now = Timestamp.now
    if let last = complaints[reason], now - last < .seconds(10) { return }
    complaints[reason] = now
    let shown = detail.prefix(100)
    switch reason {
    case "host":
      Terminal.complain("refused: a request for host '\(shown)'; --host-name lets it in")
    case "origin":
      Terminal.complain("refused: a page of '\(shown)'; --allow-origin lets it in")
    case "token":
      Terminal.complain(
        "refused: a request without the token, from \(shown); the token is in the address that was "
          + "printed, or in --token-file")
    case "descriptors":
      Terminal.complain(
        "too many files are open, so the oldest idle connection was closed for a new one: "
          + ResourceError.stepForTooMany(EMFILE))
    default: Terminal.complain("refused: \(reason), \(shown)")
    }
  }

  // MARK: WebSockets

  package func welcome(_ request: HTTPRequest, offering: [String]) -> WebSocketWelcome {
    if let known = FoxgloveClient.subprotocols.first(where: offering.contains) {
      return .taken(subprotocol: known)
    }
    guard request.path == "/live", offering.isEmpty else {
      return .refused(
        HTTPAnswer(
          .badRequest,
          "a WebSocket is /live, or speaks \(FoxgloveClient.subprotocols.joined(separator: ", "))"))
    }
    return .taken(subprotocol: nil)
  }

  package func opened(
    _ socket: ConnectionNumber, _ request: HTTPRequest, _ subprotocol: String?, _ server: WebServer
  ) {
    if subprotocol == nil {
      viewers[socket] = Viewer()
      hurry()
    } else {
      clients[socket] = FoxgloveClient()
      let topics = ROSTopic.all(of: source.channels)
      server.send(.text(FoxgloveClient.serverInfo(source.name, session: session)), to: socket)
      server.send(.text(FoxgloveClient.advertise(topics)), to: socket)
    }
  }

  package func received(
    _ message: WebSocketMessage, from socket: ConnectionNumber, _ server: WebServer
  ) {
    guard case .text(let text) = message else {
      // In this protocol clients send no binary messages.
      return server.close(socket, .policy)
    }
    if viewers[socket] != nil {
      // The page sends the number of the frame that it has drawn.
      guard let drawn = UInt64(text) else { return server.close(socket, .policy) }
      viewers[socket]?.sent.removeAll { $0 <= drawn }
    } else if let answers = clients[socket]?.receive(text) {
      for answer in answers { server.send(.text(answer), to: socket) }
      hurry()
    }
  }

  package func closed(_ socket: ConnectionNumber) {
    viewers[socket] = nil
    clients[socket] = nil
  }

  // MARK: Frames

  /// Moves the next tick to an earlier time, because a server without viewers ticks only every 0.1
  /// s.
  private func hurry() { due = min(due, max(ticked + interval, .now)) }

  package func tick(_ server: WebServer) {
    let now = Timestamp.now
    ticked = now
    renew(server)
    finishOpening(server)
    if controller.isUnderWay { startingUntil = now + .seconds(5) }
    follower.follow()
    for note in follower.takeNotes() { Terminal.complain(note) }
    scene = follower.model.scene(at: now)
    let isWatched = !viewers.isEmpty || clients.values.contains(where: \.wantsMessages)
    // If drawing is late, skip frames instead of catching up, because several frames in a row would
    // not be visible.
    due = max(due + (isWatched ? interval : .milliseconds(100)), now)
    sendFrames(server, now)
    sendMessages(server)
  }

  private func sendFrames(_ server: WebServer, _ now: Timestamp) {
    if now >= nextState {
      nextState = now + .milliseconds(250)
      for number in viewers.keys { viewers[number]?.needsState = true }
    }
    if controller.hasUpdate(at: now) {
      for number in viewers.keys { viewers[number]?.needsTask = true }
    }
    guard !viewers.isEmpty else { return }
    number += 1
    // Each part is built at most once for all viewers, and only if a viewer has room for it.
    lazy var frame = made(PageText.motion(scene, number: number))
    lazy var state = made(PageText.state(scene, task: taskPart, isForPage: true))
    lazy var about = made(sourceText(isForPage: true))
    lazy var task = made(controller.text(source, isForPage: true))
    for (socket, viewer) in viewers {
      guard viewer.sent.count < Viewer.window, server.backlog(of: socket) == 0 else {
        counts.skipped += 1
        continue
      }
      if viewer.needsSource { server.queue(about, to: socket) }
      if viewer.needsState { server.queue(state, to: socket) }
      if viewer.needsTask { server.queue(task, to: socket) }
      server.queue(frame, to: socket)
      viewers[socket]?.needsSource = false
      viewers[socket]?.needsState = false
      viewers[socket]?.needsTask = false
      viewers[socket]?.sent.append(number)
      counts.frames += 1
    }
  }

  private func made(_ value: JSON) -> SharedText { SharedText(value.description) }

  /// The number of bytes that may wait for a Foxglove client. Further messages are dropped and
  /// counted.
  private static let foxgloveBacklog = 1 << 19

  private func sendMessages(_ server: WebServer) {
    guard clients.values.contains(where: \.wantsMessages) else {
      messages = nil
      return
    }
    if messages == nil { messages = ServedMessages(source, frame: frame) }
    let clients = clients
    messages?.take(
      follower.report, biasSigma: scene.calibration?.gyroBiasSigma,
      wanting: { topic in clients.values.contains { $0.wants(topic) } }
    ) { message, stamp in
      for (socket, client) in clients {
        guard let data = client.data(message, stamp: stamp) else { continue }
        if server.backlog(of: socket) > Self.foxgloveBacklog {
          counts.lost += 1
        } else {
          server.send(.binary(data), to: socket)
          counts.messages += 1
        }
      }
    }
  }
}
