// SPDX-License-Identifier: Apache-2.0

/// The device that measured a distance.
public enum CMOdometerOriginDevice: Int, Sendable, BitwiseCopyable {
  case unknown = 0
  /// This device.
  case local = 1
  /// Another device, paired with this one.
  case remote = 2
}

/// A distance travelled, from the research interface. On Linux only tests create distances.
///
/// Distances, speeds and their accuracies are `Double`, as CoreLocation's types are.
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

  /// The time of the position fix.
  open var gpsDate: Date { state.gpsDate }

  /// The distance from `startDate` to `endDate` in metres.
  open var deltaDistance: Double { state.deltaDistance }

  /// The accuracy of the distance in metres.
  open var deltaDistanceAccuracy: Double { state.deltaDistanceAccuracy }

  /// The speed in m/s; invalid if `speedAccuracy` is negative.
  open var speed: Double { state.speed }

  /// The accuracy of the speed in m/s; negative if the speed is invalid.
  open var speedAccuracy: Double { state.speedAccuracy }

  /// The change of altitude from `startDate` to `endDate` in metres.
  open var deltaAltitude: Double { state.deltaAltitude }

  /// The accuracy of the change of altitude in metres.
  open var verticalAccuracy: Double { state.verticalAccuracy }

  open var originDevice: CMOdometerOriginDevice { state.originDevice }

  /// The slope of the ground; `nil` if unknown.
  open var slope: Double? { state.slope }

  /// The steepest slope, up or down; `nil` if unknown.
  open var maxAbsSlope: Double? { state.maxAbsSlope }

  /// Creates data without a distance and without a valid speed.
  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// A description with every value; unknown values are `(null)`.
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

  /// Returns this object: measurements are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
