// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SampleStore {
  /// Deletes all samples, even while a writer is open; the writer then starts a new segment. A
  /// recording request stays active. Throws without permission.
  public func erase() throws(HistoryError) {
    try StateFile.checkFolder(folder)
    for segment in try segments() {
      // The C function does not keep the string's pointer.
      if unsafe unlink(segment.path) != 0, errno != ENOENT { throw .last(path: segment.path) }
    }
  }
}
