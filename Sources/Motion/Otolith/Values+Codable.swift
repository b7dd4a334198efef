// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities

// The coding is in this module, because the portable core cannot use `Codable`. The formats must
// not change, because programs store them.

/// A time stamp is encoded as an integer number of nanoseconds.
extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(nanoseconds)
  }
}

extension Vector3: Codable {
  private enum Key: String, CodingKey { case x, y, z }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode(Double.self, forKey: .x), try values.decode(Double.self, forKey: .y),
      try values.decode(Double.self, forKey: .z))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(x, forKey: .x)
    try values.encode(y, forKey: .y)
    try values.encode(z, forKey: .z)
  }
}

/// A quaternion is encoded as four numbers with any norm. An `Attitude`, by contrast, must have
/// norm 1.
extension Quaternion: Codable {
  private enum Key: String, CodingKey { case x, y, z, w }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      w: try values.decode(Double.self, forKey: .w), x: try values.decode(Double.self, forKey: .x),
      y: try values.decode(Double.self, forKey: .y), z: try values.decode(Double.self, forKey: .z))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(x, forKey: .x)
    try values.encode(y, forKey: .y)
    try values.encode(z, forKey: .z)
    try values.encode(w, forKey: .w)
  }
}

/// A frame of reference is encoded as its name.
extension ReferenceFrame: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    let name = try value.decode(String.self)
    guard let frame = Self.allCases.first(where: { "\($0)" == name }) else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "'\(name)' is not a frame of reference")
    }
    self = frame
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode("\(self)")
  }
}

/// An accuracy is encoded as Core Motion's number, -1 to 2.
extension MagneticAccuracy: Codable {}

/// A sample is encoded with its valid channels, under the column names of recordings.
extension Sample: Codable {
  private struct Key: CodingKey {
    static let timestamp = Key("timestamp")
    static let missing = Key("missing")

    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(_ channel: Channel) { stringValue = "\(channel.row.name)" }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(timestamp: try values.decode(Timestamp.self, forKey: .timestamp))
    missing = try values.decode(UInt32.self, forKey: .missing)
    for channel in Channel.allCases where values.contains(Key(channel)) {
      channels.insert(ChannelSet(channel))
      self[channel] =
        channel.isVector
        ? try values.decode(Vector3.self, forKey: Key(channel))
        : Vector3(try values.decode(Double.self, forKey: Key(channel)), 0, 0)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(timestamp, forKey: .timestamp)
    try values.encode(missing, forKey: .missing)
    for channel in Channel.allCases where channels.contains(channel) {
      if channel.isVector {
        try values.encode(self[channel], forKey: Key(channel))
      } else {
        try values.encode(self[channel].x, forKey: Key(channel))
      }
    }
  }
}
