// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A topic of a recording for ROS 2, with the names of REP 145.
package enum ROSTopic: UInt16, CaseIterable, Sendable {
  /// The results of fusion: attitude, rotation rate without bias, and acceleration.
  case imu = 1
  /// The samples of accelerometer and gyroscope.
  case rawIMU
  case magneticField
  case pressure
  case temperature
  case humidity
  case illuminance
  case proximity
  case transform
  case diagnostics

  package var name: String { row.name }
  package var message: ROSMessage { row.message }

  /// Returns the topics for a source that samples `channels`.
  package static func all(of channels: ChannelSet) -> [ROSTopic] {
    allCases.filter { topic in
      switch topic {
      case .imu, .rawIMU, .transform:
        channels.contains(.acceleration) || channels.contains(.rotationRate)
      case .magneticField: channels.contains(.magneticField)
      case .pressure: channels.contains(.pressure)
      case .temperature: channels.contains(.temperature)
      case .humidity: channels.contains(.humidity)
      case .illuminance: channels.contains(.illuminance)
      case .proximity: channels.contains(.proximity)
      case .diagnostics: true
      }
    }
  }

  /// Returns the topics for a chip that samples `channels`.
  static func measured(of channels: ChannelSet) -> [ROSTopic] {
    all(of: channels).filter { $0 != .imu && $0 != .transform && $0 != .diagnostics }
  }

  private var row: (name: String, message: ROSMessage) {
    switch self {
    case .imu: ("/imu/data", .imu)
    case .rawIMU: ("/imu/data_raw", .imu)
    case .magneticField: ("/imu/mag", .magneticField)
    case .pressure: ("/pressure", .fluidPressure)
    case .temperature: ("/temperature", .temperature)
    case .humidity: ("/humidity", .relativeHumidity)
    case .illuminance: ("/illuminance", .illuminance)
    case .proximity: ("/proximity", .range)
    case .transform: ("/tf", .tf)
    case .diagnostics: ("/diagnostics", .diagnosticArray)
    }
  }
}
