// SPDX-License-Identifier: Apache-2.0

/// The state of the D-Bus interface `net.hadess.SensorProxy`: claimed sensors and newest values.
/// Names and meanings are from iio-sensor-proxy 3.0, which desktops use for screen rotation.
package struct SensorProxy {
  package static let name = "net.hadess.SensorProxy"

  package enum Sensor: CaseIterable, Sendable {
    case accelerometer
    case light
    case proximity
    case compass

    /// The sensor's name as the method names contain it.
    package var word: String {
      switch self {
      case .accelerometer: "Accelerometer"
      case .light: "Light"
      case .proximity: "Proximity"
      case .compass: "Compass"
      }
    }

    fileprivate var interface: String { self == .compass ? "\(name).Compass" : name }
    fileprivate var path: String {
      self == .compass ? "/net/hadess/SensorProxy/Compass" : "/net/hadess/SensorProxy"
    }
  }

  /// A changed property that must be reported to one client.
  package struct Signal: Equatable, Sendable {
    package var client: String
    package var path: String
    package var values: [BusValue]

    package init(client: String, path: String, values: [BusValue]) {
      self.client = client
      self.path = path
      self.values = values
    }
  }

  private let available: Set<Sensor>
  private var claims: [Sensor: Set<String>] = [:]
  private var orientation = "undefined"
  private var light = 0.0
  private var isNear = false
  private var heading = -1.0

  package init(available: Set<Sensor>) { self.available = available }

  /// The available sensors that at least one client has claimed.
  package var claimed: Set<Sensor> {
    available.filter { !(claims[$0] ?? []).isEmpty }
  }

  // MARK: Calls

  /// Answers a client's call, or handles its disconnection.
  package mutating func answer(_ message: BusMessage) -> BusAnswer? {
    guard message.isCall else {
      note(message)
      return nil
    }
    switch message.interface {
    case "org.freedesktop.DBus.Properties": return property(message)
    case "org.freedesktop.DBus.Introspectable" where message.member == "Introspect":
      return .values([.text(Self.introspection(message.path))])
    default: return claim(message) ?? Self.unknown("method", message.member)
    }
  }

  private mutating func claim(_ message: BusMessage) -> BusAnswer? {
    for sensor in Sensor.allCases
    where sensor.path == message.path
      && (message.interface.isEmpty || message.interface == sensor.interface)
    {
      switch message.member {
      case "Claim\(sensor.word)": claims[sensor, default: []].insert(message.sender)
      case "Release\(sensor.word)": claims[sensor]?.remove(message.sender)
      default: continue
      }
      return .values([])
    }
    return nil
  }

  /// Releases the claims of a client that has left the bus.
  private mutating func note(_ message: BusMessage) {
    guard message.interface == "org.freedesktop.DBus", message.member == "NameOwnerChanged",
      message.texts.count == 3, message.texts[2].isEmpty
    else { return }
    for sensor in Sensor.allCases { claims[sensor]?.remove(message.texts[0]) }
  }

  private func property(_ message: BusMessage) -> BusAnswer {
    let properties = properties(ofPath: message.path, interface: message.texts.first ?? "")
    switch message.member {
    case "GetAll": return .values([.properties(properties)])
    case "Get":
      let name = message.texts.dropFirst().first ?? ""
      guard let property = properties.first(where: { $0.name == name }) else {
        return Self.unknown("property", name)
      }
      return .values([.variant(property.value)])
    case "Set":
      return .error("org.freedesktop.DBus.Error.PropertyReadOnly", "sensors are read, not set")
    default: return Self.unknown("method", message.member)
    }
  }

  private static func unknown(_ what: String, _ name: String) -> BusAnswer {
    .error(
      "org.freedesktop.DBus.Error.Unknown\(what == "method" ? "Method" : "Property")",
      "there is no \(what) '\(name)' here")
  }

  private func properties(ofPath path: String, interface: String) -> [BusValue.Property] {
    Sensor.allCases.filter { $0.path == path && $0.interface == interface }.flatMap(properties)
  }

  private func properties(_ sensor: Sensor) -> [BusValue.Property] {
    let isThere = BusValue.flag(available.contains(sensor))
    switch sensor {
    case .accelerometer:
      return [
        .init("HasAccelerometer", isThere), .init("AccelerometerOrientation", .text(orientation)),
      ]
    case .light:
      return [
        .init("HasAmbientLight", isThere), .init("LightLevelUnit", .text("lux")),
        .init("LightLevel", .number(light)),
      ]
    case .proximity:
      return [.init("HasProximity", isThere), .init("ProximityNear", .flag(isNear))]
    case .compass:
      return [.init("HasCompass", isThere), .init("CompassHeading", .number(heading))]
    }
  }

  // MARK: Values

  /// Sets the edge of the device that points up. A device that lies flat keeps its previous
  /// orientation.
  package mutating func set(orientation: String) -> [Signal] {
    guard orientation != self.orientation else { return [] }
    self.orientation = orientation
    return signals(.accelerometer, "AccelerometerOrientation")
  }

  /// Sets the illuminance in lux; changes below 1 percent are ignored.
  package mutating func set(light: Double) -> [Signal] {
    guard abs(light - self.light) > 0.01 * max(abs(light), 0.1) else { return [] }
    self.light = light
    return signals(.light, "LightLevel")
  }

  package mutating func set(isNear: Bool) -> [Signal] {
    guard isNear != self.isNear else { return [] }
    self.isNear = isNear
    return signals(.proximity, "ProximityNear")
  }

  /// Sets the heading in degrees clockwise from north; changes below one degree are ignored.
  package mutating func set(heading: Double) -> [Signal] {
    guard abs(heading - self.heading) >= 1 else { return [] }
    self.heading = heading
    return signals(.compass, "CompassHeading")
  }

  private func signals(_ sensor: Sensor, _ name: String) -> [Signal] {
    let changed = properties(sensor).filter { $0.name == name }
    return (claims[sensor] ?? []).sorted().map { client in
      Signal(
        client: client, path: sensor.path,
        values: [.text(sensor.interface), .properties(changed), .texts([])])
    }
  }

  // MARK: Introspection

  private static func introspection(_ path: String) -> String {
    let sensors = Sensor.allCases.filter { $0.path == path }
    var text = "<node>"
    for interface in Set(sensors.map(\.interface)) {
      text += "<interface name=\"\(interface)\">"
      for sensor in sensors {
        for property in SensorProxy(available: []).properties(sensor) {
          text +=
            "<property name=\"\(property.name)\" type=\"\(property.value.signature)\" "
            + "access=\"read\"/>"
        }
        text += "<method name=\"Claim\(sensor.word)\"/><method name=\"Release\(sensor.word)\"/>"
      }
      text += "</interface>"
    }
    let parts = ["net", "hadess", "SensorProxy", "Compass"]
    let place = path.split(separator: "/").map(String.init)
    if place.count < parts.count, place == Array(parts.prefix(place.count)) {
      text += "<node name=\"\(parts[place.count])\"/>"
    }
    return text + "</node>"
  }
}
