// SPDX-License-Identifier: Apache-2.0

/// An altitude of the device above sea level.
open class CMAbsoluteAltitudeData: CMLogItem {
  private let metres: Double
  private let possibleError: Double
  private let noise: Double

  /// The altitude in metres; negative below sea level.
  open var altitude: Double { metres }

  /// The total uncertainty of the altitude in metres: one standard deviation.
  open var accuracy: Double { possibleError }

  /// The noise of the altitude in metres: one standard deviation.
  open var precision: Double { noise }

  public override init() {
    metres = 0
    possibleError = 0
    noise = 0
    super.init()
  }

  /// Creates an altitude; `metres`, `accuracy` and `precision` are in metres, `timestamp` is in
  /// seconds.
  package init(metres: Double, accuracy: Double, precision: Double, timestamp: TimeInterval) {
    self.metres = metres
    possibleError = accuracy
    noise = precision
    super.init(timestamp: timestamp)
  }

  /// A description with the altitude, its accuracy and precision in metres, and the time.
  open override var description: String {
    "altitude \(text(metres)) accuracy \(text(possibleError)) precision \(text(noise)) "
      + "@ \(text(timestamp))"
  }

  public required init?(coder: NSCoder) {
    guard let metres = coder.decodeNumber(forKey: "altitude"),
      let possibleError = coder.decodeNumber(forKey: "accuracy"),
      let noise = coder.decodeNumber(forKey: "precision")
    else { return nil }
    self.metres = metres
    self.possibleError = possibleError
    self.noise = noise
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(metres, forKey: "altitude")
    coder.encode(possibleError, forKey: "accuracy")
    coder.encode(noise, forKey: "precision")
  }
}
