// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import LinuxSystem
internal import NIOCore
internal import Synchronization

/// Shuts an event loop down from a separate thread.
///
/// A loop that is shut down from its own thread first waits for a thread of libdispatch, which
/// never comes where the process can start none. This thread is started while a failure can be
/// reported.
final class LoopEnding: Sendable {
  private struct Running: Sendable {
    let loop: any EventLoop
    let server: NIOLoopBound<WebServer>
  }
  private let running = Mutex<Running?>(nil)
  private let isRunning: WakeEvent
  private let bell: WakeEvent

  init(at bell: WakeEvent) throws(ResourceError) {
    self.bell = bell
    isRunning = try WakeEvent()
  }

  /// Names the loop to shut down. Called on the loop.
  func take(_ loop: any EventLoop, of server: WebServer) {
    let bound = NIOLoopBound(server, eventLoop: loop)
    running.withLock { $0 = Running(loop: loop, server: bound) }
    isRunning.ring()
  }

  /// Waits until the bell rings, then ends the server and its loop.
  func wait() {
    Self.wait(for: isRunning)
    Self.wait(for: bell)
    guard let running = running.withLock({ $0 }) else { return }
    running.loop.execute { running.server.value.finish() }
    // The main queue would call the completion, which is not needed.
    running.loop.shutdownGracefully(queue: .main) { _ in }
  }

  private static func wait(for event: WakeEvent) {
    var one = [pollfd(fd: event.fileDescriptor, events: Int16(POLLIN), revents: 0)]
    // Used within the call; interrupted by no signal, as this thread gets none.
    while unsafe poll(&one, 1, -1) < 1 {}
  }
}
