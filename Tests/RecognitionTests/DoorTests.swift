// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recognition
import Testing

@Suite struct DoorTests {
  /// Turns a door about the vertical by `degrees` at `rate` degrees per second, at 100 Hz.
  private func turn(
    _ door: inout DoorRecognizer, from time: inout Double, by degrees: Double, rate: Double
  ) -> [Bool] {
    var told: [Bool] = []
    let step = rate * 0.01 * (degrees < 0 ? -1 : 1)
    for _ in 0..<Int((degrees / step).rounded()) {
      time += 0.01
      if let open = door.update(
        rotationRate: Vector3(0, 0, step * 100 * .pi / 180), gravity: Vector3(0, 0, -1),
        at: Timestamp(seconds: time))
      {
        told.append(open)
      }
    }
    return told
  }

  private func rest(
    _ door: inout DoorRecognizer, from time: inout Double, seconds: Double, bias: Double = 0
  ) -> [Bool] {
    var told: [Bool] = []
    for _ in 0..<Int(seconds * 100) {
      time += 0.01
      if let open = door.update(
        rotationRate: Vector3(0, 0, bias * .pi / 180), gravity: Vector3(0, 0, -1),
        at: Timestamp(seconds: time))
      {
        told.append(open)
      }
    }
    return told
  }

  @Test(arguments: [1.0, -1.0])
  func `a door is told open and closed once each`(_ direction: Double) {
    var door = DoorRecognizer()
    var told: [Bool]
    var time = 100.0
    told = rest(&door, from: &time, seconds: 2)
    #expect(told.isEmpty)
    told = turn(&door, from: &time, by: 80 * direction, rate: 60)
    #expect(told == [true])
    told = rest(&door, from: &time, seconds: 5)
    #expect(told.isEmpty)
    // It returns 2 degrees short, due to the gyroscope's error.
    told = turn(&door, from: &time, by: -78 * direction, rate: 60)
    #expect(told.isEmpty)
    told = rest(&door, from: &time, seconds: 1)
    #expect(told == [false])
    // The remaining angle is forgotten.
    told = turn(&door, from: &time, by: 11 * direction, rate: 60)
    #expect(told.isEmpty)
    told = turn(&door, from: &time, by: 4 * direction, rate: 60)
    #expect(told == [true])
  }

  @Test func `a bias opens no door`() {
    var door = DoorRecognizer()
    var told: [Bool]
    var time = 0.0
    told = rest(&door, from: &time, seconds: 3600, bias: 0.5)
    #expect(told.isEmpty)
  }
}
