// SPDX-License-Identifier: Apache-2.0

extension [Finding] {
  /// The findings grouped by advice, in the order of each group's first, so that advice is printed
  /// once.
  package var byAdvice: [[Finding]] {
    var groups: [[Finding]] = []
    for finding in self {
      let index = groups.firstIndex {
        $0[0].cause == finding.cause && $0[0].explanation == finding.explanation
          && $0[0].steps == finding.steps
      }
      if let index { groups[index].append(finding) } else { groups.append([finding]) }
    }
    return groups
  }
}
