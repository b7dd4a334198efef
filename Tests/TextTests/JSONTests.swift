// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Text

@Suite struct JSONTests {
  @Test func `a text has escapes where RFC 8259 wants them, and for markup`() throws {
    let text = "a\"b\\c\n\t\u{1}\u{B0}</script>\u{1F9ED}"
    let written = JSON.list([.text(text), .object([.init(text, .null)])]).description
    let quoted = #""a\"b\\c\n\u0009\u0001°\u003c/script>🧭""#
    #expect(written == "[\(quoted),{\(quoted):null}]")
    // Foundation's JSON parser reads the same text.
    let read = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [Any]
    #expect(read?.first as? String == text)
  }

  @Test(arguments: [
    (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (1e-7, "1e-07"), (1e22, "1e+22"),
    (9.80665, "9.80665"), (.leastNonzeroMagnitude, "5e-324"),
  ])
  func `a number has the shortest form that reads back as the same double`(
    _ number: Double, _ form: String
  ) throws {
    #expect(JSON.number(number).description == form)
    let read = try JSONDecoder().decode([Double].self, from: Data("[\(form)]".utf8))
    #expect(read == [number])
  }

  @Test func `integers, flags and empty values are written as they are`() {
    let value = JSON.list([
      .integer(.min), .count(UInt64.max), .flag(true), .flag(false), .null, .list([]), .object([]),
      .texts(["x"]), .rounded(1.23456, 2), .rounded(3.999, 2), .rounded(-0.001, 2),
      .rounded(nil, 2), .number(nil),
    ])
    #expect(
      value.description
        == #"[-9223372036854775808,9223372036854775807,true,false,null,[],{},["x"],1.23,4,0,null,null]"#
    )
  }

  @Test func `what is no number is no member of an object, and null in a list`() {
    let value = JSON.object([
      .init("b", .number(Double.nan)), .init("a", .integer(1)),
      .init("c", .number(-Double.infinity)),
      .init("list", .list([.number(Double.infinity), .integer(2)])),
    ])
    #expect(value.description == #"{"a":1,"list":[null,2]}"#)
  }
}
