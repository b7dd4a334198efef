// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import BusTraces
import Boards
import ChipCatalog
import Foundation
import LinuxSystem
import Otolith
import MotionSources
import Runtime
import Sensors

struct RecordTrace: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Run a board and record the traffic of its buses.",
    discussion: """
      First all registers without read side effects are recorded, then the board runs as \
      configured until Ctrl-C or the end of --duration. Data is on disk within a second: after a \
      crash or a power cut the trace can be played up to that point. The trace contains the chips' \
      measurements, and the board file without comments, location and personal data.
      """)

  @OptionGroup var board: BoardOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The trace; - is standard output.", valueName: "file.trace"),
    completion: .file(extensions: ["trace"]))
  var output: String

  @OptionGroup var end: DurationOption

  @OptionGroup var overwrite: OverwriteOption

  func run() throws {
    let selection = try board.select()
    selection.announce()
    guard selection.board.trace == nil else {
      throw Failure("\(selection.board.file): is already a trace", Failure.usage)
    }
    let board = selection.board
    // Nothing of a sensor that the kernel reads goes over a bus of this program.
    _ = try board.examinableChips()
    let named = try OutputFile(
      output, "--output", holds: "trace", inputs: [board.file, board.calibrationPath],
      replaces: overwrite.force)
    let file = try TraceFile(path: named.path, replaces: overwrite.force)
    board.sayNotice(onErrors: true)
    // From here on, Ctrl-C and SIGTERM finish the recording and stop the chips.
    signal(SIGPIPE, SIG_IGN)
    let signals = try EndSignals()
    defer { signals.cancel() }
    let recorder = TraceRecorder()
    let session = BoardSession(selection.board, recorder: recorder)
    let origin = Timestamp.now
    do throws(SessionError) { try session.start() } catch {
      file.remove()
      throw Failure(error)
    }
    file.begin()
    var writing = Writing(file: file, recorder: recorder, origin: origin)
    let header = Self.header(of: selection.board, origin)
    var failure = writing.write(Array(header.text.utf8))
    if failure == nil { failure = writing.follow(until: signals.wakeEvent, for: end.seconds) }
    session.stop()
    recorder.end(at: .now)
    if failure == nil { failure = writing.drain() ?? writing.sync() }
    for (index, report) in session.report.enumerated() {
      Terminal.complain(Self.line(report, session, index))
    }
    Terminal.complain(Terminal.startOfLine + writing.summary(output))
    if let failure { throw failure }
  }

  private static func line(_ report: ChipReport, _ session: BoardSession, _ index: Int) -> String {
    let health = report.health
    if case .failed(let error) = report.state {
      return session.sentence(for: error, ofChip: index)
    }
    return "\(report.name): \(health.received) samples, \(health.missing) missing, "
      + "\(health.busErrors) bus errors"
  }

  /// Returns data about the board and the machine, without names of people.
  private static func header(of board: Board, _ origin: Timestamp) -> TraceHeader {
    var facts = [("otolith", Release.version)]
    func add(_ key: String, _ path: String) {
      guard let data = FileManager.default.contents(atPath: path) else { return }
      let text = String(decoding: data, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters))
      if !text.isEmpty { facts.append((key, text)) }
    }
    add("kernel", "/proc/sys/kernel/osrelease")
    add("machine", "/proc/device-tree/model")
    for bus in board.buses {
      guard let node = bus.path?.split(separator: "/").last, bus.wire == .i2c else { continue }
      add("bus \(bus.name)", "/sys/class/i2c-dev/\(node)/name")
    }
    return TraceHeader(
      origin: origin, facts: facts, board: BoardFile.shareableText(of: board),
      calibration: board.calibration?.text)
  }
}

/// The file of a bus trace. The file is written while recording, so that the trace so far survives
/// a crash.
private final class TraceFile {
  private let path: String
  let descriptor: Int32
  /// True if this instance created the file.
  private let isNew: Bool

  init(path: String, replaces: Bool) throws(Failure) {
    self.path = path
    guard path != "-", path != "/dev/stdout" else {
      (descriptor, isNew) = (1, false)
      return
    }
    let new = Self.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    if new >= 0 || errno != EEXIST {
      (descriptor, isNew) = (new, true)
    } else {
      // The path names an existing file or a named pipe. An existing file is kept until recording
      // begins.
      (descriptor, isNew) = (Self.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), false)
    }
    guard descriptor >= 0 else {
      // `strerror` returns a string that belongs to the C library, so copy it here.
      throw Failure("\(path): \(unsafe String(cString: strerror(errno)))", Failure.cannotCreate)
    }
    if isFile, !isNew, !replaces {
      throw Failure("\(path): exists already; --force replaces it", Failure.cannotCreate)
    }
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    while true {
      // `open` reads the path only during the call.
      let descriptor = unsafe Foundation.open(path, flags, 0o644)
      guard descriptor < 0, errno == EINTR else { return descriptor }
    }
  }

  private var isFile: Bool {
    var status = stat()
    // `fstat` writes `status` only during the call.
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if descriptor != 1 { close(descriptor) } }

  /// Truncates an existing file when recording begins.
  func begin() { if descriptor != 1, isFile { _ = ftruncate(descriptor, 0) } }

  /// Removes the file if this instance created it and recording never began.
  func remove() {
    if isNew { unsafe unlink(path) }  // the string lives for the call alone
  }

  func failure(_ number: Int32) -> Failure {
    // `strerror` returns a string that belongs to the C library, so copy it here.
    let reason = unsafe String(cString: strerror(number))
    return Failure(
      "\(path): \(reason); the trace up to there can be played", Failure.inputOutput)
  }
}

private struct Writing {
  let file: TraceFile
  let recorder: TraceRecorder
  let origin: Timestamp
  private var events = 0
  private var bytes = 0
  private var dropped = 0

  init(file: TraceFile, recorder: TraceRecorder, origin: Timestamp) {
    self.file = file
    self.recorder = recorder
    self.origin = origin
  }

  mutating func write(_ text: [UInt8]) -> Failure? {
    if let number = Terminal.write(text, to: file.descriptor) { return file.failure(number) }
    bytes += text.count
    return nil
  }

  mutating func drain() -> Failure? {
    var text: [UInt8] = []
    let taken = recorder.take(from: origin, into: &text)
    events += taken.events
    dropped += taken.dropped
    return write(text)
  }

  /// Writes the file to disk, so that it survives a power failure. The system reports a write error
  /// only once, so check for the error here. A pipe cannot be synced.
  func sync() -> Failure? {
    guard fdatasync(file.descriptor) != 0, ![EINVAL, EROFS].contains(errno) else { return nil }
    return file.failure(errno)
  }

  mutating func follow(until wakeEvent: WakeEvent, for duration: Double?) -> Failure? {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    let end = duration.map { origin + TimeSpan(seconds: $0) } ?? .distantFuture
    var nextSecond = origin
    while wakeEvent.drain() == 0, Timestamp.now < end {
      _ = try? poller.wait(until: min(end, .now + .milliseconds(50)))
      if let failure = drain() { return failure }
      guard Timestamp.now >= nextSecond else { continue }
      nextSecond = .now + .seconds(1)
      if let failure = sync() { return failure }
      if isatty(2) == 1 { Terminal.write(Terminal.startOfLine + progress, to: 2) }
    }
    return nil
  }

  private var progress: String {
    "\(Int((Timestamp.now - origin).seconds)) s, \(events) events, \(bytes / 1000) kB; Ctrl-C ends"
  }

  func summary(_ output: String) -> String {
    let seconds = ((Timestamp.now - origin).seconds * 10).rounded() / 10
    return "\(output): \(seconds) s, \(events) events, \(bytes / 1000) kB"
      + (dropped > 0 ? "; \(dropped) EVENTS LOST, because this machine was too slow" : "")
      + (bytes > Trace.largest || events > Trace.mostEvents
        ? "; too long to be played: record less, with --duration" : "")
  }
}
