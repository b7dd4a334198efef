// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Logging
internal import Synchronization

/// The orientation and the shakes of the device, for programs that use UIKit's interface.
///
/// Notifications are posted to `NotificationCenter.default` on the main queue, with the device as
/// their object. The program must therefore run that queue (`RunLoop.main.run()`, `dispatchMain()`,
/// or an asynchronous `main`). All members may be used from any thread.
///
/// This class is an `NSObject`, like `UIDevice`, because up to Swift 6.2 the notification center on
/// Linux does not recognise other objects, and does not call observers that are registered for a
/// specific one.
public final class MotionDevice: NSObject, Sendable {
  /// The device whose sensors the process's hub, `MotionHub.shared`, reads.
  public static let current = MotionDevice(.shared)

  /// Posted when `orientation` has changed.
  public static let orientationDidChangeNotification = Notification.Name(
    "UIDeviceOrientationDidChangeNotification")
  /// Posted when a shake has begun; UIKit then calls `motionBegan(_:with:)`.
  public static let motionBeganNotification = Notification.Name("MotionDeviceMotionBegan")
  /// Posted when a shake has ended; UIKit then calls `motionEnded(_:with:)`.
  public static let motionEndedNotification = Notification.Name("MotionDeviceMotionEnded")
  /// Posted when the movement was too long for a shake or was interrupted; UIKit then calls
  /// `motionCancelled(_:with:)`.
  public static let motionCancelledNotification = Notification.Name("MotionDeviceMotionCancelled")

  private let hub: MotionHub
  private let orientations = CountedListening()
  private let shakes = CountedListening()
  private let newest = Mutex(DeviceOrientation.unknown)

  /// Creates the device whose sensors `hub` reads.
  public init(_ hub: MotionHub) { self.hub = hub }

  // MARK: Orientation

  /// The side of the device that is up. `unknown` while notifications are not requested, before the
  /// first sample, and without an accelerometer.
  public var orientation: DeviceOrientation { newest.withLock { $0 } }

  public var isGeneratingDeviceOrientationNotifications: Bool { orientations.isWanted }

  /// Starts to track the orientation and to post `orientationDidChangeNotification`. Calls nest:
  /// posting continues until each call has been ended. While the board cannot be opened, the log
  /// contains the reason; posting starts when the board can be opened.
  public func beginGeneratingDeviceOrientationNotifications() {
    orientations.begin(hub) {
      let receiver = RecognitionReceiver(OrientationRecognition()) { [weak self] update in
        guard let self else { return }
        newest.withLock { $0 = update.orientation }
        post(Self.orientationDidChangeNotification, if: orientations)
      }
      return receiver
    }
  }

  /// Ends one call of `beginGeneratingDeviceOrientationNotifications`. Further calls have no
  /// effect.
  public func endGeneratingDeviceOrientationNotifications() {
    orientations.end { newest.withLock { $0 = .unknown } }
  }

  // MARK: Shake

  public var isGeneratingShakeNotifications: Bool { shakes.isWanted }

  /// Starts to post the notifications for shakes. Calls nest. While the board cannot be opened, the
  /// log contains the reason; posting starts when the board can be opened.
  public func beginGeneratingShakeNotifications() {
    shakes.begin(hub) {
      let receiver = RecognitionReceiver(ShakeRecognition()) { [weak self] update in
        guard let self else { return }
        let name =
          switch update.phase {
          case .began: Self.motionBeganNotification
          case .ended: Self.motionEndedNotification
          case .cancelled: Self.motionCancelledNotification
          }
        post(name, if: shakes)
      }
      return receiver
    }
  }

  /// Ends one call of `beginGeneratingShakeNotifications`. Further calls have no effect.
  public func endGeneratingShakeNotifications() { shakes.end {} }

  private func post(_ name: Notification.Name, if listening: CountedListening) {
    OperationQueue.main.addOperation { [self] in
      // Posting may have ended before this operation ran.
      guard listening.isWanted else { return }
      NotificationCenter.default.post(name: name, object: self)
    }
  }
}

/// Receives samples from the first `begin...` call to the last `end...` call.
private final class CountedListening: Sendable {
  private struct State: Sendable {
    var count = 0
    var held: RetriedListening?
  }
  /// A lock that is held while the board is being opened, but not while waiting for a receiver,
  /// because a receiver may use this object.
  private let state = Mutex(State())

  var isWanted: Bool { state.withLock { $0.count > 0 } }

  func begin(_ hub: MotionHub, _ makeReceiver: () -> any MotionReceiver) {
    state.withLock { state in
      state.count += 1
      let held: RetriedListening
      if let going = state.held {
        held = going
      } else {
        // Retain the receiver, because the hub does not keep it alive.
        let receiver = makeReceiver()
        held = RetriedListening { () throws(SessionError) in
          try hub.listen(receiver, needing: .acceleration)
        }
        state.held = held
      }
      if let error = held.begin() {
        logger.warning("no orientation and shake events: \(error.description)")
      }
    }
  }

  func end(_ finish: () -> Void) {
    let ended = state.withLock { state -> RetriedListening? in
      guard state.count > 0 else { return nil }
      state.count -= 1
      guard state.count == 0 else { return nil }
      defer { state.held = nil }
      return state.held
    }
    guard let ended else { return }
    ended.stop()
    state.withLock { state in
      // Keep the state if `begin...` was called again in the meantime.
      if state.count == 0 { finish() }
    }
  }
}

private let logger = Logger(label: "otolith")
