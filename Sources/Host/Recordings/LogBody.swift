// SPDX-License-Identifier: Apache-2.0

/// A growing log file that can be read however the writing process ends.
package protocol LogBody: AnyObject {
  associatedtype Row

  /// Returns the size of the file including `row`.
  func length(with row: Row) -> Int
  func append(_ row: Row)
  /// The number of pending bytes that can be written now.
  var waiting: Int { get }
  /// Writes the pending bytes that can be written now.
  func flush() throws(FileWriterError)
  /// Flushes to the disk, so that a power cut does not lose data.
  func sync() throws(FileWriterError)
  /// Writes all pending bytes; nothing is added afterwards.
  func finish() throws(FileWriterError)
  /// Removes the new file of a log that never began; an existing file stays unchanged.
  func discard()
}
