// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Registers

/// The ends of what a part can be asked for; `nil` where it has no such range.
public struct SettingLimits: Sendable {
  /// The fastest rate, Hz.
  var rate: Scalar
  /// The widest full scales.
  var g: Scalar?
  var degreesPerSecond: Scalar?
  var microtesla: Scalar?
  var lux: Scalar?
  /// The number of its interrupt pins; 0: any pin may be named, and what it is is written back.
  var pins: UInt8
  /// The ways in which samples can leave it, and whether it detects events.
  var ways: DriverAbilities
  var detections: DetectionSet
  /// True where there is a bus behind it.
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
  /// Returns true where rate and ranges are positive and finite and, but for a rounding,
  /// within `limits`, and the pin is one of the part's.
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

  /// Takes away what a part with `limits` does not have.
  mutating func keep(_ limits: SettingLimits) {
    if !limits.ways.contains(DriverAbilities(acquisition)) { acquisition = .polling }
    if limits.ways == .polling { interruptPin = InterruptPin() }
    detection.kinds.formIntersection(limits.detections)
    passesThrough = passesThrough && limits.passesThrough
    keepsLateSamples = keepsLateSamples && acquisition == .dataReady && limits.ways.contains(.fifo)
  }
}
