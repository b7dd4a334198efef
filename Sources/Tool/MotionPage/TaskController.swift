// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Boards
import MotionViews
import Otolith
import MotionSources
import Runtime
import WebServer
import Text

/// A controller that starts and ends tasks on the board for the pages, one at a time. The serving
/// thread owns the controller; each task has a separate thread.
final class TaskController {
  private var task: ServedTask?
  private var count: UInt64 = 0
  private var lastScene: TaskScene?
  private var nextUpdate = Timestamp.zero

  /// True while a task uses the board or writes its file.
  var isBusy: Bool {
    guard let scene = task?.scene else { return false }
    return scene.isUnderWay || scene.state == .saving
  }

  /// True while a task uses the board's chips.
  var isUnderWay: Bool { task?.scene.isUnderWay ?? false }

  /// Removes a completed task.
  func clear() { if !isBusy { task = nil } }

  /// Ends the current task, and waits until it has ended.
  func end() { task?.end() }

  /// Returns the session that replaces the source after a task; `nil` on later calls.
  func takeNext() -> (any MotionSource)? { task?.takeNext() }

  /// Returns true if the pages need an update about the task. This happens at most ten times per
  /// second.
  func hasUpdate(at now: Timestamp) -> Bool {
    guard now >= nextUpdate else { return false }
    let scene = task?.scene
    guard scene != lastScene else { return false }
    nextUpdate = now + .milliseconds(100)
    lastScene = scene
    return true
  }

  func text(_ source: any MotionSource, isForPage: Bool = false) -> JSON {
    let board = source.kind.board
    let obstacle = BoardTask.obstacle(source)
    let offers = BoardTask.allCases.filter { task in
      obstacle == nil && board.map(task.isPossible) == true
    }
    return PageText.task(
      task?.scene,
      offers: offers.map { PageText.TaskOffer(kind: $0.rawValue, label: $0.title) },
      obstacle: obstacle, isForPage: isForPage)
  }

  /// The report from the last board check, as a file to download.
  var report: HTTPAnswer {
    guard let (name, html) = task?.report else {
      return .error("there is no report; check the board first", .notFound)
    }
    var answer = HTTPAnswer(.ok, type: "text/html; charset=utf-8", body: Array(html.utf8))
    // The file name consists of letters, digits, `-`, `_` and `.`. Replace the letters that are not
    // ASCII.
    let plain = name.unicodeScalars.map { $0.isASCII ? Character($0) : "-" }
    answer.headers.append(("Content-Disposition", "attachment; filename=\"\(String(plain))\""))
    return answer
  }

  private struct TaskRequest: Decodable {
    enum Action: String, Decodable { case start, cancel, save, close }

    var action: Action
    var kind: String?
    var number: UInt64?
  }

  func answer(_ request: HTTPRequest, _ source: any MotionSource) -> HTTPAnswer {
    do throws(HTTPRefusal) {
      let wanted = try request.json(
        TaskRequest.self, such: "{\"action\": \"start\", \"kind\": \"bringup\"}")
      if wanted.action == .start {
        try start(wanted.kind, source)
      } else {
        try act(wanted)
      }
    } catch { return .error(error.text, error.status) }
    return .json(text(source))
  }

  private func start(_ kind: String?, _ source: any MotionSource) throws(HTTPRefusal) {
    guard let wanted = kind.flatMap(BoardTask.init) else {
      let names = BoardTask.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPRefusal(status: .notFound, text: "the kind is one of \(names)")
    }
    if isBusy, let title = task?.scene.title {
      throw HTTPRefusal(
        status: .conflict, text: "'\(title)' is running; cancel it, or wait for its end")
    }
    if let obstacle = BoardTask.obstacle(source) {
      throw HTTPRefusal(status: .conflict, text: obstacle)
    }
    guard let board = source.kind.board, wanted.isPossible(on: board) else {
      throw HTTPRefusal(
        status: .conflict, text: "\(source.name) has no chip for '\(wanted.title)'")
    }
    count += 1
    let new = ServedTask(wanted, source, board, number: count)
    do throws(Failure) { try new.start() } catch {
      throw HTTPRefusal(status: .unavailable, text: error.message)
    }
    task = new
  }

  private func act(_ wanted: TaskRequest) throws(HTTPRefusal) {
    guard let task, task.scene.number == wanted.number else {
      throw HTTPRefusal(
        status: .conflict, text: "that task has ended; GET /api/task shows the current one")
    }
    switch wanted.action {
    case .start: break
    case .cancel: task.cancel()
    case .close:
      guard !isBusy else {
        throw HTTPRefusal(status: .conflict, text: "it is running; cancel it first")
      }
      self.task = nil
    case .save:
      do throws(Failure) { try task.save() } catch {
        throw HTTPRefusal(status: .conflict, text: error.message)
      }
    }
  }
}
