// SPDX-License-Identifier: Apache-2.0
package import Otolith
internal import Recognition

/// A hard fall by the person who carries the device.
open class CMFallDetectionEvent: NSObject, NSSecureCoding, NSCopying {
  /// The person's answer to the question after a fall.
  public enum UserResolution: Int, Sendable, BitwiseCopyable {
    case confirmed = 0
    /// The person fell, and needs no help.
    case dismissed = 1
    /// The person did not fall.
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

  /// The wall-clock time of the fall.
  open var date: Date { state.date }

  open var resolution: UserResolution { state.resolution }

  // There is no public `init()`, because only the detector creates falls.
  package init(_ state: State) {
    self.state = state
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// A description with the date and the answer.
  open override var description: String {
    text("CMFallDetectionEvent", ["date": "\(date)", "resolution": "\(resolution.rawValue)"])
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "fall") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "fall") }

  /// Returns this object: events are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A delegate for detected falls. All methods are optional.
public protocol CMFallDetectionDelegate: NSObjectProtocol {
  /// Reports a fall; call `handler` after handling it.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void)

  /// Reports a fall, which counts as handled when this method returns. A delegate implements either
  /// this method or the one with a completion handler, because Swift imports Apple's method in both
  /// forms.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async

  /// Reports a change of `authorizationStatus`.
  func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager)
}

/// A call of the delegate's asynchronous method, made by a task.
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

/// A fall detector that uses the accelerometer: an aid, not an alarm to rely on.
///
/// There is no screen on which to ask the person, so the resolution is derived from the minute
/// after the fall: a person who gets up needed no help, and a person who stays down does not
/// respond. The delegate is called after that minute.
open class CMFallDetectionManager: NSObject {
  private let hub: MotionHub
  private let stream = UpdateStream<CMFallDetectionEvent>()

  public override init() {
    hub = .shared
    super.init()
  }

  /// Creates a detector for a source other than the process's shared one.
  package init(hub: MotionHub) {
    self.hub = hub
    super.init()
  }

  deinit { stream.stop() }

  /// True if the board has an accelerometer.
  open class var isAvailable: Bool {
    MotionHub.shared.presentChannels?.contains(.acceleration) ?? false
  }

  /// This program's permission to read the board.
  open var authorizationStatus: CMAuthorizationStatus { currentAuthorization() }

  /// The delegate. Setting one starts detection, setting `nil` stops it. Its methods are called on
  /// the main queue.
  open weak var delegate: (any CMFallDetectionDelegate)? {
    didSet {
      guard delegate != nil else {
        stream.stop()
        return
      }
      let handler: (CMFallDetectionEvent?, (any Error)?) -> Void = { [weak self] event, _ in
        guard let self, let event, let delegate else { return }
        delegate.fallDetectionManager(self, didDetect: event) {}
      }
      stream.start(to: .main, handler) { [hub] sink in
        let receiver = RecognitionReceiver(FallOutcomes()) { fall, age in
          let resolution: CMFallDetectionEvent.UserResolution =
            fall.aftermath == .roseAgain ? .dismissed : .unresponsive
          let date = PedometerStore(hub).now - age
          sink(CMFallDetectionEvent(.init(date: date, resolution: resolution)), nil)
        }
        let listening = RetriedListening { () throws(SessionError) -> Listening in
          try hub.listen(receiver, needing: .acceleration)
        }
        _ = listening.begin()
        return { listening.stop() }
      }
    }
  }

  /// Tests whether the board can be opened, and passes the status to `handler` on the main queue.
  /// The status is not determined if there is no board.
  open func requestAuthorization(handler: @escaping (CMAuthorizationStatus) -> Void) {
    // Use another queue, because opening the board takes time. No chip is started.
    deliver(on: .serial("otolith.authorization")) { [hub] in
      try? hub.tryOpening()
      let status = currentAuthorization()
      deliver(on: .main) { handler(status) }
    }
  }
}

/// Recognises falls and returns each fall once, when its outcome is known, with the number of
/// seconds since the fall.
private struct FallOutcomes: SampleRecognition {
  private var recognition = FallRecognition()
  /// The time of the last fall while its outcome is still unknown.
  private var impact: Timestamp?

  static var channels: ChannelSet { FallRecognition.channels }

  mutating func update(_ sample: Sample) -> (fall: Fall, age: Double)? {
    guard let fall = recognition.update(sample) else { return nil }
    guard fall.timestamp == impact else {
      impact = fall.timestamp
      return nil
    }
    impact = nil
    return (fall, (sample.timestamp - fall.timestamp).seconds)
  }
}
