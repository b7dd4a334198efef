// SPDX-License-Identifier: Apache-2.0

/// A counter of movement for the programs of a service, which also answers their questions.
public struct MovementService: Sendable {
  /// Called when the wish of all programs together changes: true where any wants movement to be
  /// counted. Returns at once.
  public var count: @Sendable (Bool) -> Void
  /// Answers a question; may wait for the disk.
  public var answer: @Sendable (MovementQuestion) -> ServiceAnswer

  public init(
    count: @escaping @Sendable (Bool) -> Void,
    answer: @escaping @Sendable (MovementQuestion) -> ServiceAnswer
  ) {
    self.count = count
    self.answer = answer
  }
}
