// SPDX-License-Identifier: Apache-2.0
import Chips
import Fusion
import PlatformBuses
import Quantities
import Recognition
import Recording
import Registers
import Sensors

// One driver, and more and more above it.

/// The driver that the layers stand on.
private func makeDriver() -> MPU6050<OverI2C<Queues>> {
  Tape.rewind()
  var driver = MPU6050(overI2C(0x68, MPU6050Facts.wireFormat, Queues.self))
  _ = try? driver.configure(Tape.chip(0).settings)
  return driver
}

// Where results go that nobody looks at.
nonisolated(unsafe) var keptMotion: MotionSample?
nonisolated(unsafe) var keptSteps = 0

@c(size_fusion)
public func sizeFusion() {
  var driver = makeDriver()
  // The magnetometer's ways are in, whatever the channels: they are known only when it runs.
  var motion = MotionEstimator(channels: driver.channels)
  play(&driver) { keptMotion = motion.update($0) }
  report()
}

@c(size_steps)
public func sizeSteps() {
  var driver = makeDriver()
  var motion = MotionEstimator(channels: driver.channels)
  var steps = StepRecognizer()
  play(&driver) {
    keptMotion = motion.update($0)
    steps.update($0.acceleration, at: $0.timestamp)
    while steps.next() != nil { keptSteps += 1 }
  }
  report()
}

@c(size_movement)
public func sizeMovement() {
  var driver = makeDriver()
  var motion = MotionEstimator(channels: driver.channels)
  var movement = MovementEstimator(channels: driver.channels)
  play(&driver) {
    keptMotion = motion.update($0)
    movement.update($0)
    keptSteps = movement.movement.steps
  }
  report()
}
