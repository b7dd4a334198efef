// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import LinuxBus
import Otolith
import Runtime
import Synchronization

/// Asks a source four times a second what its chips have done and what fusion knows. On a thread of
/// its own: where the source is a service, the answer may take its time, and the picture must not
/// wait for it.
final class SourceWatch: Sendable {
  struct Reading: Sendable {
    var report: [ChipReport]
    var calibration: CalibrationState
  }
  private let newest: Mutex<Reading?> = Mutex(nil)
  private let isWanted = Atomic<Bool>(true)
  private let bell: Doorbell
  private let source: any MotionSource

  init(_ source: any MotionSource) throws(OpenError) {
    self.source = source
    bell = try Doorbell()
    // Not waited for at the end: it may hang in a question, and holds nothing that matters then.
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
    var waiter = Waiter()
    waiter.add(bell.fileDescriptor)
    while isWanted.load(ordering: .acquiring) {
      let reading = Reading(report: source.report, calibration: source.calibration)
      newest.withLock { $0 = reading }
      _ = try? waiter.wait(until: Timestamp.now + .milliseconds(250))
      bell.drain()
    }
  }
}
