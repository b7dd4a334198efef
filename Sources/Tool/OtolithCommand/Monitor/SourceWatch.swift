// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import LinuxSystem
import Otolith
import Runtime
import Synchronization

/// Polls a source four times per second for chip reports and fusion's state. On a separate thread:
/// if the source is a service, the answer may take a while, and drawing must not wait for it.
final class SourceWatch: Sendable {
  struct Reading: Sendable {
    var report: [ChipReport]
    var calibration: CalibrationState
  }
  private let newest: Mutex<Reading?> = Mutex(nil)
  private let isWanted = Atomic<Bool>(true)
  private let bell: WakeEvent
  private let source: any MotionSource

  init(_ source: any MotionSource) throws(ResourceError) {
    self.source = source
    bell = try WakeEvent()
    // Not joined at the end: it may hang in a request, and holds nothing that is needed then.
    let thread = try startThread(name: "otolith watch") { [self] in watch() }
    _ = consume thread
  }

  /// `nil` before the first answer.
  var reading: Reading? { newest.withLock { $0 } }

  func end() {
    isWanted.store(false, ordering: .releasing)
    bell.ring()
  }

  private func watch() {
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    while isWanted.load(ordering: .acquiring) {
      let reading = Reading(report: source.report, calibration: source.calibration)
      newest.withLock { $0 = reading }
      _ = try? waiter.wait(until: Timestamp.now + .milliseconds(250))
      bell.drain()
    }
  }
}
