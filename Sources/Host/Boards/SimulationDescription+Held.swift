// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Foundation
internal import Quantities

/// The error for an invalid text of constant quantities.
public struct HeldError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The description of the error: the invalid key or value, and what was expected.
  public let description: String
}

extension SimulationDescription.Motion {
  /// The list of quantities that can be held constant.
  public static var keysOfHeld: String {
    Channel.allCases.map { "\($0.row.key)" }.joined(separator: ", ")
  }

  /// Parses constant quantities such as `acceleration=0.1,-0.2,-0.97;pressure=98.7`, in device axes
  /// and Core Motion's units and signs. Quantities that the text does not contain have their values
  /// for a board at rest.
  public static func held(_ text: String) throws(HeldError) -> SimulationDescription.Motion {
    var sample = MovingWorld(.still, origin: .zero).sample(at: .zero)
    var seen: ChannelSet = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard let channel = Channel.allCases.first(where: { "\($0.row.key)" == halves.first })
      else {
        throw HeldError(
          description: "'\(halves.first ?? "")' is not a quantity; expected " + keysOfHeld)
      }
      let row = channel.row
      guard !seen.contains(channel) else {
        throw HeldError(description: "'\(row.key)' occurs twice; keep one")
      }
      seen.insert(ChannelSet(channel))
      let values = (halves.count > 1 ? halves[1] : "")
        .split(separator: ",", omittingEmptySubsequences: false)
        .map { Double($0.trimmingCharacters(in: .whitespaces)) }
      let good = values.compactMap { $0 }.filter { row.limits.contains($0) }
      guard good.count == channel.width, values.count == channel.width else {
        throw HeldError(
          description: row.complaint(halves.count > 1 ? halves[1] : "", channel.width))
      }
      sample[channel] =
        channel.isVector ? Vector3(good[0], good[1], good[2]) : Vector3(good[0], 0, 0)
    }
    return .held(sample)
  }
}

extension ChannelRow {
  fileprivate func complaint(_ found: String, _ width: Int) -> String {
    let numbers = width == 1 ? "a number" : "three numbers x,y,z"
    return "'\(key)' is '\(found)'; expected \(numbers) in \(unitWords), "
      + "\(Int(limits.lowerBound)) to \(Int(limits.upperBound))"
  }
}
