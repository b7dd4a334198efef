// SPDX-License-Identifier: Apache-2.0

/// The air pressure around the device, from the research interface.
open class CMAmbientPressureData: CMLogItem {
  private let kilopascals: Double
  private let celsius: Double

  /// The pressure in kPa.
  open var pressure: Measurement<UnitPressure> {
    Measurement(value: kilopascals, unit: .kilopascals)
  }

  /// The temperature of the sensor in degrees Celsius.
  open var temperature: Measurement<UnitTemperature> {
    Measurement(value: celsius, unit: .celsius)
  }

  public override init() {
    kilopascals = 0
    celsius = 0
    super.init()
  }

  package init(kilopascals: Double, celsius: Double, timestamp: TimeInterval) {
    self.kilopascals = kilopascals
    self.celsius = celsius
    super.init(timestamp: timestamp)
  }

  /// A description with the pressure in kPa, the temperature in degrees Celsius and the time.
  open override var description: String {
    "pressure \(text(kilopascals)) temperature \(text(celsius)) @ \(text(timestamp))"
  }

  public required init?(coder: NSCoder) {
    guard let kilopascals = coder.decodeNumber(forKey: "pressure"),
      let celsius = coder.decodeNumber(forKey: "temperature")
    else { return nil }
    self.kilopascals = kilopascals
    self.celsius = celsius
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(kilopascals, forKey: "pressure")
    coder.encode(celsius, forKey: "temperature")
  }
}

/// A recorded air pressure.
open class CMRecordedPressureData: CMAmbientPressureData {
  package struct State: Codable, Sendable {
    var identifier: UInt64 = 0
    var startDate = Date.unset
  }

  private let state: State

  /// The number of the sample's batch; later batches have greater numbers.
  open var identifier: UInt64 { state.identifier }

  /// The wall-clock time of the measurement.
  open var startDate: Date { state.startDate }

  public override init() {
    state = State()
    super.init()
  }

  package init(
    kilopascals: Double, celsius: Double, identifier: UInt64, startDate: Date,
    timestamp: TimeInterval
  ) {
    state = State(identifier: identifier, startDate: startDate)
    super.init(kilopascals: kilopascals, celsius: celsius, timestamp: timestamp)
  }

  /// A description with the pressure, the temperature, the batch and both times.
  open override var description: String {
    "\(super.description) identifier \(identifier) startDate \(startDate)"
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "recordedPressure") else { return nil }
    self.state = state
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(state: state, forKey: "recordedPressure")
  }
}
