// SPDX-License-Identifier: Apache-2.0
import Publishing
import Testing

/// Bytes from RFC 8949, appendix A, typed by hand.
@Suite struct CBORTests {
  private func hex(_ value: PublishedValue) -> String {
    CBOR.bytes(value).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  @Test(
    arguments: [
      (0, "00"), (10, "0a"), (23, "17"), (24, "1818"), (100, "1864"), (1000, "1903e8"),
      (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"), (-1, "20"), (-10, "29"),
      (-100, "3863"), (-1000, "3903e7"), (Int64.min, "3b7fffffffffffffff"),
    ] as [(Int64, String)])
  func `integers take as few bytes as they need`(_ value: Int64, _ bytes: String) {
    #expect(hex(.integer(value)) == bytes)
  }

  @Test(
    arguments: [
      (0.0, "f90000"), (-0.0, "f98000"), (1.0, "f93c00"), (1.1, "fb3ff199999999999a"),
      (1.5, "f93e00"), (65504.0, "f97bff"), (100000.0, "fa47c35000"),
      (3.4028234663852886e+38, "fa7f7fffff"), (1.0e+300, "fb7e37e43c8800759c"),
      (5.960464477539063e-8, "f90001"), (0.00006103515625, "f90400"), (-4.0, "f9c400"),
      (-4.1, "fbc010666666666666"), (.nan, "f97e00"), (.infinity, "f97c00"),
    ] as [(Double, String)])
  func `numbers take the shortest float that holds them`(_ value: Double, _ bytes: String) {
    #expect(hex(.number(value)) == bytes)
  }

  @Test func `words lists and flags are as in the specification`() {
    #expect(hex(.text("")) == "60")
    #expect(hex(.text("IETF")) == "6449455446")
    #expect(hex(.text("\u{FC}")) == "62c3bc")
    #expect(hex(.flag(false)) == "f4")
    #expect(hex(.flag(true)) == "f5")
    #expect(hex(.list((1...25).map { .integer($0) })).hasPrefix("98190102030405"))
    #expect(hex(.list([])) == "80")
  }

  @Test func `names are sorted by their bytes and what is no number is left out`() {
    let value = PublishedValue.object([
      .init("bb", .integer(2)), .init("c", .number(.nan)), .init("b", .integer(1)),
      .init("a", .integer(0)),
    ])
    #expect(hex(value) == "a361610061620162626202")
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
