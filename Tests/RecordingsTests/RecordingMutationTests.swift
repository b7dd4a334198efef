// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recordings
import SeededRandom
import Testing

/// Randomly damaged recordings are read or refused without a trap, and the samples keep their
/// guarantees.
@Suite struct RecordingMutationTests {
  private static let seed = Array(
    """
    timestamp,acceleration.x,acceleration.y,acceleration.z,"truth, label",pressure
    0.000000,0.0018310907,-0.0026397554,-0.99200438,"a ""b"" c",
    1700000000.123456789,,,,,98.7
    1.7e9,1,-2e-3,+.5,walking,

    """.utf8)

  @Test(arguments: 0..<20)
  func `damaged bytes never trap`(round: Int) {
    var random = SplitMix(state: UInt64(round))
    let alphabet = Array("0123456789.,,,eE+-\"\"\n\r \tnaifx\u{0}\u{FF}".utf8)
    for _ in 0..<500 {
      var bytes = Self.seed
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        guard !bytes.isEmpty else { break }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let byte = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2: bytes.remove(at: place)
        case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.removeSubrange(place...)
        }
      }
      check(bytes, .strict)
      check(bytes, .lenient)
    }
  }

  /// Bytes are flipped, inserted, removed, doubled and truncated, several at a time.
  @Test(arguments: 0..<6)
  func `spoilt MCAP files never trap`(round: Int) {
    var random = SplitMix(state: UInt64(1000 + round))
    for form in MCAPDamageTests.Form.allCases {
      let seed = MCAPDamageTests.file(form).whole
      for _ in 0..<40 {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          guard bytes.count > 8 else { break }
          let place = Int.random(in: 8..<bytes.count, using: &random)
          let end = min(bytes.count, place + Int.random(in: 1...200, using: &random))
          switch Int.random(in: 0..<6, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
          case 3: bytes.removeSubrange(place..<end)
          case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
          default: if Bool.random(using: &random) { bytes.removeSubrange(place...) }
          }
        }
        check(bytes, .strict)
        check(bytes, .lenient)
      }
    }
  }

  private func check(_ bytes: [UInt8], _ order: RecordingReader.Order) {
    do {
      var reader = try RecordingReader(bytes: bytes, file: "x", order: order)
      var newest = Timestamp(nanoseconds: .min)
      while let sample = try reader.next() {
        let time = sample.timestamp + reader.shift
        #expect(time >= newest)
        #expect(sample.acceleration.isFinite && sample.pressure.isFinite)
        #expect(reader.channels.isSuperset(of: sample.channels))
        newest = time
      }
    } catch {
      #expect(error.kind == .malformed)
      #expect(!error.description.utf8.contains { $0 < 0x20 })
    }
  }
}
