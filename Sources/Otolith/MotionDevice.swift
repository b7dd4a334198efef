// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Logging
internal import Synchronization

/// The device as UIKit's programs ask it: its orientation, and shakes.
///
/// Notifications are posted to `NotificationCenter.default` on the main queue, with the device as
/// their object: the program must let that queue run (`RunLoop.main.run()`, `dispatchMain()`, or an
/// asynchronous `main`). All members may be used from any thread.
///
/// It is an `NSObject`, as `UIDevice` is: until Swift 6.2 the notification center on Linux knows no
/// other object again, and calls no observer that asked for the posts of one.
public final class MotionDevice: NSObject, Sendable {
  /// The device that the process's hub, `MotionHub.shared`, reads.
  public static let current = MotionDevice(.shared)

  /// `orientation` has changed.
  public static let orientationDidChangeNotification = Notification.Name(
    "UIDeviceOrientationDidChangeNotification")
  /// A shake has begun, as UIKit tells responders by `motionBegan(_:with:)`.
  public static let motionBeganNotification = Notification.Name("MotionDeviceMotionBegan")
  /// The shake was over soon: `motionEnded(_:with:)`.
  public static let motionEndedNotification = Notification.Name("MotionDeviceMotionEnded")
  /// The movement went on for too long to be a shake, or was interrupted:
  /// `motionCancelled(_:with:)`.
  public static let motionCancelledNotification = Notification.Name("MotionDeviceMotionCancelled")

  private let hub: MotionHub
  private let orientations = CountedListening()
  private let shakes = CountedListening()
  private let newest = Mutex(DeviceOrientation.unknown)

  /// Creates the device that `hub` reads.
  public init(_ hub: MotionHub) { self.hub = hub }

  // MARK: Orientation

  /// The side that is up; `unknown` before any call for notifications, before the first sample, and
  /// where there is no accelerometer.
  public var orientation: DeviceOrientation { newest.withLock { $0 } }

  public var isGeneratingDeviceOrientationNotifications: Bool { orientations.isWanted }

  /// Begins to follow the orientation and to post `orientationDidChangeNotification`. Calls nest:
  /// posting goes on until there are as many ends. While the board cannot be opened the log says
  /// why; posting begins when it can.
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

  /// Takes back one begin. More ends than begins do nothing.
  public func endGeneratingDeviceOrientationNotifications() {
    orientations.end { newest.withLock { $0 = .unknown } }
  }

  // MARK: Shake

  public var isGeneratingShakeNotifications: Bool { shakes.isWanted }

  /// Begins to post the notifications of shakes. Calls nest. While the board cannot be opened the
  /// log says why; posting begins when it can.
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

  /// Takes back one begin. More ends than begins do nothing.
  public func endGeneratingShakeNotifications() { shakes.end {} }

  private func post(_ name: Notification.Name, if listening: CountedListening) {
    OperationQueue.main.addOperation { [self] in
      // It may have been ended while this was waiting.
      guard listening.isWanted else { return }
      NotificationCenter.default.post(name: name, object: self)
    }
  }
}

/// Listens from the first begin to the last end.
private final class CountedListening: Sendable {
  private struct State: Sendable {
    var count = 0
    var held: PatientListening?
  }
  /// Held while the board is opened, but not while waiting for a receiver: it may ask for this.
  private let state = Mutex(State())

  var isWanted: Bool { state.withLock { $0.count > 0 } }

  func begin(_ hub: MotionHub, _ makeReceiver: () -> any MotionReceiver) {
    state.withLock { state in
      state.count += 1
      let held: PatientListening
      if let going = state.held {
        held = going
      } else {
        // The hub does not keep its receivers alive; this does.
        let receiver = makeReceiver()
        held = PatientListening { () throws(SessionError) in
          try hub.listen(receiver, needing: .acceleration)
        }
        state.held = held
      }
      if let error = held.begin() {
        logger.warning("no orientation and no shakes: \(error.description)")
      }
    }
  }

  func end(_ finish: () -> Void) {
    let ended = state.withLock { state -> PatientListening? in
      guard state.count > 0 else { return nil }
      state.count -= 1
      guard state.count == 0 else { return nil }
      defer { state.held = nil }
      return state.held
    }
    guard let ended else { return }
    ended.stop()
    state.withLock { state in
      // Begun again meanwhile, it is up to that.
      if state.count == 0 { finish() }
    }
  }
}

private let logger = Logger(label: "otolith")
