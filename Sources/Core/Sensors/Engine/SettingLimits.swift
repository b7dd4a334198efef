// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Registers

/// The limits of a part's settings. A range that the part does not have is `nil`.
public struct SettingLimits: Sendable {
  /// The fastest rate in Hz.
  var rate: Scalar
  /// The part's widest full scales in g, degrees per second and microtesla.
  var g: Scalar?
  var degreesPerSecond: Scalar?
  var microtesla: Scalar?
  var lux: Scalar?
  /// The number of interrupt pins; 0 if any pin may be requested and the driver returns the actual
  /// pin.
  var pins: UInt8
  /// The acquisition modes and the detections that the part supports.
  var ways: DriverAbilities
  var detections: DetectionSet
  /// True if the part has an auxiliary bus.
  var passesThrough: Bool

  package init(
    rate: Scalar, g: Scalar? = nil, degreesPerSecond: Scalar? = nil, microtesla: Scalar? = nil,
    lux: Scalar? = nil, pins: UInt8 = 0, ways: DriverAbilities, detections: DetectionSet = [],
    passesThrough: Bool = false
  ) {
    self.rate = rate
    self.g = g
    self.degreesPerSecond = degreesPerSecond
    self.microtesla = microtesla
    self.lux = lux
    self.pins = pins
    self.ways = ways
    self.detections = detections
    self.passesThrough = passesThrough
  }
}

extension SensorSettings {
  /// Returns true if the rate and the ranges are positive, finite and, apart from rounding, within
  /// `limits`, and if the part has the interrupt pin.
  func isWithin(_ limits: SettingLimits) -> Bool {
    func isWithin(_ value: Scalar, _ limit: Scalar?) -> Bool {
      limit.map { value > 0 && value <= $0 * 1.001 } ?? true
    }
    return isWithin(rate, limits.rate) && isWithin(accelerationRange, limits.g)
      && isWithin(rotationRateRange, limits.degreesPerSecond.map { radians(fromDegrees: $0) })
      && isWithin(magneticFieldRange, limits.microtesla) && isWithin(illuminanceRange, limits.lux)
      && (bandwidth ?? 0) >= 0
      && (limits.pins == 0 || (1...limits.pins).contains(interruptPin.number))
  }

  /// Removes settings that a part with `limits` does not support.
  mutating func keep(_ limits: SettingLimits) {
    if !limits.ways.contains(DriverAbilities(acquisition)) { acquisition = .polling }
    if limits.ways == .polling { interruptPin = InterruptPin() }
    detection.kinds.formIntersection(limits.detections)
    passesThrough = passesThrough && limits.passesThrough
    keepsLateSamples = keepsLateSamples && acquisition == .dataReady && limits.ways.contains(.fifo)
  }
}
