// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Text

@Suite struct TextTableTests {
  @Test func `columns are as wide as their widest cell, and no line ends in a space`() {
    let rows = [["chip", "lost", "state"], ["imu", "12", ""], ["compass", "3", "starting"]]
    #expect(
      TextTable.lines(rows, right: [1]) == [
        "chip     lost  state", "imu        12", "compass     3  starting",
      ])
    #expect(TextTable.lines([["a"], ["b", "c"]]) == ["a", "b  c"])
    #expect(TextTable.lines([]).isEmpty)
  }

  @Test func `a text longer than its column stays whole`() {
    #expect("ab".padded(to: 4) == "ab  " && "ab".leftPadded(to: 4) == "  ab")
    #expect("abc".padded(to: 2) == "abc" && "abc".leftPadded(to: 2) == "abc")
    #expect(" a b ".trimmedAtEnd == " a b" && "  ".trimmedAtEnd.isEmpty)
  }
}
