// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Otolith
import Runtime
import Synchronization

/// Requests chip reports and fusion's state from a source four times per second. It uses a separate
/// thread, because a service may answer late and drawing must not wait.
final class SourceWatch: Sendable {
  struct Reading: Sendable {
    var report: [ChipReport]
    var calibration: CalibrationState
  }
  private let newest: Mutex<Reading?> = Mutex(nil)
  private let isWanted = Atomic<Bool>(true)
  private let wakeEvent: WakeEvent
  private let source: any MotionSource

  init(_ source: any MotionSource) throws(ResourceError) {
    self.source = source
    wakeEvent = try WakeEvent()
    // The thread is not joined at the end, because it may be waiting for a service's answer.
    let thread = try startThread(name: "otolith watch") { [self] in watch() }
    _ = consume thread
  }

  /// The newest answer; `nil` before the first.
  var reading: Reading? { newest.withLock { $0 } }

  func end() {
    isWanted.store(false, ordering: .releasing)
    wakeEvent.signal()
  }

  private func watch() {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    while isWanted.load(ordering: .acquiring) {
      let reading = Reading(report: source.report, calibration: source.calibration)
      newest.withLock { $0 = reading }
      _ = try? poller.wait(until: Timestamp.now + .milliseconds(250))
      wakeEvent.drain()
    }
  }
}
