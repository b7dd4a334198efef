// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import Foundation
internal import Quantities
internal import Simulation

/// A text of held quantities that could not be read.
public struct HeldError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, with the key that it is wrong with, and what was expected.
  public let description: String
}

extension SimulationDescription.Motion {
  /// The quantities of `text`, each held at its value: `acceleration=0.1,-0.2,-0.97;pressure=98.7`. In device axes and
  /// Core Motion's units and signs. What it leaves out is as for a board that lies still.
  public static func held(_ text: String) throws(HeldError) -> SimulationDescription.Motion {
    var sample = MovingWorld(.still, origin: .zero).sample(at: .zero)
    var seen: [String] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard let key = HeldKey.all.first(where: { $0.name == halves.first }) else {
        throw HeldError(
          description: "'\(halves.first ?? "")' is no quantity; expected "
            + HeldKey.all.map(\.name).joined(separator: ", "))
      }
      guard !seen.contains(key.name) else {
        throw HeldError(description: "'\(key.name)' is there twice; keep one")
      }
      seen.append(key.name)
      let values = (halves.count > 1 ? halves[1] : "")
        .split(separator: ",", omittingEmptySubsequences: false)
        .map { Double($0.trimmingCharacters(in: .whitespaces)) }
      let good = values.compactMap { $0 }.filter { key.limits.contains($0) }
      guard good.count == key.count, values.count == key.count else {
        throw HeldError(description: key.complaint(halves.count > 1 ? halves[1] : ""))
      }
      key.set(&sample, good)
    }
    return .held(sample)
  }
}

/// One quantity that can be held.
private struct HeldKey: Sendable {
  let name: String
  let unit: String
  /// How many numbers.
  let count: Int
  /// What the models bear with room to spare; no chip of ours measures as much.
  let limits: ClosedRange<Double>
  let set: @Sendable (inout Sample, [Double]) -> Void

  func complaint(_ found: String) -> String {
    let numbers = count == 1 ? "a number" : "three numbers x,y,z"
    return "'\(name)' is '\(found)'; expected \(numbers) in \(unit), "
      + "\(Int(limits.lowerBound)) to \(Int(limits.upperBound))"
  }

  static let all = [
    HeldKey(name: "acceleration", unit: "g", count: 3, limits: -1000...1000) {
      $0.acceleration = Vector3($1[0], $1[1], $1[2])
    },
    HeldKey(name: "rotation-rate", unit: "rad/s", count: 3, limits: -1000...1000) {
      $0.rotationRate = Vector3($1[0], $1[1], $1[2])
    },
    HeldKey(name: "magnetic-field", unit: "microtesla", count: 3, limits: -100_000...100_000) {
      $0.magneticField = Vector3($1[0], $1[1], $1[2])
    },
    HeldKey(name: "pressure", unit: "kPa", count: 1, limits: 0...200) { $0.pressure = $1[0] },
    HeldKey(name: "temperature", unit: "degrees Celsius", count: 1, limits: -273...1000) {
      $0.temperature = $1[0]
    },
    HeldKey(name: "humidity", unit: "percent", count: 1, limits: 0...100) { $0.humidity = $1[0] },
  ]
}
