// SPDX-License-Identifier: Apache-2.0
internal import Registers

/// A set of writes to a chip's registers, one per register, and the writes that undo the plan.
public struct RegisterPlan: Equatable, Sendable {
  /// A write of the plan, to one register.
  public struct Step: Equatable, Sendable {
    public var row: RegisterRow
    /// The register's contents before the write; `nil` if they are unknown.
    public var before: UInt16?
    public var after: UInt16
  }

  /// The plan's writes, in the order of the queries.
  public private(set) var steps: [Step] = []

  /// Creates the plan for those `queries` that have a value. Fields of one register are combined
  /// into one write, and the register's other fields keep the values from `read`. `isForced` allows
  /// undocumented registers.
  public init<Failure: Error>(
    _ queries: [RegisterQuery], isForced: Bool = false,
    refuse: (Refusal) -> Failure, read: (RegisterRow) throws(Failure) -> UInt16
  ) throws(Failure) {
    for query in queries {
      guard let change = query.change else { continue }
      let row = query.row
      guard row.isWritable else { throw refuse(.readOnly(row)) }
      guard query.isDocumented || isForced else { throw refuse(.undocumented(row)) }
      if let index = steps.firstIndex(where: { $0.row.place == row.place }) {
        steps[index].after = change.applied(to: steps[index].after)
        continue
      }
      let isKnown = row.isReadable && row.effect == .none
      guard isKnown || change.mask == row.allBits else { throw refuse(.unreadable(row)) }
      let before = isKnown ? try read(row) : nil
      steps.append(Step(row: row, before: before, after: change.applied(to: before ?? 0)))
    }
  }

  /// The reason why the plan is refused.
  public enum Refusal: Equatable, Sendable {
    case readOnly(RegisterRow)
    case undocumented(RegisterRow)
    /// The register of a query cannot be read, so the fields that should keep their values are
    /// unknown.
    case unreadable(RegisterRow)
  }

  /// The queries that restore the previous contents, in reverse order: `gyroConfig=0x18`.
  public var undo: [String] {
    steps.reversed().compactMap { step in
      step.before.map { "\(step.row.name)=\(step.row.text($0))" }
    }
  }
}
