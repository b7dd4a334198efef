// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Testing

/// The encoded texts are fixed, because programs read them from files of older versions.
@Suite struct CodableTests {
  private static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func check<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
    #expect(try Self.text(value) == text)
    #expect(try JSONDecoder().decode(Value.self, from: Data(text.utf8)) == value)
  }

  @Test func `quantities are written by the names of their parts`() throws {
    // A floating-point number has fewer digits than this.
    try Self.check([Timestamp(nanoseconds: 9_007_199_254_740_993)], "[9007199254740993]")
    try Self.check(Vector3(0.25, -1, 2), #"{"x":0.25,"y":-1,"z":2}"#)
    try Self.check(
      Quaternion(w: 0.5, x: 0.25, y: -1, z: 2), #"{"w":0.5,"x":0.25,"y":-1,"z":2}"#)
    try Self.check(
      ReferenceFrame.allCases,
      #"["xArbitraryZVertical","xArbitraryCorrectedZVertical","xMagneticNorthZVertical","xTrueNorthZVertical"]"#
    )
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ReferenceFrame].self, from: Data(#"["xEastZVertical"]"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Vector3.self, from: Data(#"{"x":1,"y":2}"#.utf8))
    }
  }

  @Test func `a sample is written with the channels that it has`() throws {
    var sample = Sample(
      timestamp: Timestamp(nanoseconds: 1_500_000_000), channels: [.acceleration, .pressure])
    sample.acceleration = Vector3(0, 0, -1)
    sample.pressure = 101.5
    sample.missing = 3
    // The channel is not valid, so its value is not written.
    sample.rotationRate = Vector3(1, 1, 1)
    let text =
      #"{"acceleration":{"x":0,"y":0,"z":-1},"missing":3,"pressure":101.5,"timestamp":1500000000}"#
    #expect(try Self.text(sample) == text)
    sample.rotationRate = .zero
    try Self.check(sample, text)
    try Self.check(
      VectorSample(
        Vector3(1, 2, 3), timestamp: Timestamp(nanoseconds: 5),
        date: Date(timeIntervalSinceReferenceDate: 8)),
      #"{"date":8,"missing":0,"timestamp":5,"vector":{"x":1,"y":2,"z":3}}"#)
  }

  @Test func `a device's motion is written whole`() throws {
    var sample = MotionSample(timestamp: Timestamp(nanoseconds: 7))
    sample.contents = [.attitude, .heading]
    sample.attitude9 = Quaternion(w: 0.5, x: 0.5, y: 0.5, z: 0.5)
    sample.gravity = Vector3(0, 0, -1)
    sample.magneticAccuracy = .high
    sample.inclinationSigma = 0.5
    sample.headingSigma = 0.25
    sample.isAtRest = true
    let motion = try #require(
      DeviceMotion(
        sample, in: .xMagneticNorthZVertical, date: Date(timeIntervalSinceReferenceDate: 8)))
    let zero = #"{"x":0,"y":0,"z":0}"#
    try Self.check(
      motion,
      #"{"attitude":{"w":0.5,"x":0.5,"y":0.5,"z":0.5},"date":8,"frame":"xMagneticNorthZVertical","#
        + #""gravity":{"x":0,"y":0,"z":-1},"gyroBias":\#(zero),"headingSigma":0.25,"#
        + #""inclinationSigma":0.5,"isAtRest":true,"magneticAccuracy":2,"magneticField":\#(zero),"#
        + #""missing":0,"rotationRate":\#(zero),"timestamp":7,"userAcceleration":\#(zero)}"#)
  }
}
