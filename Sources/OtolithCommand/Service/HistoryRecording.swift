// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Boards
import Foundation
import LinuxBus
import Logging
import Otolith
import MotionSources
import Synchronization

/// Records as `record-history` of the board file asks: acceleration is recorded, and movement
/// counted, as long as the service runs, so that the chips never sleep. A board that cannot be
/// opened now is tried again once a minute.
final class HistoryRecording: Sendable {
  private let bell: Doorbell
  private let thread: ThreadHandle

  /// `nil` where the board does not ask for it.
  init?(_ session: BoardSession, _ hub: MotionHub) throws(OpenError) {
    guard session.board.recordsHistory else { return nil }
    let bell = try Doorbell()
    self.bell = bell
    thread = ThreadHandle(try startThread(name: "otolith history") { Self.run(hub, bell) })
  }

  /// Writes what has been measured and lets the chips sleep. Returns when that is done.
  func end() {
    bell.ring()
    thread.join()
  }

  private static func run(_ hub: MotionHub, _ bell: Doorbell) {
    var waiter = Waiter()
    waiter.add(bell.fileDescriptor)
    var recording: AccelerationRecording?
    var complaint: String?
    // By itself it tries again, and says in the log what is wrong.
    let count = try? MovementFeed(hub).count()
    while true {
      do {
        let store = try hub.sampleStore
        recording = try recording ?? hub.recordAcceleration(to: store)
        if complaint != nil { logger.notice("history is recorded") }
        complaint = nil
      } catch {
        // Once is enough.
        if complaint != "\(error)" { logger.warning("history is not recorded: \(error)") }
        complaint = "\(error)"
      }
      let next: Timestamp = recording == nil ? .now + .seconds(60) : .distantFuture
      // A wait that fails would fail again at once.
      guard let ready = try? waiter.wait(until: next), ready.isEmpty else { break }
    }
    recording?.stop()
    count?.stop()
  }
}

private let logger = Logger(label: "otolith.service")
