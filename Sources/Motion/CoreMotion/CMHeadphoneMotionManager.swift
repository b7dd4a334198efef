// SPDX-License-Identifier: Apache-2.0

/// A delegate for the connection of headphones. All methods are optional. They are called on the
/// queue of the updates, or on the main queue without one.
public protocol CMHeadphoneMotionManagerDelegate: NSObjectProtocol {
  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)

  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
  public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}

  public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}

/// The motion of headphones. No board has headphones: nothing is ever available or active, the
/// delegate is never called, and a handler receives `CMErrorNotAvailable` once, on its queue.
open class CMHeadphoneMotionManager: NSObject {
  /// A handler that receives motion or an error.
  public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

  public override init() { super.init() }

  /// Returns this program's permission to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  open weak var delegate: (any CMHeadphoneMotionManagerDelegate)?

  open var isConnectionStatusActive: Bool { false }

  open var isDeviceMotionAvailable: Bool { false }

  open var isDeviceMotionActive: Bool { false }

  /// The newest motion; always `nil`, because no headphones are supported.
  open var deviceMotion: CMDeviceMotion? { nil }

  open func startDeviceMotionUpdates() {}

  open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping DeviceMotionHandler
  ) {
    deliver(on: queue) { handler(nil, headphonesNotAvailable) }
  }

  open func stopDeviceMotionUpdates() {}

  open func startConnectionStatusUpdates() {}

  open func stopConnectionStatusUpdates() {}
}

/// The error for every request that needs headphones.
var headphonesNotAvailable: NSError {
  motionError(CMErrorNotAvailable, "there are no headphones with sensors")
}
