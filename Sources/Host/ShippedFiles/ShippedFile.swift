// SPDX-License-Identifier: Apache-2.0
internal import CShippedFiles

/// A file that is embedded in the program.
package struct ShippedFile: Sendable {
  /// The name of the file, without its folder.
  package let name: String
  package let bytes: [UInt8]

  /// The board files of the folder `boards`, in the order of their names.
  // The table is a constant in C. A row whose name is NULL follows the last file.
  package static let boards = unsafe files(otolith_shipped_boards())

  /// The text of `simulated.yaml`.
  package static let simulatedBoard =
    unsafe String(cString: otolith_shipped_simulated_board())  // ends with a zero

  /// The files of the web page.
  static let page = unsafe files(otolith_shipped_page())  // as above

  /// Copies the files of a table.
  private static func files(_ table: UnsafePointer<otolith_shipped_file>) -> [ShippedFile] {
    var files: [ShippedFile] = []
    var row = unsafe table
    // Both are zero-terminated strings.
    while let name = unsafe row.pointee.name, let text = unsafe row.pointee.text {
      unsafe files.append(
        ShippedFile(name: String(cString: name), bytes: [UInt8](String(cString: text).utf8)))
      unsafe row += 1
    }
    return files
  }
}
