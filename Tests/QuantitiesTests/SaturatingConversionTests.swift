// SPDX-License-Identifier: Apache-2.0
import Quantities
import Testing

struct SaturatingConversionTests {
  @Test func `whole numbers saturate where a plain conversion would trap`() {
    #expect(Int(saturating: 1e19) == 9_223_372_036_854_775_807)
    #expect(Int(saturating: -1e308) == -9_223_372_036_854_775_808)
    #expect(Int64(saturating: Double.infinity) == .max)
    #expect(UInt8(saturating: -0.6) == 0)
    #expect(UInt8(saturating: 255.5) == 255)
    #expect(UInt16(saturating: Double.nan) == 0)
    #expect(Int32(saturating: Float.greatestFiniteMagnitude) == 2_147_483_647)
    // 2^63 is the first Double that exceeds Int.
    #expect(Int(saturating: 9_223_372_036_854_775_808.0) == .max)
    #expect(Int(saturating: -9_223_372_036_854_775_808.0) == .min)
  }

  @Test func `the nearest whole number is taken, halves away from zero`() {
    #expect(Int(saturating: 2.5) == 3)
    #expect(Int(saturating: -2.5) == -3)
    #expect(Int(saturating: 2.4) == 2)
  }
}
