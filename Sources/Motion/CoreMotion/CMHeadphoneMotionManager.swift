// SPDX-License-Identifier: Apache-2.0

/// A delegate for connections of headphones, called on the queue of the updates, otherwise on the
/// main queue. All methods are optional.
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
  /// Receives motion or an error.
  public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

  public override init() { super.init() }

  /// Returns this program's permission to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  open weak var delegate: (any CMHeadphoneMotionManagerDelegate)?

  open var isConnectionStatusActive: Bool { false }

  open var isDeviceMotionAvailable: Bool { false }

  open var isDeviceMotionActive: Bool { false }

  /// The newest motion; always `nil`.
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

/// The error for every request about headphones.
var headphonesNotAvailable: NSError {
  motionError(CMErrorNotAvailable, "there are no headphones with sensors")
}
