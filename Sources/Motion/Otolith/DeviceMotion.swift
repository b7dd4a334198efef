// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The motion of a device at one time in one frame of reference, computed from all sensors. Vectors
/// are in device axes.
public struct DeviceMotion: Equatable, Codable, Sendable {
  /// The time of the motion, on CLOCK_MONOTONIC: the clock of
  /// `ProcessInfo.processInfo.systemUptime`.
  public var timestamp: Timestamp
  /// The same time on the wall clock, according to its setting when the motion was delivered.
  public var date: Date
  /// The rotation of the device relative to `frame`.
  public var attitude: Attitude
  public var frame: ReferenceFrame
  /// The rotation rate in rad/s, corrected for the gyroscope's bias.
  public var rotationRate: Vector3
  /// The gravity vector in g, pointing down.
  public var gravity: Vector3
  /// The acceleration without gravity in g, with Core Motion's sign: a push to the right gives a
  /// negative x at first.
  public var userAcceleration: Vector3
  /// The magnetic field of the surroundings in microtesla.
  public var magneticField: Vector3
  /// The accuracy of the heading, on Core Motion's scale.
  public var magneticAccuracy: MagneticAccuracy
  /// The standard deviation of the tilt in radians.
  public var inclinationSigma: Double
  /// The standard deviation of the heading in radians. It is also encoded in radians.
  private var headingSigma: Double
  /// The bias that was subtracted from the rotation rate, in rad/s.
  public var gyroBias: Vector3
  public var isAtRest: Bool
  /// The number of samples lost since the last delivered item.
  public var missing: UInt32

  /// Creates the motion in `frame`; `nil` if the attitude in that frame is unknown. `declination`
  /// is the angle from true to magnetic north in radians, positive to the east. Without a `date`,
  /// the time stamp is converted with the current clocks.
  public init?(
    _ motion: MotionSample, in frame: ReferenceFrame, declination: Double = 0, date: Date? = nil
  ) {
    guard let rotation = motion.attitude(in: frame, declination: declination) else { return nil }
    timestamp = motion.timestamp
    self.date = date ?? motion.timestamp.date
    attitude = Attitude(rotation)
    self.frame = frame
    rotationRate = motion.rotationRate
    gravity = motion.gravity
    userAcceleration = motion.userAcceleration
    magneticField = motion.magneticField
    magneticAccuracy = motion.magneticAccuracy
    inclinationSigma = motion.inclinationSigma
    headingSigma = motion.headingSigma
    gyroBias = motion.gyroBias
    isAtRest = motion.isAtRest
    missing = motion.missing
  }

  /// The direction of the top edge in degrees clockwise from the frame's north, 0 ..< 360; `nil` in
  /// the arbitrary frames.
  public var heading: Double? {
    frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical ? attitude.heading : nil
  }

  /// The standard deviation of the heading in degrees; 180 without a magnetometer.
  public var headingAccuracy: Double {
    get { degrees(fromRadians: headingSigma) }
    set { headingSigma = radians(fromDegrees: newValue) }
  }
}
