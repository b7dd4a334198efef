// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A box that passes a value to the thread that will use it. No other thread may use the value
/// afterwards.
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
