// SPDX-License-Identifier: Apache-2.0
package import Otolith
internal import Synchronization

/// A hard fall of the device's bearer.
open class CMFallDetectionEvent: NSObject, NSSecureCoding, NSCopying {
  /// The bearer's answer when asked.
  public enum UserResolution: Int, Sendable, BitwiseCopyable {
    case confirmed = 0
    /// No help was needed.
    case dismissed = 1
    /// There was no fall.
    case rejected = 2
    case unresponsive = 3
  }

  package struct State: Codable, Sendable {
    package var date: Date
    @ByRawValue package var resolution: UserResolution

    package init(date: Date, resolution: UserResolution) {
      self.date = date
      self.resolution = resolution
    }
  }

  private let state: State

  /// The time of the fall, by the wall clock.
  open var date: Date { state.date }

  open var resolution: UserResolution { state.resolution }

  // There is no public init() for a fall: none is made but by who noticed one.
  package init(_ state: State) {
    self.state = state
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// The date and the answer.
  open override var description: String {
    text("CMFallDetectionEvent", ["date": "\(date)", "resolution": "\(resolution.rawValue)"])
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "fall") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "fall") }

  /// Returns itself: an event does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A delegate that is told of falls. Each method may be left out.
public protocol CMFallDetectionDelegate: NSObjectProtocol {
  /// Reports a fall; `handler` is to be called when it has been dealt with.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void)

  /// Reports a fall; it has been dealt with when this returns. A delegate has this method or the
  /// one above, as Swift shows the same method of Apple's.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async

  /// Reports that `authorizationStatus` has changed.
  func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager)
}

/// A report of a fall that a task makes.
private struct FallReport: @unchecked Sendable {  // made for one task; the method isolates itself
  let delegate: any CMFallDetectionDelegate
  let manager: CMFallDetectionManager
  let event: CMFallDetectionEvent
  let handler: () -> Void

  func make() async {
    await delegate.fallDetectionManager(manager, didDetect: event)
    handler()
  }
}

extension CMFallDetectionDelegate {
  public func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void
  ) {
    let report = FallReport(
      delegate: self, manager: fallDetectionManager, event: event, handler: handler)
    Task { await report.make() }
  }

  public func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async {}

  public func fallDetectionManagerDidChangeAuthorization(
    _ fallDetectionManager: CMFallDetectionManager
  ) {}
}

/// A detector of falls of the device's bearer, by the accelerometer: an aid, and no alarm to rely
/// on.
///
/// There is no screen to ask the bearer on: the answer is what they do in the minute after. Who
/// rises needed no help, who stays down does not respond; the delegate hears of it then.
open class CMFallDetectionManager: NSObject {
  private let hub: MotionHub
  private let stream = UpdateStream<CMFallDetectionEvent>()
  private let watch = Mutex<FallWatch?>(nil)

  public override init() {
    hub = .shared
    super.init()
  }

  /// Creates a detector on another source than the process's own.
  package init(hub: MotionHub) {
    self.hub = hub
    super.init()
  }

  deinit { watch.withLock { $0.take() }?.stop() }

  /// True where the board has an accelerometer.
  open class var isAvailable: Bool {
    MotionHub.shared.presentChannels?.contains(.acceleration) ?? false
  }

  /// The permission of this program to read the board.
  open var authorizationStatus: CMAuthorizationStatus { currentAuthorization() }

  /// The delegate. Setting one begins to watch the bearer, setting `nil` ends it. Its methods are
  /// called on the main queue.
  open weak var delegate: (any CMFallDetectionDelegate)? {
    didSet {
      _ = stream.stop()
      if delegate != nil {
        stream.start(to: .main) { [weak self] event, _ in
          guard let self, let event, let delegate else { return }
          delegate.fallDetectionManager(self, didDetect: event) {}
        }
      }
      let new = delegate == nil ? nil : FallWatch(hub, stream)
      let old = watch.withLock { watch in
        defer { watch = new }
        return watch
      }
      old?.stop()
    }
  }

  /// Finds out whether the board may be opened, and gives `handler` the status, on the main queue;
  /// not determined where there is no board.
  open func requestAuthorization(handler: @escaping (CMAuthorizationStatus) -> Void) {
    // Opening takes its time, and no chip is started for it.
    deliver(on: .serial("otolith.authorization")) { [hub] in
      try? hub.tryOpening()
      let status = currentAuthorization()
      deliver(on: .main) { handler(status) }
    }
  }
}
