// SPDX-License-Identifier: Apache-2.0
internal import Fusion
package import Otolith

/// The motion of the device, fused from all sensors.
open class CMDeviceMotion: CMLogItem {
  /// The location of the sensors in headphones. A motion from a board has the default location.
  public enum SensorLocation: Int, Sendable {
    case `default` = 0
    case headphoneLeft = 1
    case headphoneRight = 2
  }

  private let rotation: Quaternion
  /// The attitude object that programs receive and may change in place.
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

  /// Creates the motion in `frame`; returns `nil` if its attitude in that frame is unknown.
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

  /// Creates a copy with a separate attitude object.
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

  /// Returns a copy of the motion as measured, without the changes that a program made to
  /// `attitude`. A subclass returns itself.
  open override func copy(with zone: NSZone? = nil) -> Any {
    type(of: self) == CMDeviceMotion.self ? CMDeviceMotion(copying: self) : self
  }

  /// Creates a motion from all its values, for programs' tests.
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

  /// The attitude, which is the same object at each call. A program may change this object in
  /// place: after `motion.attitude.multiply(byInverseOf: reference)`, `motion.attitude` contains
  /// the result. No two motions share an attitude.
  open var attitude: CMAttitude { handedOut }

  /// The rotation rate in rad/s, corrected for the gyroscope's bias.
  open var rotationRate: CMRotationRate { CMRotationRate(x: rate.x, y: rate.y, z: rate.z) }

  /// The gravity vector in g, pointing down.
  open var gravity: CMAcceleration { CMAcceleration(x: down.x, y: down.y, z: down.z) }

  /// The acceleration without gravity, in g. If the device is pushed to the right, x is negative at
  /// first, as on Apple's devices.
  open var userAcceleration: CMAcceleration { CMAcceleration(x: user.x, y: user.y, z: user.z) }

  /// The magnetic field of the surroundings in microtesla. The device's own field is subtracted, as
  /// far as it is known; the field of nearby magnets is included. `accuracy` gives the field's
  /// quality as a direction to north; `CMMagnetometerData` has the field as measured.
  open var magneticField: CMCalibratedMagneticField {
    CMCalibratedMagneticField(
      field: CMMagneticField(x: field.x, y: field.y, z: field.z), accuracy: fieldAccuracy)
  }

  /// The direction of the top edge in degrees clockwise from the frame's north, 0 ..< 360; -1 in
  /// the arbitrary frames. The heading is given whatever its quality; see `magneticField.accuracy`.
  open var heading: Double { direction }

  /// The location of the sensors, which is always the board; tests may set another location.
  open var sensorLocation: SensorLocation { location }

  /// A description with the quaternion, user acceleration in g, rotation rate in rad/s, field in
  /// microtesla and heading in degrees.
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

  /// Encodes the motion with the current `attitude`, including a program's changes.
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
