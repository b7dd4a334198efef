// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The device's motion at one moment, fused from all sensors, in one frame of reference. Vectors
/// are in device axes.
public struct DeviceMotion: Equatable, Codable, Sendable {
  /// The moment it describes, on CLOCK_MONOTONIC: the clock of
  /// `ProcessInfo.processInfo.systemUptime`.
  public var timestamp: Timestamp
  /// The same moment on the wall clock, as set when the motion was handed on.
  public var date: Date
  /// The rotation of the device against `frame`.
  public var attitude: Attitude
  public var frame: ReferenceFrame
  /// The rotation rate, rad/s, without the gyroscope's bias.
  public var rotationRate: Vector3
  /// The direction of down, g.
  public var gravity: Vector3
  /// The acceleration without gravity, g; in Core Motion's sign: pushed to the right it is first
  /// negative in x.
  public var userAcceleration: Vector3
  /// The field of the surroundings, microtesla.
  public var magneticField: Vector3
  /// The accuracy of a heading, as Core Motion grades it.
  public var magneticAccuracy: MagneticAccuracy
  /// One standard deviation of the tilt, radians.
  public var inclinationSigma: Double
  /// `headingAccuracy` in radians, as it is encoded.
  private var headingSigma: Double
  /// The bias that was subtracted from the rotation rate, rad/s.
  public var gyroBias: Vector3
  public var isAtRest: Bool
  /// The number of samples lost since the last item that was handed on.
  public var missing: UInt32

  /// Creates `motion` as seen from `frame`; `nil` where its attitude in that frame is not known.
  /// `declination` is the angle from true to magnetic north in radians, east positive. Without a
  /// `date` it is that of the time stamp by the clocks of now.
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

  /// The direction of the top edge, degrees clockwise from the frame's north, 0 ..< 360; `nil` in
  /// the arbitrary frames.
  public var heading: Double? {
    frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical ? attitude.heading : nil
  }

  /// One standard deviation of a heading, degrees; 180 without a magnetometer.
  public var headingAccuracy: Double {
    get { degrees(fromRadians: headingSigma) }
    set { headingSigma = radians(fromDegrees: newValue) }
  }
}
