// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// A measurement with its time.
open class CMLogItem: NSObject, NSSecureCoding, NSCopying {
  private let storedTimestamp: TimeInterval

  /// The time of the measurement, in seconds since boot (CLOCK_MONOTONIC, as
  /// `ProcessInfo.processInfo.systemUptime`).
  open var timestamp: TimeInterval { storedTimestamp }

  public override init() {
    storedTimestamp = 0
    super.init()
  }

  package init(timestamp: TimeInterval) {
    storedTimestamp = timestamp
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let timestamp = coder.decodeNumber(forKey: "timestamp") else { return nil }
    storedTimestamp = timestamp
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(timestamp, forKey: "timestamp") }

  /// Returns this object: measurements are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A description with the time in seconds.
  open override var description: String { "@ \(text(timestamp))" }
}

/// An acceleration as measured, including gravity.
open class CMAccelerometerData: CMLogItem {
  private let value: Vector3

  /// The acceleration in g; flat and face up at rest is (0, 0, -1).
  open var acceleration: CMAcceleration { CMAcceleration(x: value.x, y: value.y, z: value.z) }

  public override init() {
    value = .zero
    super.init()
  }

  package init(_ value: Vector3, timestamp: TimeInterval) {
    self.value = value
    super.init(timestamp: timestamp)
  }

  /// A description with the vector and its time.
  open override var description: String { "\(text(value)) @ \(text(timestamp))" }

  public required init?(coder: NSCoder) {
    guard let value = coder.decodeVector(forKey: "acceleration") else { return nil }
    self.value = value
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(value, forKey: "acceleration")
  }
}

/// A rotation rate as measured, including bias.
open class CMGyroData: CMLogItem {
  private let value: Vector3

  /// The rotation rate in rad/s.
  open var rotationRate: CMRotationRate { CMRotationRate(x: value.x, y: value.y, z: value.z) }

  public override init() {
    value = .zero
    super.init()
  }

  package init(_ value: Vector3, timestamp: TimeInterval) {
    self.value = value
    super.init(timestamp: timestamp)
  }

  /// A description with the vector and its time.
  open override var description: String { "\(text(value)) @ \(text(timestamp))" }

  public required init?(coder: NSCoder) {
    guard let value = coder.decodeVector(forKey: "rotationRate") else { return nil }
    self.value = value
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(value, forKey: "rotationRate")
  }
}

/// A magnetic field as measured, including the device's own field.
open class CMMagnetometerData: CMLogItem {
  private let value: Vector3

  /// The magnetic field in microtesla.
  open var magneticField: CMMagneticField { CMMagneticField(x: value.x, y: value.y, z: value.z) }

  public override init() {
    value = .zero
    super.init()
  }

  package init(_ value: Vector3, timestamp: TimeInterval) {
    self.value = value
    super.init(timestamp: timestamp)
  }

  /// A description with the vector and its time.
  open override var description: String { "\(text(value)) @ \(text(timestamp))" }

  public required init?(coder: NSCoder) {
    guard let value = coder.decodeVector(forKey: "magneticField") else { return nil }
    self.value = value
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(value, forKey: "magneticField")
  }
}
