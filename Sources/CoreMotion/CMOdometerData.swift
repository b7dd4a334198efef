// SPDX-License-Identifier: Apache-2.0

/// Which device measured a distance.
public enum CMOdometerOriginDevice: Int, Sendable, BitwiseCopyable {
  case unknown = 0
  /// This one.
  case local = 1
  /// Another one that is paired with it.
  case remote = 2
}

/// A distance covered, as research programs are given it. Nothing on Linux makes these: tests do.
///
/// Distances, speeds and their accuracies are `Double`, as CoreLocation's names for them are.
open class CMOdometerData: NSObject, NSSecureCoding, NSCopying {
  package struct State: Codable, Sendable {
    package var startDate = Date.unset
    package var endDate = Date.unset
    package var gpsDate = Date.unset
    package var deltaDistance = 0.0
    package var deltaDistanceAccuracy = 0.0
    package var speed = 0.0
    package var speedAccuracy = -1.0
    package var deltaAltitude = 0.0
    package var verticalAccuracy = 0.0
    @ByRawValue package var originDevice = CMOdometerOriginDevice.unknown
    package var slope: Double?
    package var maxAbsSlope: Double?

    package init() {}
  }

  private let state: State

  open var startDate: Date { state.startDate }

  open var endDate: Date { state.endDate }

  /// When the position was fixed.
  open var gpsDate: Date { state.gpsDate }

  /// Metres from `startDate` to `endDate`.
  open var deltaDistance: Double { state.deltaDistance }

  /// Metres.
  open var deltaDistanceAccuracy: Double { state.deltaDistanceAccuracy }

  /// m/s; not valid where `speedAccuracy` is negative.
  open var speed: Double { state.speed }

  /// m/s; negative: the speed is not valid.
  open var speedAccuracy: Double { state.speedAccuracy }

  /// Metres up from `startDate` to `endDate`.
  open var deltaAltitude: Double { state.deltaAltitude }

  /// Metres.
  open var verticalAccuracy: Double { state.verticalAccuracy }

  open var originDevice: CMOdometerOriginDevice { state.originDevice }

  /// The ground's; `nil` where it is not known.
  open var slope: Double? { state.slope }

  /// The steepest, up or down; `nil` where it is not known.
  open var maxAbsSlope: Double? { state.maxAbsSlope }

  /// No distance, and no valid speed.
  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "odometer") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "odometer") }

  /// Itself: what was measured does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
