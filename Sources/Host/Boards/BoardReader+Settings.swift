// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
public import Sensors
internal import Text

extension Acquisition {
  /// The name in board files.
  public var boardName: String {
    switch self {
    case .dataReady: "data-ready"
    case .fifo: "fifo"
    case .polling: "polling"
    case .detections: "detections"
    }
  }
}

extension BoardReader {
  /// Reads the chip's settings. If the chip is unknown, checks only general limits.
  mutating func settings(_ fields: Fields, _ chip: ChipDescription?, _ interrupt: Interrupt?)
    -> SensorSettings
  {
    let usual = SensorSettings()
    let degree = Double.pi / 180
    var settings = SensorSettings(
      rate: rate(fields, chip, usual.rate),
      accelerationRange: range(
        fields, chip, "acceleration-range-g", .acceleration, 1, usual.accelerationRange),
      rotationRateRange: range(
        fields, chip, "rotation-rate-range-dps", .rotationRate, degree, usual.rotationRateRange),
      magneticFieldRange: range(
        fields, chip, "magnetic-field-range-ut", .magneticField, 1, usual.magneticFieldRange),
      bandwidth: number(fields, "bandwidth-hz"),
      acquisition: acquisition(fields, chip, interrupt),
      batchInterval: number(fields, "batch-interval-ms").map { TimeSpan(seconds: $0 / 1000) }
        ?? usual.batchInterval)
    settings.illuminanceRange = range(
      fields, chip, "illuminance-range-lx", .illuminance, 1, usual.illuminanceRange)
    settings.keepsLateSamples = keepsLateSamples(fields, chip, settings.acquisition)
    if choice(fields, "power") == "low" { settings.power = .low }
    settings.usesMagnetometer = usesMagnetometer(fields, chip, settings.power)
    settings.detection = detection(fields, chip)
    if settings.acquisition == .detections, settings.detection.kinds.isEmpty,
      let field = fields["read-by"]
    {
      report(
        field.position, "'read-by' is 'detections' and \(fields.owner) has no 'detection'",
        hint: "add 'detection: { kinds: [...] }'")
    }
    settings.assumedIdentity = assumedIdentity(fields, chip)
    if let interrupt {
      settings.interruptPin = InterruptPin(
        number: UInt8(clamping: interrupt.pin), isActiveLow: interrupt.edge == .falling,
        isOpenDrain: interrupt.isOpenDrain)
    }
    return settings
  }

  /// Returns true if the chip's FIFO should keep samples until a delayed host reads them: the chip
  /// has a FIFO, and the file does not request to save bus time.
  private mutating func keepsLateSamples(
    _ fields: Fields, _ chip: ChipDescription?, _ acquisition: Acquisition
  ) -> Bool {
    let isAble = chip?.acquisitions.contains(.fifo) == true
    guard let word = choice(fields, "late-samples"), let field = fields["late-samples"] else {
      return isAble && acquisition == .dataReady
    }
    if word == "lost" { return false }
    if acquisition != .dataReady {
      report(
        field.position,
        "'late-samples' is 'kept' and \(fields.owner) is read by \(acquisition.boardName)",
        hint: "remove it: only 'read-by: data-ready' could lose late samples")
    } else if let chip, !isAble {
      report(
        field.position, "'late-samples' is 'kept' and \(chip.name) has no FIFO",
        hint: "remove it")
    }
    return isAble && acquisition == .dataReady
  }

  /// Reads whether the magnetometer inside the chip should be sampled.
  private mutating func usesMagnetometer(
    _ fields: Fields, _ chip: ChipDescription?, _ power: PowerMode
  ) -> Bool {
    guard flag(fields, "magnetometer") == true, let field = fields["magnetometer"], let chip else {
      return false
    }
    if chip.magnetometer == nil {
      report(
        field.keyPosition, "'magnetometer' for \(chip.name), which has none inside",
        hint: "remove it: add a separate compass as its own entry in 'chips'")
    } else if power == .low {
      report(
        field.keyPosition,
        "'magnetometer' is true and 'power' is low, which is the accelerometer alone",
        hint: "remove one of them")
    }
    return chip.magnetometer != nil && power == .normal
  }

  /// Reads the identity to use instead of the identity that the chip reports.
  private mutating func assumedIdentity(_ fields: Fields, _ chip: ChipDescription?) -> UInt8? {
    guard let field = fields["treat-as"], let name = text(fields, "treat-as") else { return nil }
    let relatives = catalogue.filter { $0.family == chip?.family ?? "" }
    if let row = relatives.meant(by: name) {
      return row.identity.supported.first
    }
    guard chip != nil else { return nil }
    refuse(
      field, expected: "a chip of its family: \(NearestWord.list(relatives.map(\.name)))",
      hint: NearestWord.to(name, among: relatives.map(\.name)).map { "did you mean '\($0)'?" })
    return nil
  }

  private mutating func rate(_ fields: Fields, _ chip: ChipDescription?, _ usual: Double) -> Double
  {
    let fastest = chip?.rates.max() ?? usual
    let slowest = chip?.rates.min() ?? usual
    guard let rate = number(fields, "rate-hz"), let field = fields["rate-hz"] else {
      return max(slowest, min(usual, fastest))
    }
    guard let chip, !chip.rates.isEmpty else { return rate }
    // The file may contain the slowest rate rounded to a few digits, so a margin is allowed.
    guard rate <= fastest * 1.0001, rate >= slowest * 0.99 else {
      let limits = "\(slowest.short) and \(fastest.short)"
      refuse(
        field, expected: "\(field.key.noun) between \(limits), which \(chip.name) can do")
      return rate
    }
    return max(slowest, min(rate, fastest))
  }

  /// Reads a full-scale range and returns it in the catalogue's unit. `unit` is the conversion
  /// factor from the file's unit.
  private mutating func range(
    _ fields: Fields, _ chip: ChipDescription?, _ key: String, _ channel: Channel, _ unit: Double,
    _ usual: Double
  ) -> Double {
    let written = number(fields, key)
    guard let chip else { return written.map { $0 * unit } ?? usual }
    let row = chip.channels.first { $0.channel == channel }
    guard let field = fields[key] else {
      // The default full scale is the smallest range that contains the usual range, or else the
      // widest range.
      let ranges = row?.ranges ?? []
      return ranges.first { $0 >= usual * 0.995 } ?? ranges.last ?? usual
    }
    guard let row else {
      report(
        field.keyPosition, "'\(key)' for \(chip.name), which measures no \(channel.words)",
        hint: "remove it")
      return usual
    }
    guard !row.ranges.isEmpty else {
      report(
        field.keyPosition, "'\(key)' for \(chip.name), which has one range only",
        hint: "remove it")
      return usual
    }
    guard let written else { return usual }
    if let range = row.ranges.first(where: { abs($0 - written * unit) <= $0 * 0.005 }) {
      return range
    }
    let offered = row.ranges.map { ($0 / unit).short }
    var hint: String?
    if channel == .magneticField, row.ranges.contains(where: { abs($0 - written * 100) < 1 }) {
      hint = "did you mean \((written * 100).short)? 1 gauss is 100 microtesla"
    }
    refuse(field, expected: "\(NearestWord.list(offered)), which \(chip.name) has", hint: hint)
    return usual
  }

  private mutating func acquisition(
    _ fields: Fields, _ chip: ChipDescription?, _ interrupt: Interrupt?
  ) -> Acquisition {
    let able = chip?.acquisitions ?? Acquisition.allCases
    // A chip with an invalid interrupt line counts as wired too, because the errors of the line
    // were reported already.
    let isWired = fields["interrupt"] != nil
    guard let word = choice(fields, "read-by"), let field = fields["read-by"] else {
      if isWired, able.contains(.dataReady) { return .dataReady }
      return able.contains(.fifo) ? .fifo : .polling
    }
    let wanted = Acquisition.allCases.first { $0.boardName == word } ?? .polling
    guard able.contains(wanted) else {
      refuse(
        field,
        expected: "\(NearestWord.list(able.map { $0.boardName })), which \(chip?.name ?? "it") can")
      return wanted
    }
    if wanted == .dataReady, !isWired {
      report(
        field.position, "'read-by' is 'data-ready' and \(fields.owner) has no 'interrupt'",
        hint: "add 'interrupt: { line: ... }' if the pin is wired, else read by "
          + "\(NearestWord.list(able.filter { $0 != .dataReady }.map { $0.boardName }))")
    }
    return wanted
  }
}

extension Channel {
  /// The name of the measured quantity, as used in messages.
  var words: String { "\(row.words)" }
}
