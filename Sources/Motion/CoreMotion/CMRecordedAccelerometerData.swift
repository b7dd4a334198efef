// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith

/// An acceleration from the recorder's files.
open class CMRecordedAccelerometerData: CMAccelerometerData {
  private let batch: UInt64
  private let date: Date

  /// The number of the sample's batch, which is not less than the batch number of any earlier
  /// sample.
  open var identifier: UInt64 { batch }

  /// The time of the measurement, as the wall clock showed it at that time.
  open var startDate: Date { date }

  public override init() {
    batch = 0
    date = Date(timeIntervalSince1970: 0)
    super.init()
  }

  package init(
    _ value: Vector3, timestamp: TimeInterval, identifier: UInt64, startDate: Date
  ) {
    batch = identifier
    date = startDate
    super.init(value, timestamp: timestamp)
  }

  package convenience init(_ sample: RecordedSample) {
    self.init(
      sample.acceleration, timestamp: sample.timestamp.seconds, identifier: sample.identifier,
      startDate: sample.date)
  }

  /// A description with the vector, the batch and both times.
  open override var description: String {
    "\(super.description) identifier \(identifier) startDate \(startDate)"
  }

  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "identifier"),
      let start = coder.decodeNumber(forKey: "startDate")
    else { return nil }
    batch = UInt64(bitPattern: coder.decodeInt64(forKey: "identifier"))
    date = Date(timeIntervalSinceReferenceDate: start)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(Int64(bitPattern: identifier), forKey: "identifier")
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
  }
}
