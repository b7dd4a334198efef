// SPDX-License-Identifier: Apache-2.0

/// The format of one channel in a scan, which the kernel writes as `le:s12/16>>4` (Linux,
/// Documentation/ABI/testing/sysfs-bus-iio, `scan_elements/in_..._type`).
package struct ScanFormat: Equatable, Sendable, BitwiseCopyable {
  package var isBigEndian: Bool
  package var isSigned: Bool
  /// The number of valid bits, from 1 to 64.
  package var bits: Int
  /// The number of bytes of one value: 1, 2, 3, 4 or 8.
  package var size: Int
  /// The number of values: 4 for a quaternion, otherwise 1.
  package var count: Int
  /// The number of bits by which a value is shifted to the right before its valid bits are taken.
  package var shift: Int

  /// Reads the kernel's text. Returns `nil` if it has another form, or if its numbers contradict
  /// each other.
  package init?(_ text: some StringProtocol) {
    let halves = text.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0] == "le" || halves[0] == "be" else { return nil }
    isBigEndian = halves[0] == "be"
    guard let sign = halves[1].first, sign == "s" || sign == "u" else { return nil }
    isSigned = sign == "s"
    let rest = halves[1].dropFirst()
    guard let slash = rest.firstIndex(of: "/"), let arrow = rest.firstIndex(of: ">"),
      slash < arrow, rest[arrow...].hasPrefix(">>")
    else { return nil }
    let storage = rest[rest.index(after: slash)..<arrow].split(
      separator: "X", omittingEmptySubsequences: false)
    guard let bits = Int(rest[..<slash]), storage.count <= 2, let width = Int(storage[0]),
      let count = storage.count == 2 ? Int(storage[1]) : 1,
      let shift = Int(rest[rest.index(arrow, offsetBy: 2)...]),
      [8, 16, 24, 32, 64].contains(width), (1...width).contains(bits),
      (0...(width - bits)).contains(shift), (1...16).contains(count)
    else { return nil }
    self.bits = bits
    size = width / 8
    self.count = count
    self.shift = shift
  }

  /// Returns the value that starts at byte `start`, in counts; 0 if it is not wholly in `bytes`.
  @inline(__always)
  package func value(_ bytes: Span<UInt8>, at start: Int) -> Int64 {
    guard start >= 0, start <= bytes.count - size else { return 0 }
    var raw: UInt64 = 0
    if isBigEndian {
      for place in 0..<size { raw = raw << 8 | UInt64(bytes[start + place]) }
    } else {
      for place in 0..<size { raw |= UInt64(bytes[start + place]) << UInt64(8 * place) }
    }
    let unused = UInt64(64 - bits)
    let valid = (raw >> UInt64(shift)) << unused
    return isSigned
      ? Int64(bitPattern: valid) >> Int64(unused) : Int64(truncatingIfNeeded: valid >> unused)
  }
}
