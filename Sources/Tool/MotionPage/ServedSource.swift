// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Boards
import LinuxSystem
import MotionViews
import Otolith
import Recordings
import MotionSources
package import Runtime
import Synchronization
import WebServer

/// The sources that a page can choose: the initial one, the simulated board, and the files named on
/// the command line. A page cannot name other files.
package struct SourceMenu {
  enum Kind: Sendable {
    case first(any MotionSource)
    case board(path: String)
    case recording(path: String)
  }

  private(set) var choices: [(choice: PageText.Choice, kind: Kind, sentence: String)] = []

  /// Creates the menu that starts with `first`. Throws if an offered file cannot be read, or is
  /// neither a recording nor a board. The rows of a recording are read only when it is chosen.
  package init(_ first: any MotionSource, sentence: String, offering files: [String])
    throws(Failure)
  {
    let kind =
      switch first.kind {
      case .service: "service"
      case .recording: "recording"
      case .board, .other: "board"
      }
    add("first", "\(first.name)", kind, .first(first), sentence)
    for (index, path) in files.enumerated() {
      try Self.check(path)
      let isRecording = Self.isRecording(path)
      let isTrace = path.hasSuffix(".trace") || path.hasSuffix(".otrace")
      add(
        "file-\(index + 1)", Self.name(path),
        isRecording ? "recording" : isTrace ? "trace" : "board",
        isRecording ? .recording(path: path) : .board(path: path),
        isRecording ? "the recording \(path), in its own time" : "\(path), chosen on the page")
    }
    if first.name != Self.simulatedName, !files.contains(ShippedBoard.simulated.name) {
      add(
        "simulated", Self.simulatedName, "board", .board(path: ShippedBoard.simulated.name),
        "\(Self.simulatedName), chosen on the page")
    }
  }

  private static let simulatedName = "Simulated board"

  private mutating func add(
    _ id: String, _ label: String, _ kind: String, _ source: Kind, _ sentence: String
  ) {
    choices.append((PageText.Choice(id: id, label: label, kind: kind), source, sentence))
  }

  /// Replaces the source at index `place` with a new session of the same board.
  mutating func renew(_ place: Int, _ source: any MotionSource) {
    if case .first = choices[place].kind { choices[place].kind = .first(source) }
  }

  private static func check(_ path: String) throws(Failure) {
    if isRecording(path) {
      do throws(RecordingError) { try RecordingReader.checkBeginning(path: path) } catch {
        throw Failure(error)
      }
    } else {
      do throws(BoardErrors) { _ = try BoardSelection.choose(path: path) } catch {
        throw Failure(error)
      }
    }
  }

  /// Opens a source of the menu. If opening fails, the error is a message for the page.
  static func open(_ kind: Kind) throws(Failure) -> any MotionSource {
    switch kind {
    case .first(let source): return source
    case .recording(let path): return try recording(path)
    case .board(let path):
      do throws(BoardErrors) {
        return BoardSession(try BoardSelection.choose(path: path).board)
      } catch { throw Failure(error) }
    }
  }

  /// Returns a recording as a source that restarts after its end.
  package static func recording(_ path: String) throws(Failure) -> any MotionSource {
    do throws(RecordingError) { return try RecordingSource(path: path, repeats: true) } catch {
      throw Failure(error)
    }
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns true if the file name belongs to a recording: a table or an MCAP file. Boards are YAML
  /// files or bus traces.
  private static func isRecording(_ path: String) -> Bool {
    [".csv", ".jsonl", ".mcap"].contains { path.lowercased().hasSuffix($0) }
  }
}

/// The opening of a source on a separate thread. A long recording takes time, and the pages must be
/// updated in the meantime.
final class SourceOpening: Sendable {
  /// The index of the source in the menu.
  let place: Int
  /// The connection that waits for the answer to its request.
  let connection: ConnectionNumber
  private struct Ending: Sendable {
    var result: Result<any MotionSource, Failure>
  }
  private let ending = Mutex<Ending?>(nil)

  init(_ kind: SourceMenu.Kind, place: Int, for connection: ConnectionNumber) throws(ResourceError)
  {
    (self.place, self.connection) = (place, connection)
    let thread = try startThread(name: "otolith opening") { [self] in
      let result: Result<any MotionSource, Failure>
      do throws(Failure) { result = .success(try SourceMenu.open(kind)) } catch {
        result = .failure(error)
      }
      ending.withLock { $0 = Ending(result: result) }
    }
    _ = consume thread
  }

  /// The opened source or the error; `nil` while the source is being opened.
  var result: Result<any MotionSource, Failure>? { ending.withLock { $0?.result } }
}
