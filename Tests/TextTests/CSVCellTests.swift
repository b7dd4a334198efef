// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Text

@Suite struct CSVCellTests {
  /// RFC 4180, section 2, rules 5 to 7.
  @Test(arguments: [
    ("imu", "imu"), ("", ""), ("two words", "two words"), ("a,b", "\"a,b\""),
    ("say \"on\"", "\"say \"\"on\"\"\""), ("a\r\nb", "\"a\r\nb\""), ("\u{B0}C", "\u{B0}C"),
  ])
  func `a cell is quoted only where a reader would misread it`(_ text: String, _ cell: String) {
    #expect(CSVCell.text(text) == cell)
  }
}
