// SPDX-License-Identifier: Apache-2.0
internal import Otolith

extension NSCoder {
  /// Writes an item's state as one property list under one key.
  func encode<State: Encodable>(state: State, forKey key: String) {
    // Numbers, dates and flags can always be written; were it not so, what reads would find nothing
    // and refuse.
    guard let list = try? PropertyListEncoder().encode(state) else { return }
    encode(list as NSData, forKey: key)
  }

  /// Reads what `encode(state:forKey:)` wrote. `nil` where there is nothing, or something else: of
  /// a missing number `decodeDouble` would make zero, which is a measurement.
  func decodeState<State: Decodable>(_ type: State.Type, forKey key: String) -> State? {
    // Asked for an object that is not there, Foundation on Linux ends the process where a reader's
    // failure policy is the default.
    guard containsValue(forKey: key), let list = decodeObject(of: NSData.self, forKey: key) else {
      return nil
    }
    return try? PropertyListDecoder().decode(type, from: list as Data)
  }

  /// Reads a number that is present and finite.
  func decodeNumber(forKey key: String) -> Double? {
    guard containsValue(forKey: key) else { return nil }
    let number = decodeDouble(forKey: key)
    return number.isFinite ? number : nil
  }
}

/// Three or four numbers under one key.
extension NSCoder {
  func encode(_ v: Vector3, forKey key: String) {
    encode(v.x, forKey: key + ".x")
    encode(v.y, forKey: key + ".y")
    encode(v.z, forKey: key + ".z")
  }

  /// Reads a vector; `nil` where a component is missing or no number.
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

  /// Reads a rotation; `nil` where the archive holds none.
  func decodeRotation(forKey key: String) -> Quaternion? {
    guard let v = decodeVector(forKey: key), let w = decodeNumber(forKey: key + ".w") else {
      return nil
    }
    let squares = w * w + v.x * v.x + v.y * v.y + v.z * v.z
    guard abs(squares - 1) < 1e-6 else { return nil }
    return Quaternion(w: w, x: v.x, y: v.y, z: v.z)
  }
}

/// An enumeration by its raw value, without a public conformance that programs might add
/// themselves; reading refuses a value that is no case.
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
  /// The date of an item that was made by `init()` and not by a sensor.
  static var unset: Date { Date(timeIntervalSince1970: 0) }
}
