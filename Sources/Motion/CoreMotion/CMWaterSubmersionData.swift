// SPDX-License-Identifier: Apache-2.0

/// The start or end of a submersion of the device.
open class CMWaterSubmersionEvent: NSObject, NSSecureCoding, NSCopying {
  public enum State: Int, Sendable, BitwiseCopyable {
    case unknown = 0
    case notSubmerged = 1
    case submerged = 2
  }

  package struct Values: Codable, Sendable {
    package var date = Date.unset
    @ByRawValue package var state = State.unknown

    package init() {}
  }

  private let values: Values

  /// The wall-clock time of the event.
  open var date: Date { values.date }

  open var state: State { values.state }

  public override init() {
    values = Values()
    super.init()
  }

  package init(_ values: Values) {
    self.values = values
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// A description with the date and the state.
  open override var description: String {
    text("CMWaterSubmersionEvent", ["date": "\(date)", "state": "\(state.rawValue)"])
  }

  public required init?(coder: NSCoder) {
    guard let values = coder.decodeState(Values.self, forKey: "submersion") else { return nil }
    self.values = values
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: values, forKey: "submersion") }

  /// Returns this object: events are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The depth of the device.
open class CMWaterSubmersionMeasurement: NSObject, NSSecureCoding, NSCopying {
  /// The depth compared with the device's limits.
  public enum DepthState: Int, Sendable, BitwiseCopyable {
    case unknown = 0
    case notSubmerged = 100
    case submergedShallow = 200
    case submergedDeep = 300
    case approachingMaxDepth = 400
    case pastMaxDepth = 500
    case sensorDepthError = 600
  }

  package struct Values: Codable, Sendable {
    package var date = Date.unset
    package var metres: Double?
    package var kilopascals: Double?
    package var surfaceKilopascals = 0.0
    @ByRawValue package var state = DepthState.unknown

    package init() {}
  }

  private let values: Values

  /// The wall-clock time of the measurement.
  open var date: Date { values.date }

  /// The depth in metres below the surface, positive; `nil` above the surface or if the sensor
  /// fails.
  open var depth: Measurement<UnitLength>? {
    values.metres.map { Measurement(value: $0, unit: .meters) }
  }

  /// The water pressure in kPa; `nil` above the surface or if the sensor fails.
  open var pressure: Measurement<UnitPressure>? {
    values.kilopascals.map { Measurement(value: $0, unit: .kilopascals) }
  }

  /// The air pressure at the surface in kPa.
  open var surfacePressure: Measurement<UnitPressure> {
    Measurement(value: values.surfaceKilopascals, unit: .kilopascals)
  }

  open var submersionState: DepthState { values.state }

  public override init() {
    values = Values()
    super.init()
  }

  package init(_ values: Values) {
    self.values = values
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// A description with every value, in metres and kPa; unknown values are `(null)`.
  open override var description: String {
    text(
      "CMWaterSubmersionMeasurement",
      [
        "date": "\(date)", "depth": text(values.metres), "pressure": text(values.kilopascals),
        "surfacePressure": text(values.surfaceKilopascals),
        "submersionState": "\(submersionState.rawValue)",
      ])
  }

  public required init?(coder: NSCoder) {
    guard let values = coder.decodeState(Values.self, forKey: "depth") else { return nil }
    self.values = values
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: values, forKey: "depth") }

  /// Returns this object: measurements are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The water temperature.
open class CMWaterTemperature: NSObject, NSSecureCoding, NSCopying {
  package struct Values: Codable, Sendable {
    package var date = Date.unset
    package var celsius = 0.0
    package var uncertainty = 0.0

    package init() {}
  }

  private let values: Values

  /// The wall-clock time of the measurement.
  open var date: Date { values.date }

  /// The temperature in degrees Celsius.
  open var temperature: Measurement<UnitTemperature> {
    Measurement(value: values.celsius, unit: .celsius)
  }

  /// The uncertainty in degrees Celsius. The value is a difference, not a temperature, so
  /// conversion to another unit gives a wrong value.
  open var temperatureUncertainty: Measurement<UnitTemperature> {
    Measurement(value: values.uncertainty, unit: .celsius)
  }

  public override init() {
    values = Values()
    super.init()
  }

  package init(_ values: Values) {
    self.values = values
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// A description with every value, in degrees Celsius.
  open override var description: String {
    text(
      "CMWaterTemperature",
      [
        "date": "\(date)", "temperature": text(values.celsius),
        "temperatureUncertainty": text(values.uncertainty),
      ])
  }

  public required init?(coder: NSCoder) {
    guard let values = coder.decodeState(Values.self, forKey: "temperature") else { return nil }
    self.values = values
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: values, forKey: "temperature") }

  /// Returns this object: measurements are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
