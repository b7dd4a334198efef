// SPDX-License-Identifier: Apache-2.0
import BringUp
import Testing

@Test func `what could be taken for markup is escaped`() {
  #expect(
    MarkupText.escaped("a<b & \"c\" > d 'e'")
      == "a&lt;b &amp; &quot;c&quot; &gt; d &#39;e&#39;")
}

/// With a combining mark a quote is another character in Swift, but not in a browser.
@Test(arguments: ["\u{308}", "\u{200D}", "\u{FE0F}", "\u{301}\u{301}", "\u{E0101}"])
func `what could be taken for markup is escaped whatever combines with it`(_ mark: String) {
  for (character, entity) in [
    ("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"),
  ] {
    let escaped = MarkupText.escaped("x\(character)\(mark) onerror=alert(1)")
    #expect(escaped == "x\(entity)\(mark) onerror=alert(1)")
  }
}
