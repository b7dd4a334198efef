// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import KernelSensors
internal import Quantities

extension DetectionResult {
  /// The kernel's sensors of which a board of this machine consists: those that measure motion or
  /// the surroundings, without the accelerometer in the base of a machine that has another in its
  /// display.
  package var usableKernelSensors: [KernelSensor] {
    let sensors = kernelSensors.filter { !$0.measures.subtracting(.temperature).isEmpty }
    let hasDisplay = sensors.contains { $0.label == "accel-display" }
    return sensors.filter { !hasDisplay || $0.label != "accel-base" }
  }

  /// The text of a board file for the kernel's sensors; `nil` if there are none.
  var kernelBoardText: String? {
    let sensors = usableKernelSensors
    guard !sensors.isEmpty else { return nil }
    var text = "otolith-board: 1\nname: Detected\nchips:\n"
    var names: Set<String> = []
    for sensor in sensors {
      let word = String(
        sensor.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
          .prefix(24))
      let base = word.isEmpty ? "sensor" : word
      var name = base
      var number = 2
      while !names.insert(name).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      let isUnique = sensors.count { $0.isCalled(sensor.name) } == 1
      text += "  \(name):\n    iio: \(quoted(isUnique ? sensor.name : sensor.place))\n"
    }
    return text
  }

  /// Returns a YAML string, because names of the kernel may contain any character.
  private func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "/_-.:".contains($0))
    }
    guard !isPlain || text.hasSuffix(":") || text.first?.isLetter != true && text.first != "/"
    else {
      return text
    }
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
