// SPDX-License-Identifier: Apache-2.0
internal import Text

internal func findLine(named name: String) throws(OpenError) -> (path: String, offset: Int) {
  var seen: [String] = []
  var found: [(path: String, offset: Int)] = []
  try forEachChip { path, chip in
    for offset in 0..<chip.lineCount {
      guard let line = chip.line(offset), !line.name.isEmpty else { continue }
      if line.name == name { found.append((path, offset)) } else { seen.append(line.name) }
    }
  }
  // Line names need not be unique, so with several matches a guess could request the interrupt of
  // another device.
  if found.count > 1 {
    throw OpenError(
      .gpioLine, name, errno: invalidError, cause: .other,
      present: found.map { "\($0.path):\($0.offset)" })
  }
  guard let only = found.first else {
    throw OpenError(
      .gpioLine, name, errno: notFoundError, cause: .missing,
      present: NearestWord.several(to: name, among: seen))
  }
  return only
}

/// Returns the path of the chip with this label. If several chips match, returns the first in the
/// order of their nodes, because chips with one label are of the same kind.
internal func findChip(labelled label: String) throws(OpenError) -> String {
  var labels: [String] = []
  var found: String?
  try forEachChip { path, chip in
    if chip.label == label, found == nil { found = path }
    labels.append(chip.label)
  }
  guard let found else {
    throw OpenError(.gpioChip, label, errno: notFoundError, cause: .missing, present: labels)
  }
  return found
}

/// Calls `visit` for each chip that can be opened. If none can be opened, throws the error of the
/// first.
private func forEachChip(_ visit: (String, borrowing OpenChip) -> Void) throws(OpenError) {
  var refusal: OpenError?
  var opened = 0
  for path in LinuxBuses.gpioPaths() {
    do throws(OpenError) {
      let chip = try OpenChip(path)
      opened += 1
      visit(path, chip)
    } catch {
      refusal = refusal ?? error
    }
  }
  if opened == 0, let refusal { throw refusal }
}
