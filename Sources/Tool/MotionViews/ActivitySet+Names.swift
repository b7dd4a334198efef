// SPDX-License-Identifier: Apache-2.0
package import Recognition

extension ActivitySet {
  /// The names of the activities, for users and programs.
  package var names: [String] {
    let all: [(ActivitySet, String)] = [
      (.automotive, "automotive"), (.cycling, "cycling"), (.running, "running"),
      (.walking, "walking"), (.stationary, "stationary"), (.unknown, "unknown"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }

  /// The activities as text, such as `automotive, stationary`; `moving` if none is recognised.
  package var text: String { names.isEmpty ? "moving" : names.joined(separator: ", ") }
}
