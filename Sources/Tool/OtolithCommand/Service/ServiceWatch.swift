// SPDX-License-Identifier: Apache-2.0
import SourceReading
import LinuxSystem
import Foundation
import Runtime
import Logging
import MotionServer
import Otolith
import MotionSources

/// Checks a service's readers periodically, and reports its state to the service manager. The
/// watchdog is notified by the serving thread only if each reader thread has responded, so that a
/// stuck service is restarted.
final class ServiceWatch {
  private let manager: ServiceManager?
  private var status = ""
  private var stuck: [String] = []
  private var notes: Set<String> = []
  /// The time between two checks.
  let interval: TimeSpan

  init(_ manager: ServiceManager?) {
    self.manager = manager
    // An interval of a third of the watchdog timeout allows two checks before the timeout: the
    // first wakes a reader, and at the second it must have responded. At most 5 s, so that an
    // unplugged adapter is released soon.
    let timeout = min(manager?.watchdogTimeout ?? .max, 15_000_000)
    interval = TimeSpan(nanoseconds: timeout * 1000 / 3)
  }

  func beat(_ session: BoardSession, _ health: ServiceHealth) {
    session.releaseGone()
    for note in session.notes where notes.insert(note).inserted { logger.warning("\(note)") }
    let stuck = session.stuckBuses()
    if !stuck.isEmpty, stuck != self.stuck {
      logger.error("stuck: the reader of \(stuck.joined(separator: ", "))")
    }
    self.stuck = stuck
    guard let manager else { return }
    if stuck.isEmpty { manager.tell("WATCHDOG=1") }
    let board = health.isRunning ? "runs" : "sleeps"
    let programs = "\(health.programs) program\(health.programs == 1 ? "" : "s")"
    let now =
      stuck.isEmpty
      ? "\(session.name) \(board); \(programs)"
      : "stuck: the reader of \(stuck.joined(separator: ", "))"
    guard now != status else { return }
    // The first notification tells the service manager that the service is ready.
    if manager.tell("READY=1", "STATUS=\(now)") { status = now }
  }
}

private let logger = Logger(label: "otolith.service")
