// SPDX-License-Identifier: Apache-2.0
import Plots
import Testing

@Test func `what could be taken for markup is escaped`() {
  #expect(
    MarkupText.escaped("a<b & \"c\" > d") == "a&lt;b &amp; &quot;c&quot; &gt; d")
}
