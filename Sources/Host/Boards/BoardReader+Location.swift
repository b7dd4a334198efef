// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities

extension BoardReader {
  mutating func location(_ board: Fields) -> Location? {
    guard let field = board["location"],
      let fields = fields(
        field.value, BoardFormat.location, owner: "'location'", at: field.keyPosition)
    else { return nil }
    let declination = number(fields, "declination-deg").map(radians(fromDegrees:))
    let height = number(fields, "height-m")
    let position = position(fields, height)
    let pressure = number(fields, "sea-level-pressure-hpa").map { $0 / 10 }
    let keys = BoardFormat.location.keys.map(\.name)
    if keys.allSatisfy({ fields[$0] == nil }), fields.meant.isEmpty {
      report(
        field.keyPosition, "'location' has no position, no declination and no pressure",
        expected:
          "'latitude-deg' and 'longitude-deg', 'declination-deg' or 'sea-level-pressure-hpa'",
        hint: "such as 'location: \(field.key.example)'")
    }
    guard declination != nil || position != nil || pressure != nil else { return nil }
    return Location(
      declination: declination, position: position, height: position == nil ? nil : height,
      seaLevelPressure: pressure)
  }

  private mutating func position(_ fields: Fields, _ height: Double?) -> GeodeticPosition? {
    let latitude = number(fields, "latitude-deg")
    let longitude = number(fields, "longitude-deg")
    guard let latitude, let longitude else { return nil }
    // Values outside the limits were reported already, because the keys have the same limits as the
    // position.
    return try? GeodeticPosition(latitude: latitude, longitude: longitude, height: height ?? 0)
  }
}
