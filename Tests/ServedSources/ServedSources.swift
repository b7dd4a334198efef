// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import Foundation
internal import MotionSources
package import Runtime
internal import Service
internal import Synchronization

// One suite of tests serves both modes: with OTOLITH_TEST_SERVICE in the environment, hubs get
// their sources through a service.

/// Whether sources come through a service.
package let isServiceMode = ProcessInfo.processInfo.environment["OTOLITH_TEST_SERVICE"] != nil

/// Returns the source that a hub uses in place of `source`: the same one, or a client of a service
/// that serves it. A source that is passed twice has one service with two programs.
package func served(_ source: any MotionSource) throws -> any MotionSource {
  isServiceMode ? try services.serve(source) : source
}

/// Returns the source that a hub uses for `board`, as the function above does.
package func served(_ board: Board) throws -> any MotionSource { try served(BoardSession(board)) }

private let services = Services()

/// The services of this process. A service whose programs are gone is ended when the next one
/// begins.
private final class Services: Sendable {
  private struct Entry: Sendable {
    let source: any MotionSource
    let service: Served
    var programs: [Program] = []
    var isUsed: Bool { programs.contains { $0.source != nil } }
  }
  private struct Program: Sendable {
    weak let source: ServiceSource?
  }
  private let entries = Mutex<[Entry]>([])

  init() {
    // When the process ends, this removes the socket files of the services that still run.
    atexit { services.removeFiles() }
  }

  func serve(_ source: any MotionSource) throws -> ServiceSource {
    try entries.withLock { entries in
      for entry in entries where !entry.isUsed { entry.service.end() }
      entries.removeAll { !$0.isUsed }
      let index: Int
      if let known = entries.firstIndex(where: { $0.source === source }) {
        index = known
      } else {
        index = entries.count
        entries.append(Entry(source: source, service: try Served(source)))
      }
      let program = try ServiceSource(path: entries[index].service.path)
      entries[index].programs.append(Program(source: program))
      return program
    }
  }

  func removeFiles() {
    entries.withLock { entries in
      for entry in entries { try? FileManager.default.removeItem(atPath: entry.service.path) }
    }
  }
}
