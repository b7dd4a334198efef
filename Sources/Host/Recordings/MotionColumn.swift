// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The value of a cell in a row of motion; its payload is `nil` if the value is not available.
enum MotionValue {
  case time(Timestamp)
  case number(Double?)
  case integer(Int?)
  case text(String?)
}

/// A column of motion: its name in both formats, its unit for people, and the source of its value.
struct MotionColumn: Sendable {
  let name: String
  let unit: String
  let value: @Sendable (MotionRow, EulerAngles?) -> MotionValue

  /// All columns in order. CSV, JSON and the documentation are made from this table.
  static let all: [MotionColumn] =
    [MotionColumn("timestamp", "s") { row, _ in .time(row.timestamp) }]
    + [
      MotionColumn("attitude.x", "") { row, _ in .number(row.attitude?.x) },
      MotionColumn("attitude.y", "") { row, _ in .number(row.attitude?.y) },
      MotionColumn("attitude.z", "") { row, _ in .number(row.attitude?.z) },
      MotionColumn("attitude.w", "") { row, _ in .number(row.attitude?.w) },
      MotionColumn("roll", "rad") { _, angles in .number(angles?.roll) },
      MotionColumn("pitch", "rad") { _, angles in .number(angles?.pitch) },
      MotionColumn("yaw", "rad") { _, angles in .number(angles?.yaw) },
    ]
    + vector("rotationRate", "rad/s") { $0.rotationRate }
    + vector("gravity", "g") { $0.gravity }
    + vector("userAcceleration", "g") { $0.userAcceleration }
    + vector("magneticField", "uT") { $0.magneticField }
    + [
      MotionColumn("magneticField.accuracy", "-1 ... 2") { row, _ in
        .integer(row.magneticFieldAccuracy)
      },
      MotionColumn("heading", "deg") { row, _ in .number(row.heading) },
      MotionColumn("pressure", "kPa") { row, _ in .number(row.pressure) },
      MotionColumn("relativeAltitude", "m") { row, _ in .number(row.relativeAltitude) },
      MotionColumn("numberOfSteps", "") { row, _ in .integer(row.numberOfSteps) },
      MotionColumn("distance", "m") { row, _ in .number(row.distance) },
      MotionColumn("currentCadence", "1/s") { row, _ in .number(row.currentCadence) },
      MotionColumn("currentPace", "s/m") { row, _ in .number(row.currentPace) },
      MotionColumn("floorsAscended", "") { row, _ in .integer(row.floorsAscended) },
      MotionColumn("floorsDescended", "") { row, _ in .integer(row.floorsDescended) },
      MotionColumn("activity", "") { row, _ in .text(row.activity) },
      MotionColumn("activityConfidence", "0 ... 2") { row, _ in .integer(row.activityConfidence) },
    ]

  /// The columns after the columns of motion, for channels that are not part of motion. A file has
  /// such a column only if the source samples the channel.
  static let auxiliary: [(channel: Channel, column: MotionColumn)] = Channel.allCases
    .filter { $0.row.isAuxiliary }.map { channel in
      (
        channel,
        MotionColumn("\(channel.row.name)", "\(channel.row.unit)") { row, _ in
          .number(row.auxiliaryChannels.contains(channel) ? row.auxiliary[channel] : nil)
        }
      )
    }

  /// The columns at the end of a row, in files with uncertainties.
  static let uncertainty: [MotionColumn] = [
    covariance("xx") { $0.m11 }, covariance("xy") { $0.m12 }, covariance("xz") { $0.m13 },
    covariance("yy") { $0.m22 }, covariance("yz") { $0.m23 }, covariance("zz") { $0.m33 },
    MotionColumn("gyroBiasSigma", "rad/s") { row, _ in .number(row.uncertainty?.gyroBiasSigma) },
    MotionColumn("faults", "") { row, _ in .text(row.uncertainty?.faults) },
    MotionColumn("coasting", "0, 1") { row, _ in
      .integer(row.uncertainty.map { $0.isCoasting ? 1 : 0 })
    },
  ]

  /// Returns all columns for a source that samples `channels`, including the columns of
  /// uncertainties if `isUncertain`.
  static func all(with channels: ChannelSet, isUncertain: Bool = false) -> [MotionColumn] {
    let more = isUncertain ? uncertainty : []
    guard auxiliary.contains(where: { channels.contains($0.channel) }) else {
      return isUncertain ? all + more : all
    }
    return all + auxiliary.filter { channels.contains($0.channel) }.map(\.column) + more
  }

  private init(
    _ name: String, _ unit: String,
    _ value: @escaping @Sendable (MotionRow, EulerAngles?) -> MotionValue
  ) {
    self.name = name
    self.unit = unit
    self.value = value
  }

  private static func covariance(
    _ name: String, _ term: @escaping @Sendable (Matrix3) -> Double
  ) -> MotionColumn {
    MotionColumn("attitudeCovariance.\(name)", "rad^2") { row, _ in
      .number(row.uncertainty?.attitude.map(term))
    }
  }

  private static func vector(
    _ name: String, _ unit: String, _ value: @escaping @Sendable (MotionRow) -> Vector3?
  ) -> [MotionColumn] {
    [
      MotionColumn(name + ".x", unit) { row, _ in .number(value(row)?.x) },
      MotionColumn(name + ".y", unit) { row, _ in .number(value(row)?.y) },
      MotionColumn(name + ".z", unit) { row, _ in .number(value(row)?.z) },
    ]
  }
}
