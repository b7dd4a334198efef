// SPDX-License-Identifier: Apache-2.0

/// The activity of a person who wears headphones. No board has headphones: nothing is ever
/// available or active, and a handler receives `CMErrorNotAvailable` once, on its queue.
open class CMHeadphoneActivityManager: NSObject {
  /// The connection state of headphones.
  public enum Status: Int, Sendable, BitwiseCopyable {
    case disconnected = 0
    case connected = 1
  }

  /// A handler that receives an activity or an error.
  public typealias ActivityHandler = (CMMotionActivity?, (any Error)?) -> Void

  /// A handler that receives a status; ignore it if there is an error.
  public typealias StatusHandler = (Status, (any Error)?) -> Void

  public override init() { super.init() }

  /// Returns this program's permission to read the board.
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
