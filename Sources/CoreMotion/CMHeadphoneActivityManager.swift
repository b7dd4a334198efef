// SPDX-License-Identifier: Apache-2.0

/// The activity of the wearer of headphones. No board has them: nothing is ever available or
/// active, and a handler gets `CMErrorNotAvailable` once, on its queue.
open class CMHeadphoneActivityManager: NSObject {
  /// The connection of headphones.
  public enum Status: Int, Sendable, BitwiseCopyable {
    case disconnected = 0
    case connected = 1
  }

  /// Takes an activity or an error.
  public typealias ActivityHandler = (CMMotionActivity?, (any Error)?) -> Void

  /// Takes a status; with an error it means nothing.
  public typealias StatusHandler = (Status, (any Error)?) -> Void

  public override init() { super.init() }

  /// Returns the permission of this program to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  open var isActivityAvailable: Bool { false }

  open var isActivityActive: Bool { false }

  open var isStatusAvailable: Bool { false }

  open var isStatusActive: Bool { false }

  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping ActivityHandler
  ) {
    deliver(on: queue) { handler(nil, headphonesNotAvailable) }
  }

  open func stopActivityUpdates() {}

  open func startStatusUpdates(
    to queue: OperationQueue, withHandler handler: @escaping StatusHandler
  ) {
    deliver(on: queue) { handler(.disconnected, headphonesNotAvailable) }
  }

  open func stopStatusUpdates() {}
}
