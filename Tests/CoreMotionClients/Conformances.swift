// SPDX-License-Identifier: Apache-2.0
import CoreMotion

// Conformances that many programs add to the structures and enumerations.

extension CMAcceleration: Equatable {
  public static func == (lhs: CMAcceleration, rhs: CMAcceleration) -> Bool {
    lhs.x == rhs.x && lhs.y == rhs.y && lhs.z == rhs.z
  }
}

extension CMRotationRate: Hashable {
  public static func == (lhs: CMRotationRate, rhs: CMRotationRate) -> Bool {
    lhs.x == rhs.x && lhs.y == rhs.y && lhs.z == rhs.z
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(x)
    hasher.combine(y)
    hasher.combine(z)
  }
}

extension CMQuaternion: Codable {
  enum CodingKeys: String, CodingKey { case x, y, z, w }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      x: try values.decode(Double.self, forKey: .x), y: try values.decode(Double.self, forKey: .y),
      z: try values.decode(Double.self, forKey: .z), w: try values.decode(Double.self, forKey: .w))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(x, forKey: .x)
    try values.encode(y, forKey: .y)
    try values.encode(z, forKey: .z)
    try values.encode(w, forKey: .w)
  }
}

extension CMMagneticField: @retroactive Equatable, @retroactive CustomStringConvertible {
  public static func == (a: CMMagneticField, b: CMMagneticField) -> Bool {
    (a.x, a.y, a.z) == (b.x, b.y, b.z)
  }
  public var description: String { "(\(x), \(y), \(z))" }
}

extension CMRotationMatrix: Equatable {
  public static func == (a: CMRotationMatrix, b: CMRotationMatrix) -> Bool {
    a.m11 == b.m11 && a.m12 == b.m12 && a.m13 == b.m13 && a.m21 == b.m21 && a.m22 == b.m22
      && a.m23 == b.m23 && a.m31 == b.m31 && a.m32 == b.m32 && a.m33 == b.m33
  }
}

extension CMMotionActivityConfidence: Comparable {
  public static func < (a: CMMotionActivityConfidence, b: CMMotionActivityConfidence) -> Bool {
    a.rawValue < b.rawValue
  }
}

extension CMAuthorizationStatus: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notDetermined: return "notDetermined"
    case .restricted: return "restricted"
    case .denied: return "denied"
    case .authorized: return "authorized"
    @unknown default: return "unknown"
    }
  }
}

extension CMDeviceMotion {
  var tilt: Double { atan2(gravity.x, -gravity.y) }
}

extension CMAcceleration {
  var magnitude: Double { sqrt(x * x + y * y + z * z) }
  static func + (a: CMAcceleration, b: CMAcceleration) -> CMAcceleration {
    CMAcceleration(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }
}

struct Row: Codable, Equatable {
  var rotation: CMQuaternion
  static func == (a: Row, b: Row) -> Bool { a.rotation.w == b.rotation.w }
}

func compare() -> Bool {
  let least = min(CMMotionActivityConfidence.low, .high)
  return CMAcceleration(x: 1, y: 0, z: 0) == CMAcceleration(x: 1, y: 0, z: 0)
    && Set([CMRotationRate(), CMRotationRate(x: 1, y: 1, z: 1)]).count == 2
    && CMMagneticField() == CMMagneticField() && least == .low
    && CMRotationMatrix() == CMRotationMatrix()
}
