// SPDX-License-Identifier: Apache-2.0

/// Finds a line by name on all chips.
internal func findLine(named name: String) throws(OpenError) -> (path: String, offset: Int) {
  var seen: [String] = []
  var found: [(path: String, offset: Int)] = []
  try forEachChip { path, chip in
    for offset in 0..<chip.lineCount {
      guard let line = chip.line(offset), !line.name.isEmpty else { continue }
      if line.name == name { found.append((path, offset)) } else { seen.append(line.name) }
    }
  }
  // The kernel does not keep names unique. A guess could take the interrupt of something else.
  if found.count > 1 {
    throw OpenError(
      .gpioLine, name, errno: invalidError, cause: .other,
      present: found.map { "\($0.path):\($0.offset)" })
  }
  guard let only = found.first else {
    throw OpenError(
      .gpioLine, name, errno: notFoundError, cause: .missing,
      present: nearNames(to: name, among: seen))
  }
  return only
}

/// Finds a chip by label. The first of several: they are the same kind of chip, in the order of the
/// nodes.
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

/// Visits all chips that can be opened. Throws only if none can be, for the reason of the first.
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
