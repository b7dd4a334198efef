// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import Runtime
import Logging
import MotionServer
import Otolith
import MotionSources

/// The care that a service takes now and then: it looks after its readers, and tells the service
/// manager how it is doing. A manager that watches is told that all is well by a turn of the thread
/// that serves, and only where each reader has made one too: it starts a service anew that is
/// stuck.
final class ServiceWatch {
  private let manager: ServiceManager?
  private var status = ""
  private var stuck: [String] = []
  private var notes: Set<String> = []
  /// Between two looks.
  let interval: TimeSpan

  init(_ manager: ServiceManager?) {
    self.manager = manager
    // Two looks within a third of the manager's patience each: a reader is stuck that was woken by
    // the first and has done nothing until the second. Without one often enough that an adapter
    // that was unplugged is not held for long.
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
    // The first says that it serves.
    if manager.tell("READY=1", "STATUS=\(now)") { status = now }
  }
}

private let logger = Logger(label: "otolith.service")
