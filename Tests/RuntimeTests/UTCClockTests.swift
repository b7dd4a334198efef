// SPDX-License-Identifier: Apache-2.0
import Quantities
import Runtime
import Testing

/// Tests of times of the wall clock where other formats of time end. Texts are those of `date -u -d
/// @N` (coreutils) and, before the year 1900, of Python's datetime.
@Suite struct UTCClockTests {
  @Test(arguments: [
    (1_795_942_882, 123_456_789, "2026-11-29T09:01:22.123456Z"),
    (0, 0, "1970-01-01T00:00:00.000000Z"),
    (-1, 999_999_999, "1969-12-31T23:59:59.999999Z"),
    (-315_619_200, 0, "1960-01-01T00:00:00.000000Z"),
    (-315_532_801, 0, "1960-01-01T23:59:59.000000Z"),
    (-2_208_988_801, 0, "1899-12-31T23:59:59.000000Z"),
    (2_147_483_647, 999_999_999, "2038-01-19T03:14:07.999999Z"),
    (2_147_483_648, 0, "2038-01-19T03:14:08.000000Z"),
    (4_294_967_296, 0, "2106-02-07T06:28:16.000000Z"),
    (9_223_372_036, 854_775_807, "2262-04-11T23:47:16.854775Z"),
    (9_223_372_037, 0, "2262-04-11T23:47:17.000000Z"),
    (32_503_680_000, 0, "3000-01-01T00:00:00.000000Z"),
    (253_402_300_799, 0, "9999-12-31T23:59:59.000000Z"),
  ]) func `a time has its text in every year`(
    _ seconds: Int64, _ nanoseconds: Int64, _ text: String
  ) {
    #expect(UTCTime(seconds: seconds, nanoseconds: nanoseconds).text == text)
  }

  private static let held: [(Int64, Int64, Int64)] = [
    (0, 5, 5), (-1, 999_999_999, -1),
    (-2, 0, -2_000_000_000),
    (9_223_372_036, 854_775_807, Int64.max), (9_223_372_036, 854_775_808, Int64.max),
    (9_223_372_037, 0, Int64.max), (Int64.max, 0, Int64.max),
    (-9_223_372_037, 145_224_192, Int64.min), (-9_223_372_037, 145_224_191, Int64.min),
    (-9_223_372_037, 145_224_193, Int64.min + 1), (Int64.min, 0, Int64.min),
  ]

  @Test(arguments: held) func `nanoseconds since 1970 are held where 64 bits end`(
    _ seconds: Int64, _ nanoseconds: Int64, _ expected: Int64
  ) {
    let time = UTCTime(seconds: seconds, nanoseconds: nanoseconds)
    #expect(time.nanosecondsSince1970 == expected)
  }

  @Test(arguments: [
    // The clock starts two seconds before 1970, before 2038-01-19T03:14:08 and before
    // 2262-04-11T23:47:17.
    (-2, "1969-12-31T23:59:58.500000Z", "1970-01-01T00:00:01.500000Z"),
    (2_147_483_646, "2038-01-19T03:14:06.500000Z", "2038-01-19T03:14:09.500000Z"),
    (9_223_372_035, "2262-04-11T23:47:15.500000Z", "2262-04-11T23:47:18.500000Z"),
  ]) func `the clock goes on over the end of what others count in`(
    _ seconds: Int64, _ first: String, _ last: String
  ) {
    var clock = UTCClock()
    clock.start(
      at: Timestamp(nanoseconds: 7_000_000_000),
      showing: UTCTime(seconds: seconds, nanoseconds: 500_000_000))
    #expect(clock.text(Timestamp(nanoseconds: 7_000_000_000)) == first)
    #expect(clock.text(Timestamp(nanoseconds: 10_000_000_000)) == last)
  }

  @Test func `samples of any time have one`() {
    var clock = UTCClock()
    clock.start(at: .distantFuture, showing: UTCTime(seconds: .min))
    #expect(clock.nanoseconds(Timestamp(nanoseconds: .min)) == .min)
    clock.start(at: Timestamp(nanoseconds: .min), showing: UTCTime(seconds: .max))
    #expect(clock.nanoseconds(.distantFuture) == .max)
    clock.set()
    #expect(clock.text(.now).hasSuffix("Z") && clock.nanoseconds(.now) > 0)
  }
}
