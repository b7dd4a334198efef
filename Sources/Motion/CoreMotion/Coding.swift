// SPDX-License-Identifier: Apache-2.0
internal import Otolith

extension NSCoder {
  /// Encodes the state of an item as a property list under one key.
  func encode<State: Encodable>(state: State, forKey key: String) {
    // Encoding cannot fail for numbers, dates and flags. If it did, the decoder would find no value
    // and return `nil`.
    guard let list = try? PropertyListEncoder().encode(state) else { return }
    encode(list as NSData, forKey: key)
  }

  /// Decodes the value that `encode(state:forKey:)` wrote; returns `nil` if it is missing or
  /// invalid. `decodeDouble` would return zero for a missing number, which is a valid measurement.
  func decodeState<State: Decodable>(_ type: State.Type, forKey key: String) -> State? {
    // Check for the key first: Foundation on Linux ends the process if an object is missing and the
    // decoder has the default failure policy.
    guard containsValue(forKey: key), let list = decodeObject(of: NSData.self, forKey: key) else {
      return nil
    }
    return try? PropertyListDecoder().decode(type, from: list as Data)
  }

  /// Decodes a number; `nil` if it is missing or not finite.
  func decodeNumber(forKey key: String) -> Double? {
    guard containsValue(forKey: key) else { return nil }
    let number = decodeDouble(forKey: key)
    return number.isFinite ? number : nil
  }
}

/// Encodes and decodes vectors and quaternions, with each component under its own key.
extension NSCoder {
  func encode(_ v: Vector3, forKey key: String) {
    encode(v.x, forKey: key + ".x")
    encode(v.y, forKey: key + ".y")
    encode(v.z, forKey: key + ".z")
  }

  /// Decodes a vector; `nil` if a component is missing or not finite.
  func decodeVector(forKey key: String) -> Vector3? {
    guard let x = decodeNumber(forKey: key + ".x"), let y = decodeNumber(forKey: key + ".y"),
      let z = decodeNumber(forKey: key + ".z")
    else { return nil }
    return Vector3(x, y, z)
  }

  func encode(_ q: Quaternion, forKey key: String) {
    encode(Vector3(q.x, q.y, q.z), forKey: key)
    encode(q.w, forKey: key + ".w")
  }

  /// Decodes a rotation; `nil` if it is missing or not a unit quaternion.
  func decodeRotation(forKey key: String) -> Quaternion? {
    guard let v = decodeVector(forKey: key), let w = decodeNumber(forKey: key + ".w") else {
      return nil
    }
    let squares = w * w + v.x * v.x + v.y * v.y + v.z * v.z
    guard abs(squares - 1) < 1e-6 else { return nil }
    return Quaternion(w: w, x: v.x, y: v.y, z: v.z)
  }
}

/// Encodes an enumeration by its raw value. The enumeration itself has no public conformance to
/// `Codable`, because programs may add their own. Decoding rejects a value that is not a case.
@propertyWrapper package struct ByRawValue<Value: RawRepresentable & Sendable>: Codable, Sendable
where Value.RawValue: Codable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let raw = try container.decode(Value.RawValue.self)
    guard let value = Value(rawValue: raw) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no such case")
    }
    wrappedValue = value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue.rawValue)
  }
}

extension Date {
  /// The date of an item that was created by `init()` and not by a sensor.
  static var unset: Date { Date(timeIntervalSince1970: 0) }
}
