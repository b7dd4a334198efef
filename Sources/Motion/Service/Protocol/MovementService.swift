// SPDX-License-Identifier: Apache-2.0

/// Counts movement for a service's programs, and answers their queries.
public struct MovementService: Sendable {
  /// Called when the combined demand changes: true if any program needs movement to be counted.
  /// Must return at once.
  public var count: @Sendable (Bool) -> Void
  /// Answers a query; may wait for the disk.
  public var answer: @Sendable (MovementQuestion) -> ServiceAnswer

  public init(
    count: @escaping @Sendable (Bool) -> Void,
    answer: @escaping @Sendable (MovementQuestion) -> ServiceAnswer
  ) {
    self.count = count
    self.answer = answer
  }
}
