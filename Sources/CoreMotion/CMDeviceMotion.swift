// SPDX-License-Identifier: Apache-2.0
internal import Fusion
package import Otolith

/// The motion of the device, fused from all sensors.
open class CMDeviceMotion: CMLogItem {
  /// The place of the sensors.
  public enum SensorLocation: Int, Sendable {
    case `default` = 0
    case headphoneLeft = 1
    case headphoneRight = 2
  }

  private let rotation: Quaternion
  /// The attitude that programs get, and may change in place.
  private let handedOut: CMAttitude
  private let rate: Vector3
  private let down: Vector3
  private let user: Vector3
  private let field: Vector3
  private let fieldAccuracy: CMMagneticFieldCalibrationAccuracy
  private let direction: Double
  private let location: SensorLocation

  public override init() {
    rotation = .identity
    handedOut = CMAttitude()
    rate = .zero
    down = .zero
    user = .zero
    field = .zero
    fieldAccuracy = .uncalibrated
    direction = -1
    location = .default
    super.init()
  }

  /// Creates the motion as seen from `frame`; `nil` where its attitude in that frame is not known.
  package init?(_ motion: MotionSample, frame: ReferenceFrame, declination: Double) {
    guard let rotation = motion.attitude(in: frame, declination: declination) else { return nil }
    self.rotation = rotation
    handedOut = CMAttitude(rotation)
    rate = motion.rotationRate
    down = motion.gravity
    user = motion.userAcceleration
    field = motion.magneticField
    fieldAccuracy =
      CMMagneticFieldCalibrationAccuracy(rawValue: Int32(motion.magneticAccuracy.rawValue))
      ?? .uncalibrated
    let isNorth = frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical
    direction = isNorth ? headingDegrees(of: rotation) : -1
    location = .default
    super.init(timestamp: motion.timestamp.seconds)
  }

  /// Creates a motion whose attitude is its own.
  private init(copying other: CMDeviceMotion) {
    rotation = other.rotation
    handedOut = CMAttitude(other.rotation)
    rate = other.rate
    down = other.down
    user = other.user
    field = other.field
    fieldAccuracy = other.fieldAccuracy
    direction = other.direction
    location = other.location
    super.init(timestamp: other.timestamp)
  }

  /// Returns a motion as it was measured, whatever a program has done to `attitude`. A subclass is
  /// its own copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    type(of: self) == CMDeviceMotion.self ? CMDeviceMotion(copying: self) : self
  }

  /// Creates a motion from all its values: for the tests of programs.
  package init(
    rotation: Quaternion, rotationRate: Vector3, gravity: Vector3, userAcceleration: Vector3,
    field: Vector3, accuracy: CMMagneticFieldCalibrationAccuracy, heading: Double,
    location: SensorLocation, timestamp: TimeInterval
  ) {
    self.rotation = rotation
    handedOut = CMAttitude(rotation)
    rate = rotationRate
    down = gravity
    user = userAcceleration
    self.field = field
    fieldAccuracy = accuracy
    direction = heading
    self.location = location
    super.init(timestamp: timestamp)
  }

  /// The attitude, the same object at each call, which programs change in place:
  /// `motion.attitude.multiply(byInverseOf: reference)` holds for what they read of
  /// `motion.attitude` then. No other motion has it.
  open var attitude: CMAttitude { handedOut }

  /// The rotation rate in rad/s, without the gyroscope's bias.
  open var rotationRate: CMRotationRate { CMRotationRate(x: rate.x, y: rate.y, z: rate.z) }

  /// The direction of down, in g.
  open var gravity: CMAcceleration { CMAcceleration(x: down.x, y: down.y, z: down.z) }

  /// The acceleration without gravity, in g; pushing the device to the right is first negative in
  /// x, as on Apple's devices.
  open var userAcceleration: CMAcceleration { CMAcceleration(x: user.x, y: user.y, z: user.z) }

  /// The field of the surroundings in microtesla: without the device's own, as far as that is
  /// known, and with that of any magnet nearby. `accuracy` says how far it shows north;
  /// `CMMagnetometerData` has the field as measured.
  open var magneticField: CMCalibratedMagneticField {
    CMCalibratedMagneticField(
      field: CMMagneticField(x: field.x, y: field.y, z: field.z), accuracy: fieldAccuracy)
  }

  /// The direction of the top edge, degrees clockwise from the frame's north, 0 ..< 360; -1 in the
  /// arbitrary frames. It is never withheld: `magneticField.accuracy` says how good it is.
  open var heading: Double { direction }

  /// The place of the sensors: always the board itself; a test's may be elsewhere.
  open var sensorLocation: SensorLocation { location }

  /// Quaternion, user acceleration in g, rotation rate in rad/s, field in microtesla, heading in
  /// degrees.
  open override var description: String {
    let q = handedOut.quaternion
    return
      "Quaternion \(text(q.x, q.y, q.z)) w \(text(q.w)) UserAcceleration \(text(user)) "
      + "RotationRate \(text(rate)) MagneticField \(text(field)) accuracy "
      + "\(fieldAccuracy.rawValue) Heading \(text(direction)) @ \(text(timestamp))"
  }

  public required init?(coder: NSCoder) {
    guard let rotation = coder.decodeRotation(forKey: "attitude"),
      let rate = coder.decodeVector(forKey: "rotationRate"),
      let down = coder.decodeVector(forKey: "gravity"),
      let user = coder.decodeVector(forKey: "userAcceleration"),
      let field = coder.decodeVector(forKey: "magneticField"),
      let direction = coder.decodeNumber(forKey: "heading"),
      let accuracy = CMMagneticFieldCalibrationAccuracy(
        rawValue: coder.decodeInt32(forKey: "magneticField.accuracy")),
      let location = SensorLocation(rawValue: coder.decodeInteger(forKey: "sensorLocation"))
    else { return nil }
    self.rotation = rotation
    handedOut = CMAttitude(rotation)
    self.rate = rate
    self.down = down
    self.user = user
    self.field = field
    fieldAccuracy = accuracy
    self.direction = direction
    self.location = location
    super.init(coder: coder)
  }

  /// Writes the motion with `attitude` as it is now: a program that has changed it reads that back.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(handedOut.rotation, forKey: "attitude")
    coder.encode(rate, forKey: "rotationRate")
    coder.encode(down, forKey: "gravity")
    coder.encode(user, forKey: "userAcceleration")
    coder.encode(field, forKey: "magneticField")
    coder.encode(fieldAccuracy.rawValue, forKey: "magneticField.accuracy")
    coder.encode(direction, forKey: "heading")
    coder.encode(location.rawValue, forKey: "sensorLocation")
  }
}
