// SPDX-License-Identifier: Apache-2.0
import BringUp
import Testing

@Test func `mean and deviation of four numbers worked out by hand, far from zero`() {
  var moments = Moments()
  for value in [4.0, 7, 13, 16] { moments.add(1e9 + value) }
  #expect(moments.count == 4)
  #expect(moments.mean == 1e9 + 10)
  // The squares 36 + 9 + 9 + 36 = 90 are divided by 3.
  #expect(abs(moments.standardDeviation - 30.0.squareRoot()) < 1e-9)
}
