// SPDX-License-Identifier: Apache-2.0
import Board
import Chips
import Fusion
import Quantities
import Recognition
import Recording
import Registers
import Sensors
import Startup

// From an MPU-6050 to attitude and steps, on a microcontroller. What is below is Board (this
// board's clock, wires and serial port: replace it by yours) and Startup (the reset vector); what
// is above, and all of the driver and the fusion, is what runs on Linux.

/// Comes here from reset, see `Startup/startup.c`.
@c(firmware_main)
public func firmwareMain() {
  Microseconds.start()
  SerialPort.start()
  SerialPort.write("otolith on a microcontroller\n")
  // On an emulator, bytes of a sensor instead of one.
  if Tape.isThere {
    Tape.rewind()
    run(Tape.i2c)
  } else {
    run(TwoWires.bus)
  }
}

/// The abilities that this firmware wants of its driver: to read the queue, and to notice when the
/// chip forgot its settings. All else that the driver can do on Linux is left out.
enum Uses: AbilityChoice {
  static var abilities: DriverAbilities { [.fifo, .verification] }
}

/// The driver, set to 100 samples a second, 4 g and 500 degrees a second, by the codes of the
/// chip's registers. (With `configure` it would find them for physical settings, and take 3 kB
/// more.)
func makeDriver(
  _ bus: PlatformI2C
) throws(ChipError) -> MPU6050<TrimmedConnection<I2CConnection<PlatformI2C>, Uses>> {
  // AD0 low: address 0x68.
  let connection = I2CConnection(bus, address: 0x68, format: MPU6050Chip.wireFormat)
  return try MPU6050(
    TrimmedConnection(connection, for: Uses.self),
    configuration: MPU6050Configuration(.fifo) {
      $0.divider = 9
      $0.lowPassFilter = .hz42
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    })
}

/// Asks the driver whenever it wants to be asked, and prints the result twice a second.
func run(_ bus: PlatformI2C) {
  do throws(ChipError) {
    var driver = try makeDriver(bus)
    run(&driver, on: bus)
  } catch { report(error) }
}

func run<Driver: SensorDriver & ~Copyable>(_ driver: inout Driver, on bus: PlatformI2C) {
  var batch = RawBatch()
  // How the chip sits on the board: here its axes are the device's.
  let mounting = Mounting()
  var motion = MotionEstimator(channels: driver.channels)
  var recognizer = StepRecognizer()
  var steps = 0
  var lastReport = Timestamp.zero
  driver.start()
  var loop = DriverLoop(due: bus.now)
  // How often in a row it failed.
  var failures: Int64 = 0

  while let event = wait(for: loop, on: bus) {
    batch.removeAll()
    do throws(ChipError) {
      loop.take(try driver.step(event, into: &batch), at: bus.now)
      failures = 0
    } catch {
      // It begins again by itself with the next step: a chip that is plugged in later is found.
      if failures == 0 { report(error) }
      failures = min(failures + 1, 10)
      loop.wait(until: bus.now + .milliseconds(1 << failures))
    }
    for frame in 0..<batch.frames {
      let sample = mounting.sample(
        driver.decode(batch, frame: frame), at: batch.timestamp(ofFrame: frame),
        after: frame == 0 ? batch.missing : 0)
      recognizer.update(sample.acceleration, at: sample.timestamp)
      while recognizer.next() != nil { steps += 1 }
      guard let now = motion.update(sample), let attitude = now.attitude(in: .xArbitraryZVertical),
        now.timestamp - lastReport >= .milliseconds(500)
      else { continue }
      lastReport = now.timestamp
      report(attitude, now.timestamp, steps: steps)
    }
  }
}

/// Sleeps until the driver wants to be asked, and says why it is asked now; `nil`: a recording is
/// over.
///
/// The MPU-6050's line is not wired here. A board whose line is would count its edges in the
/// interrupt, with their time, and hand them over as `Event(edges:edgeTime:)`.
func wait(for loop: DriverLoop, on bus: PlatformI2C) -> Event? {
  // A recording says itself when the driver was asked.
  if Tape.isThere { return Tape.nextStep()?.event }
  // A board with a battery sleeps here until its timer interrupts.
  while !loop.isDue(at: bus.now) {}
  return .due
}

func report(_ attitude: Quaternion, _ time: Timestamp, steps: Int) {
  let angles = EulerAngles(attitude)
  SerialPort.write(time.seconds, decimals: 2, width: 9)
  SerialPort.write(" s  roll")
  SerialPort.write(degrees(fromRadians: Double(angles.roll)), decimals: 2, width: 8)
  SerialPort.write("  pitch")
  SerialPort.write(degrees(fromRadians: Double(angles.pitch)), decimals: 2, width: 8)
  SerialPort.write("  yaw")
  SerialPort.write(degrees(fromRadians: Double(angles.yaw)), decimals: 2, width: 8)
  SerialPort.write("  steps ")
  SerialPort.write(Double(steps))
  SerialPort.write("\n")
}

/// One line that names the likely cause and the next step.
func report(_ error: ChipError) {
  switch error {
  case .bus(.noAcknowledge, _):
    SerialPort.write(
      "no answer at 0x68: check power, the two wires, pull-ups, and AD0 (high: 0x69)\n")
  case .bus(.timeout, _):
    SerialPort.write("the bus is stuck: a line is held low; check pull-ups, and cycle the power\n")
  case .bus(_, let register):
    SerialPort.write("the bus failed at register 0x")
    SerialPort.write(hexadecimal: register)
    SerialPort.write(": check wires and pull-ups\n")
  case .identity(let found, _):
    SerialPort.write("another chip answers at 0x68, with identity 0x")
    SerialPort.write(hexadecimal: found)
    SerialPort.write("\n")
  case .resetTimedOut, .rejected, .rejectedWord, .unexpected:
    SerialPort.write("the chip does not obey: check its supply\n")
  case .unsupportedSetting: SerialPort.write("the chip cannot sample that way\n")
  case .firmware: SerialPort.write("the chip needs firmware, which this program does not have\n")
  }
}
