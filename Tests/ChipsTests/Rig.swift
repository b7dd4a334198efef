// SPDX-License-Identifier: Apache-2.0
import BusTesting
import Buses
import ChipModels
import Quantities
import Registers
import Sensors
import Simulation
import Testing

/// What a chip in a test feels. A test may change it at any time.
final class Feelings: Surroundings {
  var held = ChipReading()
  func reading(at time: Timestamp) -> ChipReading { held }
}

typealias RigBus = RecordingBus<FailingBus<I2CConnection<SimulatedI2C>>>

/// A model on a simulated bus with a clock of its own, and a log of what the driver does to it.
struct Rig {
  let clock = VirtualClock()
  let feelings = Feelings()
  let log = TransactionLog()
  let model: any ChipModel
  let address: UInt8
  let format: WireFormat
  private let simulated: SimulatedBus

  init(
    at address: UInt8, _ format: WireFormat, attached: Bool = true,
    _ model: (any Surroundings) -> any ChipModel
  ) {
    simulated = SimulatedBus(clock: clock)
    self.model = model(feelings)
    self.address = address
    self.format = format
    if attached { simulated.attach(ModelPort(self.model, format: format), at: address) }
  }

  /// A connection whose transactions with these indices fail.
  func bus(failingAt indices: Range<Int> = 0..<0, throwing error: BusError = .noAcknowledge)
    -> RigBus
  {
    RecordingBus(
      FailingBus(
        I2CConnection(SimulatedI2C(simulated), address: address, format: format), at: indices,
        throwing: error), into: log)
  }

  /// Changes a register behind the driver's back.
  func tamper(_ register: UInt8, _ value: UInt8) {
    model.advance(to: clock.now)
    model.write(value, to: register)
  }
}

/// What came out of a driver.
struct Outcome {
  struct Frame {
    var time: Timestamp
    var missing: UInt32
    var reading: ChipReading
  }
  var frames: [Frame] = []
  var errors: [ChipError] = []
  var errorTimes: [Timestamp] = []
  var wakes: [Wake] = []

  var missing: Int { frames.reduce(0) { $0 + Int($1.missing) } }
  var isOrdered: Bool { zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time } }
}

/// Calls the driver as its owner would: when it asked to be, at edges, and again 10 ms after an error.
func run<Driver: SensorDriver & ~Copyable>(
  _ driver: inout Driver, on rig: Rig, for span: TimeSpan
) -> Outcome {
  var outcome = Outcome()
  var batch = RawBatch()
  var edges = EdgeQueue()
  let end = rig.clock.now + span
  var loop = DriverLoop(due: rig.clock.now)
  while rig.clock.now < end {
    batch.removeAll()
    do throws(ChipError) {
      let begin = rig.clock.now
      let event = Event(edges: edges.count, edgeTime: edges.newest)
      let wake = try driver.step(event, into: &batch)
      outcome.wakes.append(wake)
      loop.take(wake, at: begin)
      if loop.isOver { return outcome }
    } catch {
      outcome.errors.append(error)
      outcome.errorTimes.append(rig.clock.now)
      batch.removeAll()
      loop.wait(until: rig.clock.now + .milliseconds(10))
    }
    for frame in 0..<batch.frames {
      outcome.frames.append(
        Outcome.Frame(
          time: batch.timestamp(ofFrame: frame), missing: frame == 0 ? batch.missing : 0,
          reading: driver.decode(batch, frame: frame)))
    }
    rig.model.advance(to: rig.clock.now)
    edges = rig.model.takeEdges()
    if loop.waitsForEdge, edges.count > 0 { continue }
    rig.clock.advance(to: loop.next(edge: rig.model.nextEdge))
    rig.model.advance(to: rig.clock.now)
    if loop.waitsForEdge { edges = rig.model.takeEdges() }
  }
  return outcome
}

/// One step against a script: its wake, or what it threw.
enum Stepped: Equatable {
  case wake(Wake)
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
