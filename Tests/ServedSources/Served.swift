// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import Runtime
package import LinuxSystem
package import MotionServer
package import Service
internal import MotionSources
internal import Synchronization

/// A service on a separate thread and at a separate path, which runs until this object ends it.
package final class Served: Sendable {
  package let path: String
  private let wakeEvent: WakeEvent
  private let thread = Mutex<ThreadHandle?>(nil)
  private let result = Mutex<MotionServer.Outcome?>(nil)

  /// Starts the service. It already listens when this returns, so that no client comes too early.
  package init(
    _ source: any MotionSource, path: String? = nil, access: SocketAccess? = nil,
    policy: ServicePolicy = ServicePolicy(group: nil, owner: geteuid()),
    movement: (@Sendable (ServiceQuestion) -> ServiceAnswer)? = nil
  ) throws {
    let path = path ?? Served.path()
    self.path = path
    wakeEvent = try WakeEvent()
    let box = Mutex<SendableBox?>(
      SendableBox(
        socket: try ListeningSocket(path: path, kind: .packets, access: access),
        server: try MotionServer(source, policy: policy)))
    box.withLock { $0?.server.movement = movement }
    let handle = ThreadHandle(
      try startThread(name: "served") { [self, wakeEvent] in
        guard let box = box.withLock({ $0.take() }) else { return }
        let outcome = box.server.serve(box.socket, until: wakeEvent)
        result.withLock { $0 = outcome }
      })
    thread.withLock { $0 = handle }
  }

  private struct SendableBox: ~Copyable {
    let socket: ListeningSocket
    let server: MotionServer
  }

  /// Returns a path at which there is no file.
  package static func path() -> String {
    NSTemporaryDirectory() + "otolith-\(getpid())-\(UInt32.random(in: 0 ..< .max)).sock"
  }

  /// Ends the service. Returns when it has ended.
  @discardableResult
  package func end() -> MotionServer.Outcome? {
    wakeEvent.signal()
    return wait()
  }

  /// Waits until the service has ended without a call of `end`.
  package func wait() -> MotionServer.Outcome? {
    thread.withLock { $0.take() }?.join()
    return result.withLock { $0 }
  }
}

/// Waits until `condition` holds, or until `limit` has passed. Returns whether it holds.
package func eventually(
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
