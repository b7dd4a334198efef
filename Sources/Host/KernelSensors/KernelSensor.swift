// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
package import Quantities

/// A sensor that a driver of the kernel reads: a device of the kernel's industrial I/O subsystem
/// (IIO), as sysfs describes it (Linux, Documentation/ABI/testing/sysfs-bus-iio).
package struct KernelSensor: Equatable, Sendable {
  /// The device's folder in sysfs. Its number differs between boots.
  package var folder: String
  /// The name that the kernel's driver gives, such as `bmi160` or `accel_3d`.
  package var name: String
  /// The name that firmware or the device tree gives; `nil` without one.
  package var label: String?
  /// The folder of the hardware in sysfs, which is the same after each boot.
  package var place: String
  /// The device node of the buffer; `nil` if the device has no buffer.
  package var node: String?
  package var channels: [KernelChannel]
  /// The full-scale ranges of each channel that has several, smallest first.
  package var ranges: [Channel: [KernelRange]]
  /// The output data rates in Hz, fastest first; empty if the kernel's driver offers none.
  package var rates: [Double]
  /// True if the device is part of a sensor hub (HID), which reports acceleration as Windows does:
  /// gravity, -1 g on an axis that points up.
  package var isHub: Bool
  /// The rotation from the axes of the kernel's values to those of the machine; `nil` if neither
  /// udev nor the kernel's driver knows it.
  package var mounting: Matrix3?

  /// True if scans of the buffer contain the values.
  package var hasScans: Bool { node != nil && channels.allSatisfy { $0.element != nil } }

  /// True if all values can be read from files.
  package var hasFiles: Bool { channels.allSatisfy { $0.file != nil } }

  /// True if silence means that nothing has changed: of a hub, which may report changes only, and
  /// of a sensor for light or proximity.
  package var reportsChanges: Bool {
    isHub || measures.isSubset(of: [.illuminance, .proximity])
  }

  /// The quantities that the device measures.
  package var measures: ChannelSet { ChannelSet(channels.map(\.channel)) }

  /// True if a board file means this sensor by `text`: its name, its label, or the end of its
  /// place.
  package func isCalled(_ text: String) -> Bool {
    name == text || label == text || place == text || place.hasSuffix("/" + text)
  }

  /// Returns the sensor of `present` that is this one, whatever its number is now; `nil` if it is
  /// not among them.
  package func found(among present: [KernelSensor]) -> KernelSensor? {
    let called = present.filter { $0.name == name && $0.label == label }
    return called.first { $0.lastingPlace == lastingPlace } ?? (called.count == 1 ? called[0] : nil)
  }

  /// The place without the numbers that the kernel counts up for each hub that is plugged in, such
  /// as .0001 and .1.auto.
  private var lastingPlace: String {
    place.split(separator: "/").map { part in
      part.split(separator: ".").filter { $0 != "auto" && Int($0, radix: 16) == nil }
        .joined(separator: ".")
    }.joined(separator: "/")
  }

  /// Returns the sensors that measure at least one of otolith's channels, in the order of the
  /// kernel's numbers.
  package static func all(sysfs: String = "/sys", udev: String = "/run/udev/data")
    -> [KernelSensor]
  {
    let root = "\(sysfs)/bus/iio/devices"
    let numbers = Sysfs.names(in: root).compactMap { name in
      name.hasPrefix(Self.prefix) ? Int(name.dropFirst(Self.prefix.count)) : nil
    }
    return numbers.sorted().compactMap { number in
      KernelSensor("\(root)/\(Self.prefix)\(number)", udev: udev)
    }
  }

  private static var prefix: String { "iio:device" }

  private init?(_ folder: String, udev: String) {
    let files = SensorFiles(folder)
    self.folder = folder
    name = files.line("name") ?? String(folder.split(separator: "/").last ?? "")
    // Before Linux 5.18 a Chromebook's sensors had a separate file for this.
    label =
      files.line("label")
      ?? ["lid": "accel-display", "base": "accel-base"][files.line("location") ?? ""]
    let path = Sysfs.path(of: folder) ?? folder
    place = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    isHub = place.split(separator: "/").last?.hasPrefix("HID-SENSOR-") == true
    let number = folder.split(separator: "/").last ?? ""
    node = files.line("dev") == nil || !files.hasBuffer ? nil : "/dev/\(number)"
    var channels = KernelQuantity.all.flatMap(files.channels)
    guard !channels.isEmpty else { return nil }
    // The buffer goes before files, so that values that only files have are left out.
    if node != nil, channels.contains(where: { $0.element != nil }) {
      channels.removeAll { $0.element == nil }
    }
    let known = channels
    self.channels = known
    ranges = KernelQuantity.all.reduce(into: [:]) { ranges, quantity in
      let found = files.ranges(quantity, known)
      if found.count > 1 { ranges[quantity.channel] = found }
    }
    rates = files.rates(known)
    mounting = files.mounting(isHub: isHub, udev: udev)
  }
}

/// A full-scale range that a kernel's sensor offers.
package struct KernelRange: Equatable, Sendable {
  /// The largest value, in the channel's unit.
  package var range: Double
  /// The range's scale as the kernel writes it, which selects the range.
  package var text: String
}
