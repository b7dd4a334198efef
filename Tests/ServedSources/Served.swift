// SPDX-License-Identifier: Apache-2.0
import Foundation
import InterProcess
import LinuxBus
import MotionServer
import Runtime
import ServiceClient
import Synchronization
import Testing

/// A service on a thread of its own, at a path of its own, until this goes or is ended.
final class Served: Sendable {
  let path: String
  private let bell: Doorbell
  private let thread = Mutex<ThreadHandle?>(nil)
  private let result = Mutex<MotionServer.Outcome?>(nil)

  init(
    _ source: any MotionSource, path: String? = nil,
    policy: ServicePolicy = ServicePolicy(group: nil, owner: geteuid())
  ) throws {
    let path = path ?? Served.path()
    self.path = path
    bell = try Doorbell()
    // The socket listens before this returns, so that nobody comes too early.
    let parcel = Mutex<ListeningSocket?>(try ListeningSocket(path: path, kind: .packets))
    let handle = ThreadHandle(
      try startThread(name: "served") { [self, bell] in
        guard let socket = parcel.withLock({ $0.take() }) else { return }
        do {
          let server = try MotionServer(source, policy: policy)
          let outcome = server.serve(socket, until: bell)
          result.withLock { $0 = outcome }
        } catch { Issue.record(error) }
      })
    thread.withLock { $0 = handle }
  }

  static func path() -> String {
    NSTemporaryDirectory() + "otolith-\(getpid())-\(UInt32.random(in: 0 ..< .max)).sock"
  }

  /// Ends it. Returns when that is done.
  @discardableResult
  func end() -> MotionServer.Outcome? {
    bell.ring()
    return wait()
  }

  /// Returns when it has ended by itself.
  func wait() -> MotionServer.Outcome? {
    thread.withLock { $0.take() }?.join()
    return result.withLock { $0 }
  }
}

/// Waits until something holds.
func eventually(
  within limit: Duration = .seconds(20), _ condition: () throws -> Bool
) async throws -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + limit
  while clock.now < end {
    if try condition() { return true }
    try await Task.sleep(for: .milliseconds(2))
  }
  return try condition()
}
