// SPDX-License-Identifier: Apache-2.0

/// A change of the device's altitude since the start of updates.
open class CMAltitudeData: CMLogItem {
  private let metres: Double
  private let kilopascals: Double

  /// The altitude in metres relative to the first update, which is 0.
  open var relativeAltitude: NSNumber { NSNumber(value: metres) }

  /// The air pressure in kPa.
  open var pressure: NSNumber { NSNumber(value: kilopascals) }

  public override init() {
    metres = 0
    kilopascals = 0
    super.init()
  }

  /// Creates an altitude in metres with its pressure in kPa.
  package init(metres: Double, kilopascals: Double, timestamp: TimeInterval) {
    self.metres = metres
    self.kilopascals = kilopascals
    super.init(timestamp: timestamp)
  }

  /// A description with the relative altitude in metres, the pressure in kPa and the time.
  open override var description: String {
    "relativeAltitude \(text(metres)) pressure \(text(kilopascals)) @ \(text(timestamp))"
  }

  public required init?(coder: NSCoder) {
    guard let metres = coder.decodeNumber(forKey: "relativeAltitude"),
      let kilopascals = coder.decodeNumber(forKey: "pressure")
    else { return nil }
    self.metres = metres
    self.kilopascals = kilopascals
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(metres, forKey: "relativeAltitude")
    coder.encode(kilopascals, forKey: "pressure")
  }
}
