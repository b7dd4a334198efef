// SPDX-License-Identifier: Apache-2.0

/// A file of a log, which grows and can be read whatever ends the process that writes it.
package protocol LogBody: AnyObject {
  associatedtype Row

  /// Returns the bytes that the file has with `row`.
  func length(with row: Row) -> Int
  func append(_ row: Row)
  /// The number of bytes that wait to be written and may be.
  var waiting: Int { get }
  /// Writes what may be written.
  func flush() throws(FileWriterError)
  /// Sends what was written to the disk, so that a power cut does not take it.
  func sync() throws(FileWriterError)
  /// Writes all that waits; nothing comes after it.
  func finish() throws(FileWriterError)
  /// Leaves nothing behind of a log that never began: what was there already stays.
  func discard()
}
