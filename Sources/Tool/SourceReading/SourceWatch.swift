// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Otolith
import Runtime
import Synchronization

/// A thread that requests chip reports and the state of fusion from a source four times per second.
/// The thread is separate because a service may answer late and drawing must not wait.
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

  /// The newest answer; `nil` before the first answer.
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
