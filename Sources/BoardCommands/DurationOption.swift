// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The end of a command that else goes on until Ctrl-C.
package struct DurationOption: ParsableArguments {
  package init() {}

  @Option(
    name: [.customShort("d"), .customLong("duration")],
    help: ArgumentHelp("End after so many seconds. (default: until Ctrl-C)", valueName: "seconds"))
  package var seconds: Double?

  package func validate() throws { if let seconds { try Self.check(seconds) } }

  /// Throws where a duration is none, or outside of what its command can do.
  package static func check(_ seconds: Double, _ limits: ClosedRange<Double>? = nil) throws {
    if let limits, !limits.contains(seconds) {
      let (least, most) = (text(limits.lowerBound), text(limits.upperBound))
      throw ValidationError("--duration is between \(least) and \(most) seconds")
    }
    guard seconds > 0, seconds <= 1e9 else {
      throw ValidationError("--duration is a number of seconds above 0, such as 10")
    }
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
