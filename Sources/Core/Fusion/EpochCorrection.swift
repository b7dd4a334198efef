// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The correction of the motions in an epoch by the samples after it.
package struct EpochCorrection: Sendable {
  /// The end of the epoch: its motions are before.
  package let end: Timestamp
  /// Its begin; `nil` of the first.
  private let begin: Timestamp?
  private let first: BackwardPass.Smoothed
  private let last: BackwardPass.Smoothed
  private let forgotten: ForgottenErrors

  /// Creates the correction in the epoch of `record`, with those at its end and at the end of the
  /// epoch before.
  package init(
    _ record: borrowing EpochRecord, _ smoothed: BackwardPass.Smoothed,
    after before: (time: Timestamp, smoothed: BackwardPass.Smoothed)?
  ) {
    end = record.time
    begin = before?.time
    last = smoothed.before(record)
    first = before?.smoothed ?? last
    forgotten = record.forgotten
  }

  /// Returns the correction of a motion at `time`.
  package func smoothed(at time: Timestamp) -> BackwardPass.Smoothed {
    guard let begin else { return last }
    let share = Self.seconds(from: begin, to: time) / Self.seconds(from: begin, to: end)
    return first.mixed(with: last, share: Scalar(share), forgotten)
  }

  /// Returns the seconds between two moments.
  package static func seconds(from start: Timestamp, to end: Timestamp) -> Seconds {
    Seconds((end - start).nanoseconds) * 1e-9
  }
}
