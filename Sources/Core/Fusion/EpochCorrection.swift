// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The smoothed corrections for the motions of one epoch. They are computed from the samples after
/// that epoch.
package struct EpochCorrection: Sendable {
  /// The end of the epoch, later than all motions in it.
  package let end: Timestamp
  /// The start of the epoch; `nil` for the first epoch.
  private let begin: Timestamp?
  private let first: BackwardPass.Smoothed
  private let last: BackwardPass.Smoothed
  private let forgotten: ForgottenErrors

  /// Creates the correction for the epoch of `record` from the smoothed errors at the end of this
  /// epoch and at the end of the previous one.
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

  /// Returns the correction for a motion at `time`.
  package func smoothed(at time: Timestamp) -> BackwardPass.Smoothed {
    guard let begin else { return last }
    let share = Self.seconds(from: begin, to: time) / Self.seconds(from: begin, to: end)
    return first.mixed(with: last, share: Scalar(share), forgotten)
  }

  /// Returns the seconds between two time stamps.
  package static func seconds(from start: Timestamp, to end: Timestamp) -> Seconds {
    Seconds((end - start).nanoseconds) * 1e-9
  }
}
