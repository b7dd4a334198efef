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
  // The kernel does not keep line names unique, and a guess could request the interrupt of another
  // device.
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

/// Finds a chip by label. If several match, the first by node order: they are the same kind of
/// chip.
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

/// Visits all chips that can be opened. Throws only if no chip can be opened, with the error of the
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
