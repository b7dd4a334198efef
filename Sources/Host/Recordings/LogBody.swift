// SPDX-License-Identifier: Apache-2.0

/// A growing log file that stays readable even if the writing process crashes or is killed.
package protocol LogBody: AnyObject {
  associatedtype Row

  /// Returns the size of the file in bytes if `row` is added.
  func length(with row: Row) -> Int
  func append(_ row: Row)
  /// The number of pending bytes of the log that can be written now.
  var waiting: Int { get }
  /// Writes the pending bytes of the log that can be written now.
  func flush() throws(FileWriterError)
  /// Flushes the file to the disk, so that a power failure does not lose data.
  func sync() throws(FileWriterError)
  /// Writes all pending bytes of the log. Nothing may be added to the log afterwards.
  func finish() throws(FileWriterError)
  /// Removes the log file if it is new and nothing was written. A file that existed before stays
  /// unchanged.
  func discard()
}
