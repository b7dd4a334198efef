// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Creates ROS 2 messages from samples and motion, with the units and axes of REP 103 and the
/// topics of REP 145.
///
/// Body axes are the board's axes, because ROS prescribes no others for an IMU. A covariance of
/// zeros means that the covariance is unknown; -1 as its first element means that there is no
/// estimate.
package struct ROSEncoder: Sendable {
  /// The names of the board's frame and of the frame to which the board's attitude refers.
  package let frame: String
  package let world: String

  package init(frame: String = "imu_link", world: String = "map") {
    self.frame = frame
    self.world = world
  }

  /// The range of stamps in nanoseconds since 1970. Seconds have 31 bits, and rclpy and MCAP have
  /// no times before 1970. Other times are clamped.
  package static let stamps: ClosedRange<Int64> = 0...2_147_483_647_999_999_999

  /// A message with its topic.
  package typealias Message = (topic: ROSTopic, bytes: [UInt8])

  /// Returns the messages for a sample. `stamp` is the sample's time in nanoseconds since 1970.
  package func messages(_ sample: Sample, stamp: Int64) -> [Message] {
    var messages: [Message] = []
    func has(_ channel: Channel) -> Bool {
      let v = sample[channel]
      return sample.channels.contains(channel) && v.x.isFinite && v.y.isFinite && v.z.isFinite
    }
    func add(_ topic: ROSTopic, _ write: (inout CDRWriter) -> Void) {
      var writer = started(stamp, frame)
      write(&writer)
      messages.append((topic, writer.bytes))
    }
    if has(.acceleration) || has(.rotationRate) {
      add(.rawIMU) {
        $0.write([0, 0, 0, 1] + Self.none)
        $0.write(has(.rotationRate) ? sample.rotationRate.components : [0, 0, 0])
        $0.write(has(.rotationRate) ? Self.unknown : Self.none)
        $0.write(
          has(.acceleration)
            ? (sample.acceleration * ROSUnits.acceleration).components : [0, 0, 0])
        $0.write(has(.acceleration) ? Self.unknown : Self.none)
      }
    }
    if has(.magneticField) {
      add(.magneticField) {
        $0.write((sample.magneticField * ROSUnits.magneticField).components)
        $0.write(Self.unknown)
      }
    }
    for (topic, channel, factor) in Self.scalars where has(channel) {
      add(topic) { $0.write([sample.scalars[channel] * factor, 0]) }
    }
    if has(.proximity) {
      add(.proximity) {
        // For proximity, the message describes an infrared sensor that distinguishes only near and
        // far (REP 117).
        $0.write(UInt8(1))
        for value: Float in [0, 0, 0] { $0.write(value) }
        $0.write(sample.scalars[.proximity] >= ROSUnits.near ? -Float.infinity : .infinity)
        $0.write(Float(0))
      }
    }
    return messages
  }

  /// The topic for a scalar channel, the channel, and the factor to the topic's unit.
  private static let scalars: [(ROSTopic, Channel, Double)] = [
    (.pressure, .pressure, ROSUnits.pressure), (.temperature, .temperature, 1),
    (.humidity, .humidity, ROSUnits.humidity), (.illuminance, .illuminance, 1),
  ]

  /// Returns the messages for a motion: its attitude, and the same attitude as a transform. The
  /// attitude is in the reference frame of `row`, turned to east-north-up if x points north in that
  /// frame. `sigmas` are the standard deviations of tilt and heading in radians and of the
  /// gyroscope's bias in rad/s, `nil` if the deviations are unknown. If the row has a full
  /// covariance, that is used instead.
  package func messages(
    _ row: MotionRow, sigmas: (tilt: Double?, heading: Double?, bias: Double?), isNorth: Bool,
    stamp: Int64
  ) -> [Message] {
    let attitude = row.attitude.map { isNorth ? Self.eastNorthUp * $0 : $0 }
    var imu = started(stamp, frame)
    imu.write((attitude ?? .identity).components)
    imu.write(
      attitude == nil
        ? Self.none
        : row.uncertainty?.attitude.map { Self.terms(isNorth ? Self.turned($0) : $0) }
          ?? Self.diagonal(sigmas.tilt, sigmas.tilt, sigmas.heading))
    imu.write((row.rotationRate ?? .zero).components)
    imu.write(
      row.rotationRate == nil
        ? Self.none : Self.diagonal(sigmas.bias, sigmas.bias, sigmas.bias))
    var force: Vector3?
    if let gravity = row.gravity, let own = row.userAcceleration {
      force = (gravity + own) * ROSUnits.acceleration
    }
    imu.write((force ?? .zero).components)
    imu.write(force == nil ? Self.none : Self.unknown)
    guard let attitude else { return [(.imu, imu.bytes)] }
    var transform = CDRWriter()
    transform.write(UInt32(1))
    start(&transform, stamp, world)
    transform.write(frame)
    transform.write([0, 0, 0] + attitude.components)
    return [(.imu, imu.bytes), (.transform, transform.bytes)]
  }

  /// The status of a chip or another part of the source, for diagnostics.
  package struct Status: Sendable {
    /// The severity in the message DiagnosticStatus.
    package enum Level: UInt8, Sendable {
      case ok, warning, error, stale
    }

    package var level: Level
    package var name: String
    package var message: String
    package var hardware: String
    package var values: [(key: String, value: String)]

    package init(
      level: Level, name: String, message: String, hardware: String,
      values: [(key: String, value: String)]
    ) {
      self.level = level
      self.name = name
      self.message = message
      self.hardware = hardware
      self.values = values
    }
  }

  package func message(_ parts: [Status], stamp: Int64) -> Message {
    var writer = started(stamp, "")
    writer.write(UInt32(parts.count))
    for part in parts {
      writer.write(part.level.rawValue)
      for text in [part.name, part.message, part.hardware] { writer.write(text) }
      writer.write(UInt32(part.values.count))
      for (key, value) in part.values {
        writer.write(key)
        writer.write(value)
      }
    }
    return (.diagnostics, writer.bytes)
  }

  private func started(_ stamp: Int64, _ frame: String) -> CDRWriter {
    var writer = CDRWriter()
    start(&writer, stamp, frame)
    return writer
  }

  /// Writes a std_msgs/Header.
  private func start(_ writer: inout CDRWriter, _ stamp: Int64, _ frame: String) {
    let stamp = min(max(stamp, Self.stamps.lowerBound), Self.stamps.upperBound)
    let (seconds, nanoseconds) = stamp.quotientAndRemainder(dividingBy: 1_000_000_000)
    writer.write(Int32(clamping: seconds))
    writer.write(UInt32(clamping: nanoseconds))
    writer.write(frame)
  }

  private static let unknown = [Double](repeating: 0, count: 9)
  private static let none = [-1.0] + [Double](repeating: 0, count: 8)
  /// A quarter turn that moves north from x to y.
  private static let eastNorthUp = Quaternion(angle: .pi / 2, axis: Vector3(0, 0, 1))

  /// Returns the covariance of an attitude after the quarter turn that moves north from x to y.
  private static func turned(_ covariance: Matrix3) -> Matrix3 {
    let turn = eastNorthUp.rotationMatrix
    return turn * covariance * turn.transposed
  }

  private static func terms(_ m: Matrix3) -> [Double] {
    [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
  }

  /// Returns the covariance for standard deviations; all zero if one of the deviations is unknown.
  private static func diagonal(_ x: Double?, _ y: Double?, _ z: Double?) -> [Double] {
    guard let x, let y, let z else { return unknown }
    return [x * x, 0, 0, 0, y * y, 0, 0, 0, z * z]
  }
}

extension Vector3 {
  fileprivate var components: [Double] { [x, y, z] }
}

extension Quaternion {
  /// The components of the quaternion in the order of ROS.
  fileprivate var components: [Double] { [x, y, z, w] }
}
