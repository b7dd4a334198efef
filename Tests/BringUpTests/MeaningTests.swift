// SPDX-License-Identifier: Apache-2.0
import BringUp
import Foundation
import Runtime
import Testing

/// docs/bring-up.md contains the explanation of every cause as the commands print it.
@Test(arguments: Cause.allCases) func `the page lists every cause in the words of the report`(
  _ cause: Cause
)
  throws
{
  let page = try String(contentsOfFile: EvidenceTests.root + "docs/bring-up.md", encoding: .utf8)
  let meaning = cause.meaning
  let row =
    "| `\(cause.rawValue)` | \(meaning.explanation) | \(meaning.steps.joined(separator: "; ")) |"
  #expect(page.contains(row + "\n"), "\(row)")
}
