// SPDX-License-Identifier: Apache-2.0
internal import Runtime

extension [Finding] {
  /// The findings, grouped by advice so that each piece of advice is printed once. The groups are
  /// in the order of their first findings.
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
