// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recognition
import Testing

/// Falls that people played, and their other activities, from two public sets that are not part of
/// this repository. OTOLITH_FALLS names a folder with `SisFall_dataset` (200 Hz, waist) and
/// `mobifall` (a telephone in a trouser pocket); the results are in docs/movement.md.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["OTOLITH_FALLS"] != nil))
struct FallBench {
  private static let folder = ProcessInfo.processInfo.environment["OTOLITH_FALLS"] ?? ""

  /// Returns all files below a folder of the data.
  private static func files(_ name: String) -> [String] {
    let root = folder + "/" + name
    let all = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(".txt") }.sorted().map { root + "/" + $0 }
  }

  /// Returns true if a fall is found in every `step`th sample of a file.
  private static func isFall(_ path: String, every step: Int) throws -> Bool {
    let text = try String(contentsOfFile: path, encoding: .isoLatin1)
    let isPhone = path.contains("mobifall")
    var recognizer = PersonFallRecognizer()
    var number = 0
    var rows: [(time: Double, acceleration: Vector3)] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let fields = line.split { ",; \r\t".contains($0) }.map { Double($0) }
      if isPhone {
        guard fields.count >= 4, let time = fields[0], let x = fields[1], let y = fields[2],
          let z = fields[3]
        else { continue }
        rows.append((time / 1e9, Vector3(x, y, z) / 9.80665))
      } else {
        guard fields.count >= 3, let x = fields[0], let y = fields[1], let z = fields[2] else {
          continue
        }
        // An ADXL345 has 13 bits of +-16 g.
        rows.append((Double(number) / 200, Vector3(x, y, z) * (32.0 / 8192)))
        number += 1
      }
    }
    if isPhone { rows.sort { $0.time < $1.time } }
    for index in stride(from: 0, to: rows.count, by: step) {
      let time = Timestamp(seconds: rows[index].time)
      if recognizer.update(rows[index].acceleration, at: time) != nil { return true }
    }
    return false
  }

  @Test(arguments: [
    ("mobifall", 1), ("mobifall", 2), ("SisFall_dataset", 1), ("SisFall_dataset", 4),
    ("SisFall_dataset", 8),
  ])
  func `falls are found, and nothing else is`(_ set: String, _ step: Int) throws {
    var falls = (found: 0, all: 0), others = (found: 0, all: 0)
    var kinds: [String: (found: Int, all: Int)] = [:]
    for path in Self.files(set) where set != "mobifall" || path.contains("_acc_") {
      let name = (path as NSString).lastPathComponent
      guard name != "Readme.txt" else { continue }
      let isOne = set == "mobifall" ? path.contains("/FALLS/") : name.hasPrefix("F")
      let isReported = try Self.isFall(path, every: step)
      if isOne {
        falls = (falls.found + (isReported ? 1 : 0), falls.all + 1)
      } else {
        others = (others.found + (isReported ? 1 : 0), others.all + 1)
      }
      let kind = String(name.prefix(3))
      let sum = kinds[kind] ?? (0, 0)
      kinds[kind] = (sum.found + (isReported ? 1 : 0), sum.all + 1)
    }
    print(
      "\(set), every \(step)th sample: \(falls.found) of \(falls.all) falls, "
        + "\(others.found) of \(others.all) others"
    )
    for (kind, sum) in kinds.sorted(by: { $0.key < $1.key }) {
      print("  \(kind) \(sum.found) of \(sum.all)")
    }
    #expect(Double(falls.found) >= 0.9 * Double(falls.all))
    #expect(Double(others.found) <= 0.03 * Double(others.all))
  }
}
