// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The duration of a command that otherwise runs until Ctrl-C.
package struct DurationOption: ParsableArguments {
  package init() {}

  @Option(
    name: [.customShort("d"), .customLong("duration")],
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many seconds. (default: until Ctrl-C)", valueName: "seconds"),
    transform: NumberForm.seconds())
  package var seconds: Double?
}
