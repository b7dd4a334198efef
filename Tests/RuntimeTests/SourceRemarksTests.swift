// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Runtime
import Testing

/// Tests of what is said about a chip that gives samples which are faulty.
@Suite struct SourceRemarksTests {
  private func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

  /// A hand turns the device; the gyroscope repeats one value from the third second to the eighth.
  @Test func `a chip whose samples are faulty has a remark until ten seconds behind the fault`() {
    let source = ScriptedSource([.acceleration, .rotationRate], name: "imu")
    #expect(throws: Never.self) { try source.start() }
    func play(_ seconds: Range<Double>, isHung: Bool) {
      for k in Int(seconds.lowerBound * 100)..<Int(seconds.upperBound * 100) {
        let t = Double(k) / 100
        // The device turns about x by an angle of 0.8 sin t.
        let angle = 0.8 * sin(t)
        var sample = Sample(timestamp: time(t), channels: [.acceleration, .rotationRate])
        sample.acceleration = Vector3(0, -sin(angle), -cos(angle))
        sample.rotationRate = Vector3(isHung ? 0.8 : 0.8 * cos(t), 0, 0)
        source.send(sample)
      }
    }
    play(0..<3, isHung: false)
    #expect(source.remarks(ofChip: 0) == [])
    let changes = source.pipeline.chipChanges
    play(3..<8, isHung: true)
    #expect(
      source.remarks(ofChip: 0) == [
        "imu: the gyroscope is stuck at one value (gyroscopeHung): it has stopped measuring: check "
          + "its supply, and reset it; attitude by the accelerometer alone"
      ])
    // The change wakes the programs that watch the chips.
    #expect(source.pipeline.chipChanges > changes)
    #expect(source.pipeline.faults.isCoasting)
    play(8..<25, isHung: false)
    #expect(source.remarks(ofChip: 0) == [])
    #expect(!source.pipeline.faults.isCoasting)
    #expect(source.pipeline.faults.record(of: .gyroscopeHung).seconds > 4)
  }
}
