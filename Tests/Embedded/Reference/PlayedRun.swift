// SPDX-License-Identifier: Apache-2.0
import BusTraces
import Boards
import ChipCatalog
import Fusion
import Quantities
import Recognition
import Registers
import Sensors

/// The results of Linux for the bytes of a trace: batches, samples, motions, steps.
///
/// Records, lowest bytes first, each beginning with its letter; floating point in 64 bits:
///
/// | | |
/// |---|---|
/// | `B` | chip (8), frames (16), bytes of a frame (16), the bytes |
/// | `X` | chip (8): the driver threw |
/// | `P` | chip (8), time (64), missing (32), channels (8), acceleration, rotation rate, field, pressure, temperature, humidity |
/// | `M` | contents (8), accuracy (8), three attitudes (w, x, y, z), gravity, user acceleration, gyro bias, field |
/// | `H` | chip (8), received, missing, bus errors, overflows, missed interrupts, misconfigurations, restarts (64 each) |
/// | `T` | steps (64), of which floors up, floors down (64 each) |
struct PlayedRun {
  private(set) var bytes: [UInt8] = []
  private(set) var samples: [Sample] = []

  init(_ board: Board) throws {
    guard let trace = board.trace else { throw ReferenceError("no trace") }
    var chips: [String: Chip] = [:]
    var channels: ChannelSet = []
    for (place, placement) in board.chips.enumerated() {
      let chip = try Chip(placement, UInt8(place), trace)
      channels.formUnion(chip.driver.channels)
      chips[placement.name] = chip
    }
    var motion = MotionEstimator(channels: channels)
    var movement = MovementEstimator(channels: channels)
    for (line, event) in zip(trace.lines, trace.events) {
      guard let chip = chips[event.chip] else { continue }
      switch event.kind {
      case .started: chip.driver.start()
      case .edges(let count, let newest): chip.edges = Event(edges: count, edgeTime: newest)
      case .stepped(let isEdge):
        chip.answers.goToStep(atLine: line)
        for sample in step(chip, isEdge ? chip.edges : .due) {
          samples.append(sample)
          add(sample, chip.place)
          if let motion = motion.update(sample) { add(motion) }
          movement.update(sample)
        }
      default: break
      }
    }
    for chip in chips.values.sorted(by: { $0.place < $1.place }) {
      guard chip.answers.divergenceCount == 0 else {
        throw ReferenceError("a driver asked something else than was recorded")
      }
      add(chip.driver.health, chip.place)
    }
    bytes += Array("T".utf8)
    bytes.add(Int64(movement.movement.counts.steps))
    bytes.add(Int64(movement.movement.counts.floorsAscended))
    bytes.add(Int64(movement.movement.counts.floorsDescended))
  }

  private final class Chip {
    let place: UInt8
    let driver: any ChipDriver
    let answers: ChipTrace
    let mounting: Mounting
    var edges = Event.due

    init(_ placement: ChipPlacement, _ place: UInt8, _ trace: Trace) throws {
      guard let entry = ChipCatalog.entry(named: placement.chip) else {
        throw ReferenceError("no chip \(placement.chip)")
      }
      self.place = place
      mounting = placement.mounting
      answers = ChipTrace(
        trace, chip: placement.name, queues: entry.queueRegisters, places: entry.places,
        firmware: entry.description.firmware,
        isExact: true)
      driver = entry.driver(HostConnection(TracePort(replaying: answers)))
      _ = try driver.configure(placement.settings)
    }
  }

  private mutating func step(_ chip: Chip, _ event: Event) -> [Sample] {
    var batch = RawBatch()
    do { _ = try chip.driver.step(event, into: &batch) } catch {
      bytes += Array("X".utf8) + [chip.place]
      return []
    }
    guard batch.frames > 0 else { return [] }
    bytes += Array("B".utf8) + [chip.place]
    bytes.add(UInt16(batch.frames))
    bytes.add(UInt16(batch.frameSize))
    for index in 0..<batch.frames * batch.frameSize { bytes.append(batch.byte(index)) }
    var samples: [Sample] = []
    for frame in 0..<batch.frames {
      samples.append(
        chip.mounting.sample(
          chip.driver.decode(batch, frame: frame), at: batch.timestamp(ofFrame: frame),
          after: frame == 0 ? batch.missing : 0))
    }
    return samples
  }

  private mutating func add(_ sample: Sample, _ place: UInt8) {
    bytes += Array("P".utf8) + [place]
    bytes.add(sample.timestamp.nanoseconds)
    bytes.add(sample.missing)
    bytes.append(UInt8(truncatingIfNeeded: sample.channels.rawValue))
    bytes.add(sample.acceleration)
    bytes.add(sample.rotationRate)
    bytes.add(sample.magneticField)
    bytes.add(Double(sample.pressure))
    bytes.add(Double(sample.temperature))
    bytes.add(Double(sample.humidity))
  }

  private mutating func add(_ motion: MotionSample) {
    bytes += Array("M".utf8)
    bytes += [motion.contents.rawValue, UInt8(bitPattern: motion.magneticAccuracy.rawValue)]
    bytes.add(motion.attitude6)
    bytes.add(motion.attitudeCorrected)
    bytes.add(motion.attitude9)
    bytes.add(motion.gravity)
    bytes.add(motion.userAcceleration)
    bytes.add(motion.gyroBias)
    bytes.add(motion.magneticField)
  }

  private mutating func add(_ health: Health, _ place: UInt8) {
    bytes += Array("H".utf8) + [place]
    for count in [
      health.received, health.missing, health.busErrors, health.overflows,
      health.missedInterrupts, health.misconfigurations, health.restarts,
    ] { bytes.add(count) }
  }
}
