// SPDX-License-Identifier: Apache-2.0
import SourceReading
import LinuxSystem
import Foundation
import Runtime
import Logging
import MotionServer
import Otolith
import MotionSources

/// A periodic check of a service's readers, which also reports the service's state to the service
/// manager. The serving thread notifies the watchdog only if each reader thread has responded, so
/// that a stuck service is restarted.
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
    // first wakes a reader, and by the second the reader must have responded. The timeout used is
    // at most 15 s, so that an unplugged adapter is released after at most 5 s.
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
    if stuck.isEmpty { manager.notify("WATCHDOG=1") }
    let board = health.isRunning ? "runs" : "sleeps"
    let programs = "\(health.programs) program\(health.programs == 1 ? "" : "s")"
    let now =
      stuck.isEmpty
      ? "\(session.name) \(board); \(programs)"
      : "stuck: the reader of \(stuck.joined(separator: ", "))"
    guard now != status else { return }
    // The first notification tells the service manager that the service is ready.
    if manager.notify("READY=1", "STATUS=\(now)") { status = now }
  }
}

private let logger = Logger(label: "otolith.service")
