// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SampleStore {
  /// Deletes all samples, also while somebody writes, who then begins a new segment. What was asked to be recorded still
  /// is. Throws where that is not permitted.
  public func erase() throws(HistoryError) {
    for segment in try segments() {
      // The string lives for the call alone.
      if unsafe unlink(segment.path) != 0, errno != ENOENT { throw .last(path: segment.path) }
    }
  }
}
