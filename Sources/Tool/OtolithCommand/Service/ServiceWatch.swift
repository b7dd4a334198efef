// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import BoardCommands
import Foundation
import Runtime
import Logging
import MotionServer
import Otolith
import MotionSources

/// Periodic checks of a service: it watches its readers, and reports its state to the service
/// manager. A manager with a watchdog gets a notification from the serving thread, and only if each
/// reader has made a turn too, so that it restarts a service that is stuck.
final class ServiceWatch {
  private let manager: ServiceManager?
  private var status = ""
  private var stuck: [String] = []
  private var notes: Set<String> = []
  /// The time between two checks.
  let interval: TimeSpan

  init(_ manager: ServiceManager?) {
    self.manager = manager
    // The interval is a third of the watchdog timeout, so that two checks fit into it: a reader is
    // stuck if the first check woke it and it has made no turn until the second. At most 5 s, so
    // that an unplugged adapter is released soon.
    let patience = min(manager?.patience ?? .max, 15_000_000)
    interval = TimeSpan(nanoseconds: patience * 1000 / 3)
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
    // The first notification reports that the service is ready.
    if manager.tell("READY=1", "STATUS=\(now)") { status = now }
  }
}

private let logger = Logger(label: "otolith.service")
