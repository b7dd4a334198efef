// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import LinuxSystem
internal import NIOCore
internal import Synchronization

/// A separate thread that shuts an event loop down.
///
/// If a loop is shut down from its own thread, it first waits for a thread of libdispatch, which
/// never starts if the process has reached its limit of threads. The separate thread is therefore
/// started early, while a failure can still be reported.
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

  /// Sets the event loop that is to be shut down. Call this function on that loop.
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
    // `poll` uses the array only during the call. Signals cannot interrupt `poll`, because this
    // thread receives none.
    while unsafe poll(&one, 1, -1) < 1 {}
  }
}
