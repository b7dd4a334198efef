// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recognition
import Testing

@Suite struct DoorTests {
  /// Turns a door about the vertical by `degrees` at `rate` degrees per second, at 100 Hz.
  private func turn(
    _ door: inout DoorRecognizer, from time: inout Double, by degrees: Double, rate: Double
  ) -> [Bool] {
    var reported: [Bool] = []
    let step = rate * 0.01 * (degrees < 0 ? -1 : 1)
    for _ in 0..<Int((degrees / step).rounded()) {
      time += 0.01
      if let open = door.update(
        rotationRate: Vector3(0, 0, step * 100 * .pi / 180), gravity: Vector3(0, 0, -1),
        at: Timestamp(seconds: time))
      {
        reported.append(open)
      }
    }
    return reported
  }

  private func rest(
    _ door: inout DoorRecognizer, from time: inout Double, seconds: Double, bias: Double = 0
  ) -> [Bool] {
    var reported: [Bool] = []
    for _ in 0..<Int(seconds * 100) {
      time += 0.01
      if let open = door.update(
        rotationRate: Vector3(0, 0, bias * .pi / 180), gravity: Vector3(0, 0, -1),
        at: Timestamp(seconds: time))
      {
        reported.append(open)
      }
    }
    return reported
  }

  @Test(arguments: [1.0, -1.0])
  func `a door is reported open and closed once each`(_ direction: Double) {
    var door = DoorRecognizer()
    var reported: [Bool]
    var time = 100.0
    reported = rest(&door, from: &time, seconds: 2)
    #expect(reported.isEmpty)
    reported = turn(&door, from: &time, by: 80 * direction, rate: 60)
    #expect(reported == [true])
    reported = rest(&door, from: &time, seconds: 5)
    #expect(reported.isEmpty)
    // It returns 2 degrees short, due to the gyroscope's error.
    reported = turn(&door, from: &time, by: -78 * direction, rate: 60)
    #expect(reported.isEmpty)
    reported = rest(&door, from: &time, seconds: 1)
    #expect(reported == [false])
    // The remaining angle is forgotten.
    reported = turn(&door, from: &time, by: 11 * direction, rate: 60)
    #expect(reported.isEmpty)
    reported = turn(&door, from: &time, by: 4 * direction, rate: 60)
    #expect(reported == [true])
  }

  @Test func `a bias opens no door`() {
    var door = DoorRecognizer()
    var reported: [Bool]
    var time = 0.0
    reported = rest(&door, from: &time, seconds: 3600, bias: 0.5)
    #expect(reported.isEmpty)
  }
}
