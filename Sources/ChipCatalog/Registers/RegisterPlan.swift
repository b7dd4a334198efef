// SPDX-License-Identifier: Apache-2.0
internal import Registers

/// The writes to a chip's registers, each once, with those that undo them.
public struct RegisterPlan: Equatable, Sendable {
  /// One register and the contents that it is to have.
  public struct Step: Equatable, Sendable {
    public var row: RegisterRow
    /// The contents so far; `nil` where they cannot be known.
    public var before: UInt16?
    public var after: UInt16
  }

  /// In the order in which they were named.
  public private(set) var steps: [Step] = []

  /// The plan of `queries`, those without a value left out: fields of one register are written at
  /// once, its others stay as `read` says that they are. `isForced`: also what is in no register
  /// map.
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

  /// The reason why nothing is written.
  public enum Refusal: Equatable, Sendable {
    case readOnly(RegisterRow)
    case undocumented(RegisterRow)
    /// Its other fields cannot stay as they are.
    case unreadable(RegisterRow)
  }

  /// The writes that restore what the registers held, last first: `gyroConfig=0x18`.
  public var undo: [String] {
    steps.reversed().compactMap { step in
      step.before.map { "\(step.row.name)=\(step.row.text($0))" }
    }
  }
}
