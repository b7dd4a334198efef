// SPDX-License-Identifier: Apache-2.0
public import CoreMotion
internal import Otolith

extension CMAttitude {
  /// Creates an attitude from `quaternion`, which converts device to reference coordinates. The
  /// quaternion is normalized; zero becomes the identity.
  public convenience init(quaternion: CMQuaternion) {
    self.init(
      Quaternion(w: quaternion.w, x: quaternion.x, y: quaternion.y, z: quaternion.z).normalized)
  }

  /// Creates an attitude from the three angles of the properties with the same names, in radians: a
  /// rotation about z by `yaw`, then about the rotated x by `pitch`, then about the twice rotated y
  /// by `roll`.
  public convenience init(roll: Double, pitch: Double, yaw: Double) {
    self.init(
      Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
        * Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
        * Quaternion(angle: roll, axis: Vector3(0, 1, 0)))
  }
}

extension CMDeviceMotion {
  /// Creates the motion of a device with the orientation `attitude` and the other values.
  ///
  /// `rotationRate` is in rad/s, without bias. `gravity` is in g; its default is down according to
  /// `attitude`. `userAcceleration` is in g. `heading` is in degrees clockwise from the frame's
  /// north; it is -1 in the arbitrary frames. `timestamp` is in seconds since boot.
  public convenience init(
    attitude: CMAttitude = CMAttitude(), rotationRate: CMRotationRate = CMRotationRate(),
    gravity: CMAcceleration? = nil, userAcceleration: CMAcceleration = CMAcceleration(),
    magneticField: CMCalibratedMagneticField = CMCalibratedMagneticField(
      field: CMMagneticField(), accuracy: .uncalibrated),
    heading: Double = -1, sensorLocation: SensorLocation = .default, timestamp: TimeInterval = 0
  ) {
    let q = attitude.quaternion
    let rotation = Quaternion(w: q.w, x: q.x, y: q.y, z: q.z)
    self.init(
      rotation: rotation, rotationRate: Vector3(rotationRate),
      gravity: gravity.map { Vector3($0) } ?? rotation.conjugate.rotate(Vector3(0, 0, -1)),
      userAcceleration: Vector3(userAcceleration), field: Vector3(magneticField.field),
      accuracy: magneticField.accuracy, heading: heading, location: sensorLocation,
      timestamp: timestamp)
  }
}
