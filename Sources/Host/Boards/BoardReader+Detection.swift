// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
public import Sensors
internal import Text

extension DetectionKind {
  /// The name in board files.
  public var boardName: String {
    switch self {
    case .step: "step"
    case .singleTap: "single-tap"
    case .doubleTap: "double-tap"
    case .freeFall: "free-fall"
    case .tilt: "tilt"
    case .motion: "motion"
    case .noMotion: "no-motion"
    case .significantMotion: "significant-motion"
    case .orientation: "orientation"
    case .flat: "flat"
    }
  }
}

extension BoardReader {
  /// Reads the events that the chip should detect; none by default.
  mutating func detection(_ chip: Fields, _ description: ChipDescription?) -> DetectionSettings {
    var settings = DetectionSettings()
    guard let field = chip["detection"],
      let fields = fields(
        field.value, BoardFormat.detection, owner: "'detection'", at: field.keyPosition)
    else { return settings }
    settings.kinds = kinds(fields, description)
    if let value = number(fields, "motion-threshold-g") { settings.motionThreshold = value }
    if let value = span(fields, "motion-duration-ms") { settings.motionDuration = value }
    if let value = number(fields, "still-duration-s") {
      settings.stillDuration = TimeSpan(seconds: value)
    }
    if let value = number(fields, "tap-threshold-g") { settings.tapThreshold = value }
    if let value = number(fields, "free-fall-threshold-g") { settings.freeFallThreshold = value }
    if let value = span(fields, "free-fall-duration-ms") { settings.freeFallDuration = value }
    return settings
  }

  private mutating func span(_ fields: Fields, _ key: String) -> TimeSpan? {
    number(fields, key).map { TimeSpan(seconds: $0 / 1000) }
  }

  private mutating func kinds(_ fields: Fields, _ description: ChipDescription?) -> DetectionSet {
    guard let field = fields["kinds"] else { return [] }
    guard case .sequence(let items) = field.value.content, !items.isEmpty else {
      refuse(field, hint: field.value.text.map { "write [\($0)]" })
      return []
    }
    let able = DetectionKind.allCases.filter {
      description?.detections.contains(DetectionSet($0)) ?? true
    }
    var set: DetectionSet = []
    for item in items {
      let word = item.text ?? ""
      if let kind = able.first(where: { $0.boardName == word }) {
        set.insert(DetectionSet(kind))
        continue
      }
      let name = description?.name ?? "the chip"
      let words = able.map(\.boardName)
      let guess = NearestWord.to(word, among: words)
      report(
        item.position, "'kinds' has \(item.shown)",
        expected: words.isEmpty
          ? "nothing: \(name) detects nothing by itself"
          : "\(NearestWord.list(words)), which \(name) can detect",
        hint: guess.map { "did you mean '\($0)'?" })
    }
    return set
  }
}
