// SPDX-License-Identifier: Apache-2.0
import Logging
import Otolith
import Synchronization
import Testing

/// What is logged of work that fails for a while.
@Suite struct FailureLogTests {
  /// Keeps the lines that are logged.
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.all.withLock { $0.append("\(event.level): \(event.message)") }
    }
  }

  @Test func `each reason of a failure is logged once, and so is its end`() {
    let lines = Lines()
    var failures = FailureLog(
      Logger(label: "test") { _ in Handler(lines: lines) }, failing: "nothing is stored",
      working: "all is stored")
    for reason in [nil, "full", "full", "gone", nil, nil, "full"] { failures.note(reason) }
    #expect(
      lines.all.withLock { $0 } == [
        "warning: nothing is stored: full", "warning: nothing is stored: gone",
        "notice: all is stored", "warning: nothing is stored: full",
      ])
  }
}
