// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The option `--force`, for every command that writes a file.
package struct OverwriteOption: ParsableArguments {
  package init() {}

  @Flag(help: "Replace an existing file.")
  package var force = false
}
