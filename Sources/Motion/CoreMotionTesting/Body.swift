// SPDX-License-Identifier: Apache-2.0
public import CoreMotion

extension CMFallDetectionEvent {
  public convenience init(date: Date, resolution: UserResolution) {
    self.init(State(date: date, resolution: resolution))
  }
}

extension CMWaterSubmersionEvent {
  public convenience init(date: Date, state: State) {
    var values = Values()
    values.date = date
    values.state = state
    self.init(values)
  }
}

extension CMWaterSubmersionMeasurement {
  /// Creates a measurement from any units; the values are stored in metres and kPa. `depth` is
  /// positive below the surface; `depth` and `pressure` are `nil` above the surface.
  public convenience init(
    date: Date, depth: Measurement<UnitLength>?, pressure: Measurement<UnitPressure>?,
    surfacePressure: Measurement<UnitPressure>, submersionState: DepthState
  ) {
    var values = Values()
    values.date = date
    values.metres = depth?.converted(to: .meters).value
    values.kilopascals = pressure?.converted(to: .kilopascals).value
    values.surfaceKilopascals = surfacePressure.converted(to: .kilopascals).value
    values.state = submersionState
    self.init(values)
  }
}

extension CMWaterTemperature {
  /// Creates a water temperature. `temperature` is in any unit, `uncertainty` in degrees Celsius.
  public convenience init(
    date: Date, temperature: Measurement<UnitTemperature>, uncertainty: Double
  ) {
    var values = Values()
    values.date = date
    values.celsius = temperature.converted(to: .celsius).value
    values.uncertainty = uncertainty
    self.init(values)
  }
}

extension CMTremorResult {
  /// Creates a result from fractions, which should add up to 1.
  public convenience init(
    startDate: Date, endDate: Date, unknown: Float = 0, none: Float = 0, slight: Float = 0,
    mild: Float = 0, moderate: Float = 0, strong: Float = 0
  ) {
    var state = State()
    state.startDate = startDate
    state.endDate = endDate
    state.unknown = unknown
    state.none = none
    state.slight = slight
    state.mild = mild
    state.moderate = moderate
    state.strong = strong
    self.init(state)
  }
}

extension CMDyskineticSymptomResult {
  /// Creates a result from fractions, which should add up to 1.
  public convenience init(startDate: Date, endDate: Date, unlikely: Float, likely: Float) {
    var state = State()
    state.startDate = startDate
    state.endDate = endDate
    state.unlikely = unlikely
    state.likely = likely
    self.init(state)
  }
}
