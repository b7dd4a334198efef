// SPDX-License-Identifier: Apache-2.0
package import Recognition

extension ActivityEstimate {
  /// The activities as text, such as `automotive, stationary`; `moving` if none is recognised.
  package var names: String {
    let all: [(ActivitySet, String)] = [
      (.automotive, "automotive"), (.cycling, "cycling"), (.running, "running"),
      (.walking, "walking"), (.stationary, "stationary"), (.unknown, "unknown"),
    ]
    let names = all.filter { activities.contains($0.0) }.map(\.1)
    return names.isEmpty ? "moving" : names.joined(separator: ", ")
  }
}
