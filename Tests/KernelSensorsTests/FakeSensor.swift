// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Quantities
import SystemPackage
import Testing

@testable import KernelSensors

/// A folder with the files that the kernel has for sensors. Removed with this object.
final class FakeSysfs {
  let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "sysfs-\(UUID())").path()
    try FileManager.default.createDirectory(
      atPath: "\(root)/bus/iio/devices", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: "\(root)/udev", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var sensors: [KernelSensor] { KernelSensor.all(sysfs: root, udev: "\(root)/udev") }

  /// Adds sensor `number` with these files, at `place` below the folder of devices. As in sysfs, the
  /// folder among the sensors is a link.
  func add(_ number: Int, at place: String, _ files: [String: String]) throws {
    let folder = "\(root)/devices/\(place)/iio:device\(number)"
    for (name, text) in files {
      let path = "\(folder)/\(name)"
      let parent = URL(filePath: path).deletingLastPathComponent().path()
      try FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/bus/iio/devices/iio:device\(number)", withDestinationPath: folder)
  }

  func text(_ file: String, of number: Int) -> String {
    let path = "\(root)/bus/iio/devices/iio:device\(number)/\(file)"
    return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "none")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// The files of the kernel's driver of a BMI160, as Linux 6.1 has them, read in the virtual bench.
enum Samples {
  static var bmi160: [String: String] {
    var files = [
      "name": "bmi160\n", "dev": "254:0\n", "current_timestamp_clock": "realtime\n",
      "in_accel_scale": "0.000598\n",
      "in_accel_scale_available": "0.000598 0.001197 0.002394 0.004788\n",
      "in_accel_sampling_frequency": "1600.000000\n",
      "in_accel_sampling_frequency_available":
        "0.781250 1.562500 3.125000 6.250000 12.500000 25 50 100 200 400 800 1600\n",
      "in_anglvel_scale": "0.001065\n",
      "in_anglvel_scale_available": "0.001065 0.000532 0.000266 0.000133 0.000066\n",
      "in_anglvel_sampling_frequency": "3200.000000\n",
      "in_anglvel_sampling_frequency_available": "25 50 100 200 400 800 1600 3200\n",
      "in_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1\n",
      "buffer/enable": "0\n", "buffer/length": "2\n", "buffer/watermark": "1\n",
      "trigger/current_trigger": "bmi160-dev0\n",
    ]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      for (first, kind) in [(0, "accel"), (3, "anglvel")] {
        files["in_\(kind)_\(axis)_raw"] = "100\n"
        files["scan_elements/in_\(kind)_\(axis)_en"] = "0\n"
        files["scan_elements/in_\(kind)_\(axis)_index"] = "\(first + index)\n"
        files["scan_elements/in_\(kind)_\(axis)_type"] = "le:s16/16>>0\n"
      }
    }
    files["scan_elements/in_timestamp_en"] = "0\n"
    files["scan_elements/in_timestamp_index"] = "6\n"
    files["scan_elements/in_timestamp_type"] = "le:s64/64>>0\n"
    return files
  }

  /// An accelerometer of a hub, as hid-sensor-accel-3d has it: 32 bits, 9.80665e-6 m/s^2 a count.
  static var hub: [String: String] {
    var files = [
      "name": "accel_3d\n", "dev": "254:1\n", "in_accel_scale": "0.000010\n",
      "in_accel_offset": "0\n", "in_accel_sampling_frequency": "100.000000\n",
      "trigger/current_trigger": "accel_3d-dev1\n", "buffer/enable": "0\n",
      "buffer/length": "2\n",
    ]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      files["in_accel_\(axis)_raw"] = "0\n"
      files["scan_elements/in_accel_\(axis)_en"] = "0\n"
      files["scan_elements/in_accel_\(axis)_index"] = "\(index)\n"
      files["scan_elements/in_accel_\(axis)_type"] = "le:s32/32>>0\n"
    }
    return files
  }
}
