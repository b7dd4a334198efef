// SPDX-License-Identifier: Apache-2.0

/// The reason why there is no reference.
struct ReferenceError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
