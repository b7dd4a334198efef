// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import Quantities

/// The files of a kernel's sensor in sysfs.
struct SensorFiles {
  private let folder: String
  private let names: Set<String>
  /// The folder with the scan elements: `scan_elements`, or in newer kernels `buffer0`.
  let scanFolder: String
  private let scanNames: Set<String>

  init(_ folder: String) {
    self.folder = folder
    names = Set(Sysfs.names(in: folder))
    scanFolder = names.contains("scan_elements") ? "scan_elements" : "buffer0"
    scanNames = Set(Sysfs.names(in: "\(folder)/\(scanFolder)"))
  }

  var hasBuffer: Bool { scanNames.contains { $0.hasSuffix("_type") } }

  func line(_ name: String) -> String? {
    guard let text = Sysfs.line(of: "\(folder)/\(name)", limit: 4096), !text.isEmpty else {
      return nil
    }
    return text
  }

  func has(_ name: String) -> Bool { names.contains(name) }

  func number(_ name: String) -> Double? {
    line(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the file with an attribute of a value: its own, that of its quantity, or that of the
  /// device.
  private func file(_ attribute: String, of name: String, _ quantity: String) -> String? {
    ["\(name)_\(attribute)", "\(quantity)_\(attribute)", "in_\(attribute)", attribute]
      .first(where: names.contains)
  }

  private func element(_ name: String) -> ScanElement? {
    guard scanNames.contains("\(name)_type"),
      let format = line("\(scanFolder)/\(name)_type").flatMap({ ScanFormat($0) }),
      format.count == 1,
      let index = line("\(scanFolder)/\(name)_index").flatMap({ Int($0) })
    else { return nil }
    return ScanElement(name: name, index: index, format: format)
  }

  /// The time stamp in the scans; `nil` if they have none.
  var timestamp: ScanElement? { element("in_timestamp") }

  /// Returns the values of a quantity that the device measures; none if a vector lacks an axis.
  func channels(of quantity: KernelQuantity) -> [KernelChannel] {
    var channels: [KernelChannel] = []
    for (axis, name) in quantity.names.enumerated() {
      let element = element(name)
      let hasCounts = names.contains("\(name)_raw")
      let hasValue = names.contains("\(name)_input")
      guard hasCounts || hasValue || element != nil else { return [] }
      // `_input` holds the value in the kernel's unit; `_raw` and the scans hold counts.
      let isPlain = element == nil && !hasCounts
      let scale = self.file("scale", of: name, quantity.file).map { number($0) } ?? 1
      let offset = self.file("offset", of: name, quantity.file).map { number($0) } ?? 0
      guard let scale, let offset else { return [] }
      let factor = KernelQuirk.factor(line("name"), quantity.channel, axis: axis, scale: scale)
      channels.append(
        KernelChannel(
          name: name, channel: quantity.channel, axis: axis,
          scale: (isPlain ? 1 : scale * factor) * quantity.factor, offset: isPlain ? 0 : offset,
          element: element, file: hasCounts ? "\(name)_raw" : isPlain ? "\(name)_input" : nil))
    }
    return channels
  }

  /// Returns the numbers in an attribute with the suffix `_available`: a list, or of a range with
  /// its ends and its step, `[0.5 0.5 100]`, the largest number and its halves.
  private func available(_ file: String) -> [Double] {
    let valid = words(file).compactMap { Double($0) }.filter { $0.isFinite && $0 > 0 }
    guard line("\(file)_available")?.contains("[") == true, valid.count == 3 else { return valid }
    var numbers: [Double] = []
    var number = valid[2]
    while number >= valid[0], numbers.count < 16 {
      numbers.append(number)
      number = valid[0] + ((number / 2 - valid[0]) / valid[1]).rounded() * valid[1]
      if let last = numbers.last, number >= last { break }
    }
    return numbers
  }

  private func words(_ file: String) -> [String] {
    (line("\(file)_available") ?? "").split { " []\t,".contains($0) }.map(String.init)
  }

  func ranges(_ quantity: KernelQuantity, _ channels: [KernelChannel]) -> [KernelRange] {
    guard let first = channels.first(where: { $0.channel == quantity.channel }),
      let format = first.element?.format, format.isSigned, format.bits <= 24,
      let file = file("scale", of: first.name, quantity.file)
    else { return [] }
    let name = line("name")
    let bits = KernelQuirk.bits(name, quantity.channel) ?? format.bits
    let counts = Double(1 << (bits - 1))
    return words(file).compactMap { text in
      Double(text).map { scale in
        let factor = KernelQuirk.factor(name, quantity.channel, axis: 0, scale: scale).magnitude
        return KernelRange(range: scale * factor * quantity.factor * counts, text: text)
      }
    }.filter { $0.range.isFinite && $0.range > 0 }.sorted { $0.range < $1.range }
  }

  /// Returns the files that hold the scales of `channels`, each once.
  func scaleFiles(_ channels: [KernelChannel]) -> [String] { files("scale", channels) }

  /// Returns the files that hold the rates of `channels`, each once.
  func rateFiles(_ channels: [KernelChannel]) -> [String] { files("sampling_frequency", channels) }

  private func files(_ attribute: String, _ channels: [KernelChannel]) -> [String] {
    var files: [String] = []
    for channel in channels {
      let quantity = KernelQuantity.all.first { $0.channel == channel.channel }?.file ?? ""
      guard let file = file(attribute, of: channel.name, quantity), !files.contains(file) else {
        continue
      }
      files.append(file)
    }
    return files
  }

  /// Returns the text with which the kernel offers `rate`.
  func text(ofRate rate: Double, _ files: [String]) -> String? {
    for file in files {
      if let text = words(file).first(where: { Double($0).map { abs($0 - rate) < 1e-6 } == true }) {
        return text
      }
    }
    return nil
  }

  /// Returns the rates that all files with a list of rates offer, fastest first.
  func rates(_ channels: [KernelChannel]) -> [Double] {
    var common: [Double]?
    for file in rateFiles(channels) {
      let offered = available(file)
      guard !offered.isEmpty else { continue }
      common = common.map { rates in rates.filter(offered.contains) } ?? offered
    }
    return (common ?? []).sorted(by: >)
  }

  // MARK: The buffer

  /// The names of all values that scans can contain.
  var elementNames: [String] {
    scanNames.filter { $0.hasSuffix("_en") }.map { String($0.dropLast(3)) }.sorted()
  }

  /// True if the buffer can wait for several samples before it reports them.
  var hasWatermark: Bool { Sysfs.exists("\(folder)/buffer/watermark") }

  /// The trigger that fills the buffer.
  enum Trigger: Equatable {
    /// The buffer has one, or needs none.
    case set
    /// The trigger with this name has to be chosen.
    case named(String)
    /// The timer with this name has to be chosen, which has the rate.
    case timer(String)
    /// The buffer needs a trigger, and the kernel has no suitable one.
    case missing
  }

  /// Returns the trigger for a buffer that is filled `rate` times a second. Without one of the
  /// sensor's own, requests a timer from the kernel.
  func trigger(rate: Double) -> Trigger {
    let current = line("trigger/current_trigger")
    let number = folder.split(separator: "/").last?.split(separator: ":device").last ?? ""
    let timer = "otolith-\(number)"
    guard names.contains("trigger"), !Sysfs.exists("\(folder)/buffer/hwfifo_watermark_max"),
      current == nil || current == timer
    else { return .set }
    // The folder is a link, so its parent has to be found in its path.
    let root = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
    let prefix = "trigger"
    for isSecond in [false, true] {
      let numbers = Sysfs.names(in: root).compactMap { name in
        name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
      }
      let found = numbers.sorted().compactMap { number in
        Sysfs.line(of: "\(root)/\(prefix)\(number)/name").map { (number, $0) }
      }
      let own = ["\(line("name") ?? "")-dev\(number)", "\(line("name") ?? "")-trigger"]
      if let name = own.first(where: { name in found.contains { $0.1 == name } }) {
        return .named(name)
      }
      if let (number, name) = found.first(where: { $0.1 == timer }) {
        return set("\(root)/\(prefix)\(number)/sampling_frequency", to: rate)
          ? .timer(name) : .missing
      }
      let timers = "/sys/kernel/config/iio/triggers/hrtimer"
      guard !isSecond, Sysfs.makeFolder("\(timers)/\(timer)") == 0 else { break }
    }
    return .missing
  }

  /// Writes a rate into a file. Kernels before 5.13 take whole numbers only.
  private func set(_ file: String, to rate: Double) -> Bool {
    let whole = "\(Int(saturating: rate.rounded()))"
    let texts = rate == rate.rounded() ? [whole] : ["\(rate)", whole]
    return texts.contains { Sysfs.write($0, to: file) == 0 }
  }

  // MARK: Mounting

  /// Returns the rotation from the axes of the device's values to those of the machine.
  ///
  /// udev's database and ACPI give matrices that make from the kernel's values what Windows
  /// reports, -1 g on an axis that points up (systemd, hwdb.d/60-sensor.hwdb; iio-sensor-proxy); a
  /// device tree gives matrices for specific force (Linux, bindings/iio/mount-matrix.txt). Machines
  /// are tested with the screen upright, so a third row that mirrors is a mistake: it follows from
  /// the first two.
  func mounting(isHub: Bool, udev: String) -> Matrix3? {
    if let matrix = udevMatrix(udev) { return rotation(matrix, isForce: isHub) }
    let file = ["in_accel", "in_anglvel", "in_magn", "in"].map { "\($0)_mount_matrix" }
      .first(where: names.contains)
    guard let file = file ?? (names.contains("mount_matrix") ? "mount_matrix" : nil),
      let matrix = line(file).flatMap({ Matrix3(kernel: $0) }), matrix != .identity
    else { return nil }
    // Drivers give the identity matrix if nothing is known.
    let isOfTree = names.contains("of_node") || Sysfs.exists("\(folder)/../of_node")
    return rotation(matrix, isForce: isHub || isOfTree)
  }

  private func rotation(_ matrix: Matrix3, isForce: Bool) -> Matrix3? {
    let sign: Scalar = isForce ? 1 : -1
    let (x, y) = (matrix.row1 * sign, matrix.row2 * sign)
    let rotation = Matrix3(rows: x, y, x.cross(y))
    return rotation.isRotation ? rotation : nil
  }

  private func udevMatrix(_ udev: String) -> Matrix3? {
    guard let number = line("dev"),
      let bytes = Sysfs.contents(of: "\(udev)/c\(number)", limit: 65_536)
    else { return nil }
    let key = "E:ACCEL_MOUNT_MATRIX="
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(key) }
      .flatMap { Matrix3(kernel: $0.dropFirst(key.count)) }
  }
}
