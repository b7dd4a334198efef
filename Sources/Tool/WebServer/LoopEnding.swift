// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import LinuxSystem
internal import NIOCore
internal import Synchronization

/// Shuts an event loop down from a separate thread.
///
/// Shut down from its own thread, a loop first waits for a thread of libdispatch, which never comes
/// if the process can start no threads. This thread is started early, while a failure can be
/// reported.
final class LoopEnding: Sendable {
  private struct Running: Sendable {
    let loop: any EventLoop
    let server: NIOLoopBound<WebServer>
  }
  private let running = Mutex<Running?>(nil)
  private let isRunning: WakeEvent
  private let wakeEvent: WakeEvent

  init(at wakeEvent: WakeEvent) throws(ResourceError) {
    self.wakeEvent = wakeEvent
    isRunning = try WakeEvent()
  }

  /// Sets the event loop that is to be shut down. Must be called on that loop.
  func take(_ loop: any EventLoop, of server: WebServer) {
    let bound = NIOLoopBound(server, eventLoop: loop)
    running.withLock { $0 = Running(loop: loop, server: bound) }
    isRunning.signal()
  }

  /// Waits until `wakeEvent` is signalled, then ends the server and its loop.
  func wait() {
    Self.wait(for: isRunning)
    Self.wait(for: wakeEvent)
    guard let running = running.withLock({ $0 }) else { return }
    running.loop.execute { running.server.value.finish() }
    // The main queue would call the completion handler, which is not needed.
    running.loop.shutdownGracefully(queue: .main) { _ in }
  }

  private static func wait(for event: WakeEvent) {
    var one = [pollfd(fd: event.fileDescriptor, events: Int16(POLLIN), revents: 0)]
    // `poll` uses the array only during the call. This thread receives no signals, so the loop
    // ends.
    while unsafe poll(&one, 1, -1) < 1 {}
  }
}
