// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A limit of ten log lines per minute about clients that keep sending invalid data. The omitted
/// lines are counted.
struct ComplaintLimit {
  private var start = Timestamp(nanoseconds: .min / 2)
  private var count = 0
  private static let most = 10
  private static let span = TimeSpan.seconds(60)

  /// Returns the line to log; `nil` if the line must be omitted.
  mutating func admits(_ text: String, at now: Timestamp) -> String? {
    var prefix = ""
    if now - start > Self.span {
      if count > Self.most { prefix = "(\(count - Self.most) lines like these were left out) " }
      start = now
      count = 0
    }
    count += 1
    return count <= Self.most ? prefix + text : nil
  }
}
