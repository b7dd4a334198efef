// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// How the device moves: what fusion makes of all sensors.
open class CMDeviceMotion: CMLogItem {
  /// Where the sensors are.
  public enum SensorLocation: Int, Sendable {
    case `default` = 0
    case headphoneLeft = 1
    case headphoneRight = 2
  }

  private let rotation: Quaternion
  private let rate: Vector3
  private let down: Vector3
  private let user: Vector3
  private let field: Vector3
  private let fieldAccuracy: CMMagneticFieldCalibrationAccuracy
  private let direction: Double

  public override init() {
    rotation = .identity
    rate = .zero
    down = .zero
    user = .zero
    field = .zero
    fieldAccuracy = .uncalibrated
    direction = -1
    super.init()
  }

  /// The motion as seen from `frame`; `nil` where its attitude in that frame is not known.
  package init?(_ motion: MotionSample, frame: ReferenceFrame, declination: Double) {
    guard let rotation = motion.attitude(in: frame, declination: declination) else { return nil }
    self.rotation = rotation
    rate = motion.rotationRate
    down = motion.gravity
    user = motion.userAcceleration
    field = motion.magneticField
    fieldAccuracy =
      CMMagneticFieldCalibrationAccuracy(rawValue: Int32(motion.magneticAccuracy)) ?? .uncalibrated
    let isNorth = frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical
    direction = isNorth ? Otolith.heading(of: rotation) : -1
    super.init(timestamp: motion.timestamp.seconds)
  }

  /// A copy for each call, because programs change it in place.
  open var attitude: CMAttitude { CMAttitude(rotation) }

  /// rad/s, less the gyroscope's bias.
  open var rotationRate: CMRotationRate { CMRotationRate(x: rate.x, y: rate.y, z: rate.z) }

  /// Where down is, in g.
  open var gravity: CMAcceleration { CMAcceleration(x: down.x, y: down.y, z: down.z) }

  /// The acceleration less gravity, in g; pushing the device to the right is first negative in x, as on Apple's devices.
  open var userAcceleration: CMAcceleration { CMAcceleration(x: user.x, y: user.y, z: user.z) }

  /// The field of the surroundings in microtesla: without the device's own, as far as that is known, and never without the
  /// magnet next to it. `accuracy` says how far it shows north; `CMMagnetometerData` has the field as measured.
  open var magneticField: CMCalibratedMagneticField {
    CMCalibratedMagneticField(
      field: CMMagneticField(x: field.x, y: field.y, z: field.z), accuracy: fieldAccuracy)
  }

  /// Where the top edge points, degrees clockwise from the frame's north, 0 ..< 360; -1 in the arbitrary frames. It is
  /// never withheld: `magneticField.accuracy` says how good it is.
  open var heading: Double { direction }

  open var sensorLocation: SensorLocation { .default }

  public required init?(coder: NSCoder) {
    guard let rotation = coder.decodeRotation(forKey: "attitude") else { return nil }
    self.rotation = rotation
    rate = coder.decodeVector(forKey: "rotationRate")
    down = coder.decodeVector(forKey: "gravity")
    user = coder.decodeVector(forKey: "userAcceleration")
    field = coder.decodeVector(forKey: "magneticField")
    fieldAccuracy =
      CMMagneticFieldCalibrationAccuracy(
        rawValue: coder.decodeInt32(forKey: "magneticField.accuracy")) ?? .uncalibrated
    direction = coder.decodeDouble(forKey: "heading")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(rotation, forKey: "attitude")
    coder.encode(rate, forKey: "rotationRate")
    coder.encode(down, forKey: "gravity")
    coder.encode(user, forKey: "userAcceleration")
    coder.encode(field, forKey: "magneticField")
    coder.encode(fieldAccuracy.rawValue, forKey: "magneticField.accuracy")
    coder.encode(direction, forKey: "heading")
  }
}
