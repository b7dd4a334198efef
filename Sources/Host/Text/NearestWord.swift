// SPDX-License-Identifier: Apache-2.0

/// A search for the word that a user probably meant.
package enum NearestWord {
  /// Returns the candidate that is most similar to `word`; `nil` if no candidate is similar enough.
  package static func to(_ word: String, among candidates: [String]) -> String? {
    let wanted = plain(word)
    guard !wanted.isEmpty else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let offered = plain(candidate)
      var distance = editDistance(wanted, offered)
      // A word that is a name without its manufacturer or unit (`mpu6050`, `rate`) is more similar
      // than its length suggests.
      if wanted.count >= 3, offered.starts(with: wanted) { distance = min(distance, 1) }
      if let comma = offered.firstIndex(of: ",") {
        let part = Array(offered[(comma + 1)...])
        let wantedPart = wanted.lastIndex(of: ",").map { Array(wanted[($0 + 1)...]) } ?? wanted
        distance = min(distance, editDistance(wantedPart, part))
      }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, min(3, wanted.count / 3)) else { return nil }
    return best.candidate
  }

  /// Returns the names that are most similar to `wanted`, best first: those that differ in case or
  /// in up to a third of the letters, and names that contain it.
  package static func several(
    to wanted: String, among names: [String], limit: Int = 5
  ) -> [String] {
    let wanted = wanted.lowercased()
    guard !wanted.isEmpty else { return [] }
    let letters = Array(wanted)
    let near = names.compactMap { name -> (name: String, distance: Int)? in
      let candidate = name.lowercased()
      let distance = editDistance(letters, Array(candidate))
      let isNear = distance <= max(1, letters.count / 3) || candidate.contains(wanted)
      return isNear && !candidate.isEmpty ? (name, distance) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(limit).map(\.name)
  }

  /// Returns the given words as a list in a sentence: `a, b or c`.
  package static func list(_ words: [String]) -> String {
    guard let last = words.last else { return "nothing" }
    return words.count == 1
      ? last : words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Returns the word in lowercase letters and with `-` instead of `_`, because such differences do
  /// not count as misspellings.
  private static func plain(_ word: String) -> [Character] {
    word.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 }
  }

  /// Returns the number of insertions, deletions, substitutions and swaps of neighbouring letters
  /// from `a` to `b` (optimal string alignment).
  private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    // Longer words are not compared: they are not misspelled names, and the cost of the comparison
    // grows with the product of the lengths.
    guard a.count <= 64, b.count <= 64 else { return .max }
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var distance = min(substitution, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          distance = min(distance, beforeLast[j - 2] + 1)
        }
        row.append(distance)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
