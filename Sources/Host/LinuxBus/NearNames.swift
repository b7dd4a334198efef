// SPDX-License-Identifier: Apache-2.0

/// Returns the names most similar to `wanted`, best first: those that differ in case or in up to a
/// third of the letters, and those that contain it.
package func nearNames(to wanted: String, among names: [String], limit: Int = 5) -> [String] {
  let wanted = Array(wanted.lowercased().utf8)
  return
    names
    .compactMap { name -> (name: String, distance: Int)? in
      let candidate = Array(name.lowercased().utf8)
      guard !candidate.isEmpty, !wanted.isEmpty else { return nil }
      let distance = editDistance(wanted, candidate)
      let contains = name.lowercased().contains(String(decoding: wanted, as: UTF8.self))
      return distance <= max(1, wanted.count / 3) || contains ? (name, distance) : nil
    }
    .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    .prefix(limit).map(\.name)
}

/// Counts the letters to insert, delete or replace (Levenshtein).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (x == y ? 0 : 1))
      diagonal = row[j + 1]
      row[j + 1] = next
    }
  }
  return row[b.count]
}
