// SPDX-License-Identifier: Apache-2.0
import Quantities
import Registers
import Sensors

/// The results of a driver: frames, detections and errors.
struct Outcome {
  struct Frame {
    var time: Timestamp
    var missing: UInt32
    var reading: ChipReading
  }
  var frames: [Frame] = []
  /// The times when frames were delivered.
  var deliveries: [Timestamp] = []
  var detections: [Detection] = []
  var errors: [ChipError] = []
  var errorTimes: [Timestamp] = []
  var wakes: [NextStep] = []

  var missing: Int { frames.reduce(0) { $0 + Int($1.missing) } }
  var isOrdered: Bool { zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time } }

  mutating func append(_ other: Outcome) {
    frames += other.frames
    deliveries += other.deliveries
    detections += other.detections
    errors += other.errors
    errorTimes += other.errorTimes
    wakes += other.wakes
  }
}

/// Steps a driver like a reader, 10 ms later after an error, and collects the results.
struct Owner: ~Copyable {
  private(set) var loop: DriverLoop
  private(set) var outcome = Outcome()
  private var batch = RawBatch()

  init(due: Timestamp) { loop = DriverLoop(due: due) }

  /// Delays the next step until `time`.
  mutating func wait(until time: Timestamp) { loop.wait(until: time) }

  mutating func step<Driver: SensorDriver & ~Copyable>(
    _ driver: inout Driver, _ event: Event = .due, now: () -> Timestamp
  ) {
    batch.removeAll()
    do throws(ChipError) {
      let wake = try driver.step(event, into: &batch)
      outcome.wakes.append(wake)
      loop.take(wake, at: now())
    } catch {
      outcome.errors.append(error)
      outcome.errorTimes.append(now())
      loop.wait(until: now() + .milliseconds(10))
      return
    }
    for index in 0..<batch.detectionCount { outcome.detections.append(batch.detections[index]) }
    if batch.frames > 0 { outcome.deliveries.append(now()) }
    for frame in 0..<batch.frames {
      outcome.frames.append(
        Outcome.Frame(
          time: batch.timestamp(ofFrame: frame), missing: frame == 0 ? batch.missing : 0,
          reading: driver.decode(batch, frame: frame)))
    }
  }
}

/// The result of one step: the next wake-up or the error.
enum Stepped: Equatable {
  case wake(NextStep)
  case error(ChipError)
}

func step<Driver: SensorDriver & ~Copyable>(
  _ driver: inout Driver, _ batch: inout RawBatch, _ event: Event = .due
) -> Stepped {
  batch.removeAll()
  do throws(ChipError) {
    return .wake(try driver.step(event, into: &batch))
  } catch { return .error(error) }
}
