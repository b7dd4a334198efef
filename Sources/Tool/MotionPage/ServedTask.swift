// SPDX-License-Identifier: Apache-2.0
import BoardCalibration
import CommandOutput
import Simulation
import Boards
import BringUp
import Foundation
import LinuxSystem
import MotionViews
import Otolith
import MotionSources
import Runtime
import Fusion
import Sensors
import Synchronization

/// A task on the served board, on a separate thread. The task stops the source, acts as the guide
/// of its calibration, and starts the source again. It ends by itself or when it is cancelled,
/// whether or not a page shows it.
final class ServedTask: Guide, Sendable {
  let task: BoardTask
  private let source: any MotionSource
  private let board: Board
  private let state: Mutex<TaskScene>
  private let found = Mutex<(CalibrationTask, CalibrationOutcome)?>(nil)
  private let html = Mutex<String?>(nil)
  private let next = Mutex<(any MotionSource)?>(nil)
  private let stopped = Atomic<Bool>(false)
  private let isLast = Atomic<Bool>(false)
  private let shown = Mutex(Timestamp.zero)
  private let thread = Mutex<ThreadHandle?>(nil)

  /// Creates a task on `board`, which `source` is running.
  init(_ task: BoardTask, _ source: any MotionSource, _ board: Board, number: UInt64) {
    (self.task, self.source, self.board) = (task, source, board)
    state = Mutex(TaskScene(number: number, kind: task.rawValue, title: task.title))
  }

  var scene: TaskScene { state.withLock { $0 } }

  /// The report as an HTML page, with its file name; `nil` without a report.
  var report: (name: String, html: String)? {
    html.withLock { $0 }.map { (BoardBringUp.usualPath(board), $0) }
  }

  /// Returns the board session that replaces the page's source after a check; `nil` on later calls.
  func takeNext() -> (any MotionSource)? {
    next.withLock { next in
      defer { next = nil }
      return next
    }
  }

  func start() throws(Failure) {
    do throws(ResourceError) {
      let handle = ThreadHandle(try startThread(name: "otolith task") { [self] in run() })
      thread.withLock { $0 = handle }
    } catch { throw Failure(.resource(error)) }
  }

  func cancel() {
    stopped.store(true, ordering: .releasing)
    state.withLock { if $0.state == .running { $0.state = .stopping } }
  }

  /// Ends the task because the server ends. The source is not restarted.
  func end() {
    isLast.store(true, ordering: .releasing)
    cancel()
    thread.withLock { $0 }?.join()
  }

  // MARK: Task

  private func run() {
    let result: Result<Void, any Error>
    source.stop()
    do {
      let board = try self.board.readAnew().asAsked
      if task == .bringUp { checkUp(board) } else { try calibrate(board) }
      result = .success(())
    } catch { result = .failure(error) }
    var trouble: String?
    if !isLast.load(ordering: .acquiring) {
      do throws(SessionError) { try source.start() } catch { trouble = Failure(error).message }
    }
    state.withLock { scene in
      scene.clear()
      if stopped.load(ordering: .acquiring) {
        (scene.state, scene.verdict) = (.cancelled, "Cancelled; nothing was written")
        scene.faults = []
        scene.items = scene.items.map { item in
          item.state == .running ? TaskScene.Item(item.name, .skipped, "cancelled") : item
        }
      } else if case .failure(let error) = result {
        scene.state = .failed
        scene.verdict = Self.sentence(error)
      } else {
        scene.state = .done
      }
      if let trouble { scene.say("the board cannot continue: \(trouble)") }
    }
  }

  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let failure as Failure: failure.message
    case let errors as BoardErrors: errors.description
    default: error.localizedDescription
    }
  }

  private func calibrate(_ board: Board) throws {
    guard let calibration = task.calibration else { return }
    let (task, outcome) = try calibration.measure(self, on: board)
    found.withLock { $0 = (task, outcome) }
    state.withLock { scene in
      scene.items = scene.items.map { TaskScene.Item($0.name, .passed) }
      scene.result = outcome.lines
      scene.isGood = true
      scene.verdict = "Measured; not written until saved"
      scene.file = board.calibrationPath
      scene.obstacle = CalibrationTask.obstacle(board, isSimulated: board.isSimulatedInstead)
    }
  }

  private func checkUp(_ board: Board) {
    var observer = BoardBringUp.Observer()
    observer.begins = { [self] check, subject in
      state.withLock {
        $0.clear()
        $0.items.append(TaskScene.Item(CheckRecord.title(check, subject), .running))
      }
    }
    observer.ends = { [self] record in
      state.withLock { scene in
        scene.clear()
        let item = TaskScene.Item(record)
        let place = scene.items.lastIndex { $0.name == item.name } ?? scene.items.endIndex
        scene.items.replaceSubrange(
          place..<min(place + 1, scene.items.endIndex), with: CollectionOfOne(item))
      }
    }
    observer.asks = { [self] step in
      state.withLock { scene in
        scene.instruction = step.instruction
        scene.up = step.up.device
        scene.progress = Double(step.rawValue) / 3
        scene.progressText = "\(step.rawValue) of 3"
      }
    }
    observer.refuses = { [self] in say($0.refusal) }
    observer.isWanted = { [self] in !isStopped }
    var options = BoardBringUp.Options()
    if board.isAllSimulated {
      // Simulated chips need no long observation. They run in real time, because a person watches
      // the progress.
      options.isLive = true
      options.span = .milliseconds(500)
      options.noiseSpan = .seconds(5)
    }
    let report = BoardBringUp.run(
      board, options, made: Date().formatted(.iso8601),
      machine: BoardBringUp.machine(version: Release.version),
      observer: observer)
    guard !isStopped else { return }
    html.withLock { $0 = ReportPage(report).html }
    state.withLock { scene in
      scene.items = report.checks.map { TaskScene.Item($0) }
      scene.faults = report.findings.byAdvice.compactMap { TaskScene.Fault($0) }
      scene.verdict = "\(report.verdict), in \(report.duration)"
      scene.isGood = report.isGood
      scene.hasReport = true
    }
  }

  // MARK: Result

  /// Writes the result, on another thread because a disk may be slow. Throws if there is no result
  /// or if writing is not possible.
  func save() throws(Failure) {
    guard let (task, outcome) = found.withLock({ $0 }), scene.state == .done else {
      throw Failure("there is nothing to save", Failure.usage)
    }
    if let obstacle = scene.obstacle { throw Failure(obstacle, Failure.usage) }
    state.withLock { $0.state = .saving }
    do throws(ResourceError) {
      let handle = ThreadHandle(
        try startThread(name: "otolith task") { [self] in write(task, outcome) })
      thread.withLock { $0 = handle }
    } catch {
      state.withLock { $0.state = .done }
      throw Failure(.resource(error))
    }
  }

  private func write(_ task: CalibrationTask, _ outcome: CalibrationOutcome) {
    do {
      // Reload the board, because another program may have changed its calibration file.
      let board = try task.board.readAnew()
      guard let path = board.calibrationPath else { throw Failure("no file", Failure.usage) }
      try task.save(outcome, to: path, updating: board.calibration)
      goOn(with: path)
      state.withLock { $0.state = .saved }
    } catch {
      state.withLock { scene in
        scene.state = .done
        scene.say("not written: \(Self.sentence(error))")
      }
    }
  }

  /// Restarts the board with the calibration just written to `path`.
  private func goOn(with path: String) {
    guard !isLast.load(ordering: .acquiring) else { return }
    do {
      let session = BoardSession(try board.readAnew())
      source.stop()
      do throws(SessionError) { try session.start() } catch {
        try source.start()
        throw error
      }
      next.withLock { $0 = session }
    } catch {
      state.withLock {
        $0.say(
          "written to \(path), but the board goes on without it: \(Self.sentence(error)); start "
            + "otolith serve again")
      }
    }
  }

  // MARK: Guide

  func say(_ line: String) { state.withLock { $0.say(line) } }

  /// Shows the current step, at most ten times per second.
  func show(_ step: () -> GuidedStep) {
    let now = Timestamp.now
    let isDue = shown.withLock { last in
      guard now - last >= .milliseconds(100) else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let step = step()
    state.withLock { $0.show(step) }
  }

  func clear() { state.withLock { $0.clear() } }
  var isStopped: Bool { stopped.load(ordering: .acquiring) }
}

extension TaskScene {
  fileprivate mutating func show(_ step: GuidedStep) {
    instruction = step.instruction
    up = step.up?.device
    progress = step.progress?.share
    progressText = step.progress?.words ?? ""
    items = step.places.map { Item($0.name, $0.isTaken ? .passed : .open) }
    map = step.map?.marks ?? []
  }
}

extension TaskScene.Item {
  fileprivate init(_ record: CheckRecord) {
    let state: State =
      switch record.state {
      case .passed: .passed
      case .failed: .failed
      case .skipped: .skipped
      }
    self.init(CheckRecord.title(record.check, record.subject), state, record.summary)
  }
}

extension TaskScene.Fault {
  /// Combines findings that give the same advice into one fault; `nil` if `alike` is empty.
  fileprivate init?(_ alike: [Finding]) {
    guard let first = alike.first else { return nil }
    let subjects = alike.compactMap(\.subject).joined(separator: ", ")
    self.init(
      first.cause.title + (subjects.isEmpty ? "" : " (\(subjects))"), first.explanation,
      evidence: alike.map(\.evidence), steps: first.steps)
  }
}

extension Face {
  /// The direction as a signed device axis, such as `-x`.
  fileprivate var device: String {
    switch self {
    case .xUp: "x"
    case .xDown: "-x"
    case .yUp: "y"
    case .yDown: "-y"
    case .zUp: "z"
    case .zDown: "-z"
    }
  }
}
