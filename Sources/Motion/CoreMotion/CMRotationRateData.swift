// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// A rotation rate, from the research interface.
open class CMRotationRateData: CMLogItem {
  private let value: Vector3

  /// The rotation rate in rad/s about the device's axes, right-handed.
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

/// A recorded rotation rate.
open class CMRecordedRotationRateData: CMRotationRateData {
  private let start: Date

  /// The wall-clock time of the measurement.
  open var startDate: Date { start }

  public override init() {
    start = .unset
    super.init()
  }

  package init(_ value: Vector3, startDate: Date, timestamp: TimeInterval) {
    start = startDate
    super.init(value, timestamp: timestamp)
  }

  /// A description with the vector and both times.
  open override var description: String { "\(super.description) startDate \(startDate)" }

  public required init?(coder: NSCoder) {
    guard let start = coder.decodeNumber(forKey: "startDate") else { return nil }
    self.start = Date(timeIntervalSinceReferenceDate: start)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(start.timeIntervalSinceReferenceDate, forKey: "startDate")
  }
}
