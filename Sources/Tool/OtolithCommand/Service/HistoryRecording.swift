// SPDX-License-Identifier: Apache-2.0
import Boards
import Foundation
import LinuxSystem
import Logging
import Otolith
import MotionSources
import Synchronization

/// The recording of history, which runs if the board file sets `record-history`. While the service
/// runs, it stores acceleration and counts movement, so the chips never stop. If the board cannot
/// be opened, it retries once per minute.
final class HistoryRecording: Sendable {
  private let wakeEvent: WakeEvent
  private let thread: ThreadHandle

  /// Starts recording; returns `nil` if the board file does not set `record-history`.
  init?(_ session: BoardSession, _ hub: MotionHub) throws(ResourceError) {
    guard session.board.recordsHistory else { return nil }
    let wakeEvent = try WakeEvent()
    self.wakeEvent = wakeEvent
    thread = ThreadHandle(try startThread(name: "otolith history") { Self.run(hub, wakeEvent) })
  }

  /// Writes the pending samples and stops the chips. Returns when both are done.
  func end() {
    wakeEvent.signal()
    thread.join()
  }

  private static func run(_ hub: MotionHub, _ wakeEvent: WakeEvent) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    var recording: AccelerationRecording?
    var failures = FailureLog(
      logger, failing: "history is not stored", working: "history is recorded")
    // The movement counter itself retries and logs its errors.
    let stop = try? PedometerStore(hub).count()
    while true {
      do {
        let store = try hub.sampleStore
        recording = try recording ?? hub.recordAcceleration(to: store)
        failures.note(nil)
      } catch { failures.note("\(error)") }
      let next: Timestamp = recording == nil ? .now + .seconds(60) : .distantFuture
      // If waiting for the event fails, the next wait would fail immediately too, so end the loop.
      guard let ready = try? poller.wait(until: next), ready == 0 else { break }
    }
    recording?.stop()
    stop?()
  }
}

private let logger = Logger(label: "otolith.service")
