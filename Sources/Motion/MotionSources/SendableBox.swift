// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Passes a value that is not used by any thread yet to the thread that will use it.
final class SendableBox<Content>: @unchecked Sendable {  // guarded by its lock; taken once
  private let lock = Mutex<Void>(())
  private var content: Content?

  init(_ content: Content) { self.content = content }

  func take() -> Content? {
    lock.withLock { _ in
      defer { content = nil }
      return content
    }
  }
}
