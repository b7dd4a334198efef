// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Foundation

/// All values of a fused sample.
struct Pose {
  var roll, pitch, yaw: Double
  var quaternion: CMQuaternion
  var matrix: CMRotationMatrix
}

final class AttitudeReader {
  private let motionManager = CMMotionManager()
  private var reference: CMAttitude?

  var frames: [CMAttitudeReferenceFrame] {
    let available = CMMotionManager.availableAttitudeReferenceFrames()
    return [
      .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
      .xTrueNorthZVertical,
    ].filter { available.contains($0) }
  }

  func start(handler: @escaping CMDeviceMotionHandler) {
    guard motionManager.isDeviceMotionAvailable else { return }
    motionManager.deviceMotionUpdateInterval = 1 / 60.0
    motionManager.startDeviceMotionUpdates(to: .main, withHandler: handler)
    motionManager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
    motionManager.startDeviceMotionUpdates(
      using: .xArbitraryCorrectedZVertical, to: OperationQueue.main
    ) { motion, error in
      guard let motion = motion else { return }
      print(motion.attitude.yaw, self.motionManager.attitudeReferenceFrame.rawValue)
    }
  }

  func pose(of motion: CMDeviceMotion) -> Pose {
    if reference == nil { reference = motion.attitude.copy() as? CMAttitude }
    let attitude = motion.attitude
    if let reference = reference { attitude.multiply(byInverseOf: reference) }
    return Pose(
      roll: attitude.roll, pitch: attitude.pitch, yaw: attitude.yaw,
      quaternion: attitude.quaternion, matrix: attitude.rotationMatrix)
  }

  /// Converts to the frame of reference, by the columns of the matrix.
  func worldAcceleration(_ motion: CMDeviceMotion) -> CMAcceleration {
    let a = motion.userAcceleration
    let r = motion.attitude.rotationMatrix
    return CMAcceleration(
      x: r.m11 * a.x + r.m21 * a.y + r.m31 * a.z,
      y: r.m12 * a.x + r.m22 * a.y + r.m32 * a.z,
      z: r.m13 * a.x + r.m23 * a.y + r.m33 * a.z)
  }

  func describe(_ motion: CMDeviceMotion) -> String {
    let accuracy: String
    switch motion.magneticField.accuracy {
    case .uncalibrated: accuracy = "uncalibrated"
    case .low: accuracy = "low"
    case .medium: accuracy = "medium"
    case .high: accuracy = "high"
    @unknown default: accuracy = "?"
    }
    let place: String
    switch motion.sensorLocation {
    case .default: place = "device"
    case .headphoneLeft: place = "left"
    case .headphoneRight: place = "right"
    @unknown default: place = "?"
    }
    let field = motion.magneticField.field
    return "\(accuracy) \(place) \(motion.heading) \(field.x) \(motion.rotationRate.z)"
  }

  var isActive: Bool { motionManager.isDeviceMotionActive }

  func stop() { motionManager.stopDeviceMotionUpdates() }
}

func zeroes() -> [Any] {
  var q = CMQuaternion()
  q.w = 1
  q = CMQuaternion(x: q.x, y: q.y, z: q.z, w: 1)
  var m = CMRotationMatrix()
  m.m11 = 1
  m = CMRotationMatrix(m11: 1, m12: 0, m13: 0, m21: 0, m22: 1, m23: 0, m31: 0, m32: 0, m33: 1)
  var field = CMCalibratedMagneticField()
  field = CMCalibratedMagneticField(field: CMMagneticField(x: 1, y: 2, z: 3), accuracy: .high)
  field.field.z = 0
  return [
    q, m, field, CMAcceleration(), CMAcceleration(x: 0, y: 0, z: -1), CMRotationRate(),
    CMRotationRate(x: 0, y: 0, z: 0), CMMagneticField(), CMAttitudeReferenceFrame(rawValue: 4),
    CMMagneticFieldCalibrationAccuracy(rawValue: -1) as Any,
    CMDeviceMotion.SensorLocation(rawValue: 1) as Any,
  ]
}

func archive(_ attitude: CMAttitude) throws -> CMAttitude? {
  guard CMAttitude.supportsSecureCoding, CMLogItem.supportsSecureCoding else { return nil }
  let data = try NSKeyedArchiver.archivedData(withRootObject: attitude, requiringSecureCoding: true)
  return try NSKeyedUnarchiver.unarchivedObject(ofClass: CMAttitude.self, from: data)
}
