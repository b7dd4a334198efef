// SPDX-License-Identifier: Apache-2.0

/// The device that measured a distance.
public enum CMOdometerOriginDevice: Int, Sendable, BitwiseCopyable {
  case unknown = 0
  /// This device.
  case local = 1
  /// Another device that is paired with it.
  case remote = 2
}

/// A distance covered, as research programs get it. Nothing on Linux makes these: tests do.
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

  /// The time when the position was fixed.
  open var gpsDate: Date { state.gpsDate }

  /// The distance from `startDate` to `endDate`, metres.
  open var deltaDistance: Double { state.deltaDistance }

  /// The accuracy of the distance, metres.
  open var deltaDistanceAccuracy: Double { state.deltaDistanceAccuracy }

  /// The speed in m/s; not valid where `speedAccuracy` is negative.
  open var speed: Double { state.speed }

  /// The accuracy of the speed, m/s; negative where the speed is not valid.
  open var speedAccuracy: Double { state.speedAccuracy }

  /// The rise from `startDate` to `endDate`, metres.
  open var deltaAltitude: Double { state.deltaAltitude }

  /// The accuracy of the rise, metres.
  open var verticalAccuracy: Double { state.verticalAccuracy }

  open var originDevice: CMOdometerOriginDevice { state.originDevice }

  /// The ground's slope; `nil` where it is not known.
  open var slope: Double? { state.slope }

  /// The steepest slope, up or down; `nil` where it is not known.
  open var maxAbsSlope: Double? { state.maxAbsSlope }

  /// Creates no distance, and no valid speed.
  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// Every value; `(null)` for what is not known.
  open override var description: String {
    text(
      "CMOdometerData",
      [
        "startDate": "\(startDate)", "endDate": "\(endDate)", "gpsDate": "\(gpsDate)",
        "deltaDistance": text(deltaDistance),
        "deltaDistanceAccuracy": text(deltaDistanceAccuracy), "speed": text(speed),
        "speedAccuracy": text(speedAccuracy), "deltaAltitude": text(deltaAltitude),
        "verticalAccuracy": text(verticalAccuracy), "originDevice": "\(originDevice.rawValue)",
        "slope": text(slope), "maxAbsSlope": text(maxAbsSlope),
      ])
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "odometer") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "odometer") }

  /// Returns itself: a measurement does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
