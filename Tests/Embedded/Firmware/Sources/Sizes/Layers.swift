// SPDX-License-Identifier: Apache-2.0
import Chips
import Fusion
import Quantities
import Recognition
import Recording
import Registers
import Sensors

// One driver, and more and more layers above it.

/// Creates the driver under the layers.
@inline(never)
func makeMPU6050() throws(ChipError) -> MPU6050<OverI2C<Queues>> {
  try MPU6050(
    overI2C(0x68, MPU6050Chip.wireFormat, Queues.self),
    configuration: MPU6050Configuration(.fifo) {
      $0.divider = 9
      $0.lowPassFilter = .hz42
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    })
}

/// Runs the layers above the driver.
@inline(__always)
private func stand(_ body: (inout MPU6050<OverI2C<Queues>>) -> Void) {
  Tape.rewind()
  do throws(ChipError) {
    var driver = try makeMPU6050()
    body(&driver)
    report()
  } catch { report([.max, 0, 0]) }
}

// Results are stored here, so that they are not optimised away.
nonisolated(unsafe) var keptMotion: MotionSample?
nonisolated(unsafe) var keptSteps = 0

@c(size_fusion)
public func sizeFusion() {
  stand { driver in
    // The magnetometer's code is included, because channels are known only at run time.
    var motion = MotionEstimator(channels: driver.channels)
    play(&driver) { keptMotion = motion.update($0) }
  }
}

@c(size_steps)
public func sizeSteps() {
  stand { driver in
    var motion = MotionEstimator(channels: driver.channels)
    var steps = StepRecognizer()
    play(&driver) {
      keptMotion = motion.update($0)
      steps.update($0.acceleration, at: $0.timestamp)
      while steps.next() != nil { keptSteps += 1 }
    }
  }
}

@c(size_movement)
public func sizeMovement() {
  stand { driver in
    var motion = MotionEstimator(channels: driver.channels)
    var movement = MovementEstimator(channels: driver.channels)
    play(&driver) {
      keptMotion = motion.update($0)
      movement.update($0)
      keptSteps = movement.movement.counts.steps
    }
  }
}
