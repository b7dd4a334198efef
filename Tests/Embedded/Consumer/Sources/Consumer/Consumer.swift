// SPDX-License-Identifier: Apache-2.0
import Chips
import Fusion
import Quantities
import Recognition
import Registers
import Sensors

/// A bus without chips.
struct EmptyBus: I2CBus {
  var now: Timestamp { .zero }

  mutating func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    throw .noAcknowledge
  }

  mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8
  ) throws(BusError) {
    throw .noAcknowledge
  }
}

@main
enum Consumer {
  static func main() {
    // One second flat on the table, face up.
    var motion = MotionEstimator(channels: [.acceleration, .rotationRate])
    var movement = MovementEstimator(channels: [.acceleration, .rotationRate])
    var gravity = Vector3.zero
    for count in 0..<100 {
      var sample = Sample(timestamp: .zero + .milliseconds(10 * Int64(count)))
      sample.channels = [.acceleration, .rotationRate]
      sample.acceleration = Vector3(0, 0, -1)
      movement.update(sample)
      if let update = motion.update(sample) { gravity = update.gravity }
    }
    // Adding zero turns a negative zero into a positive one.
    gravity = gravity + .zero
    print(
      "\(answer()); gravity \(gravity.x) \(gravity.y) \(gravity.z);",
      "\(movement.movement.counts.steps) steps")
  }

  static func answer() -> String {
    var chip = BMI160(
      I2CConnection(EmptyBus(), address: 0x68, format: BMI160Chip.wireFormat))
    var batch = RawBatch()
    chip.start()
    do throws(ChipError) {
      _ = try chip.step(.due, into: &batch)
      return "somebody answers"
    } catch {
      if case .bus(.noAcknowledge, _) = error { return "nobody answers" }
      return "\(error)"
    }
  }
}
