// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

/// Counts how many configurations, rows and ways were run.
enum Tally {
  private static let counts = Mutex<[String: Int]>([:])

  static func add(_ way: Way, _ runs: Int) {
    counts.withLock { $0[way.testDescription, default: 0] += runs }
  }

  static var summary: String {
    counts.withLock { counts in
      let runs = counts.values.reduce(0, +)
      return "\(counts.count) ways of \(Row.all.count) rows on a bus, \(runs) configurations"
    }
  }
}

/// Prints the counts after all tests.
struct TallyTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    print("conformance: \(Tally.summary)")
  }
}
