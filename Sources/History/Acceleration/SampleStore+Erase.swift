// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SampleStore {
  /// Deletes all samples, also while a writer is open, which then begins a new segment. A request
  /// to record stays in force. Throws where that is not permitted.
  public func erase() throws(HistoryError) {
    try StateFile.checkFolder(folder)
    for segment in try segments() {
      // The string lives for the call alone.
      if unsafe unlink(segment.path) != 0, errno != ENOENT { throw .last(path: segment.path) }
    }
  }
}
