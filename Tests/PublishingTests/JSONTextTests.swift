// SPDX-License-Identifier: Apache-2.0
import Publishing
import Testing

/// Messages as JSON (RFC 8259).
@Suite struct JSONTextTests {
  @Test func `names keep their order and what is no number is left out`() {
    let value = PublishedValue.object([
      .init("bb", .integer(2)), .init("c", .number(.nan)), .init("b", .integer(1)),
      .init("a", .integer(0)),
    ])
    #expect(
      String(decoding: JSONText.bytes(value), as: UTF8.self) == #"{"bb":2,"b":1,"a":0}"#)
  }

  @Test func `json escapes what it must`() {
    let value = PublishedValue.list([.text("a\"b\\c\n\u{1}\u{B0}"), .number(0.1), .flag(true)])
    #expect(
      String(decoding: JSONText.bytes(value), as: UTF8.self)
        == "[\"a\\\"b\\\\c\\u000a\\u0001\u{B0}\",0.1,true]")
  }
}
