// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import LinuxBus
import Otolith
import Recordings
import SensorCalibration
import Synchronization

/// What a chip says, uncorrected and in its own axes, cut into stretches.
struct StretchSource {
  let task: CalibrationTask
  let recording: String?
  /// Seconds of a live board after which it is given up.
  let patience: Double

  /// Calls `body` with each stretch and with the seconds since the first sample until it returns false. Returns whether it did:
  /// false where the recording, or the patience, was at its end.
  func read(_ params: StillnessGate.Params, _ body: (StillnessGate.Stretch, Double) -> Bool) throws
    -> Bool
  {
    if let recording { return try replay(recording, params, body) }
    return try follow(params, body)
  }

  /// One sample into the gate; samples are in the axes that `mounting` gives.
  private static func add(_ sample: Sample, _ mounting: Mounting, to gate: inout StillnessGate)
    -> StillnessGate.Stretch?
  {
    let reading = mounting.reading(sample)
    func has(_ channel: ChannelSet) -> Bool { reading.channels.contains(channel) }
    guard has(.acceleration) || has(.rotationRate) else { return nil }
    return gate.add(
      specificForce: has(.acceleration) ? reading.specificForce : nil,
      rotationRate: has(.rotationRate) ? reading.rotationRate : nil,
      temperature: has(.temperature) ? reading.temperature : nil, at: sample.timestamp)
  }

  private func replay(
    _ path: String, _ params: StillnessGate.Params, _ body: (StillnessGate.Stretch, Double) -> Bool
  ) throws -> Bool {
    do throws(RecordingError) {
      var reader = try RecordingReader(path: path)
      var gate = StillnessGate(params)
      var first: Timestamp?
      while let sample = try reader.next() {
        let start = first ?? sample.timestamp
        first = start
        if let stretch = Self.add(sample, task.chip.mounting, to: &gate),
          !body(stretch, (sample.timestamp - start).seconds)
        {
          return true
        }
      }
      return false
    } catch { throw Failure(error) }
  }

  private func follow(
    _ params: StillnessGate.Params, _ body: (StillnessGate.Stretch, Double) -> Bool
  ) throws -> Bool {
    let session = BoardSession(Self.bare(task.board, task.chip))
    let source = session.board.chips.firstIndex { $0.name == task.chip.name } ?? 0
    let listener: Listener
    do throws(OpenError) { listener = try Listener() } catch {
      throw Failure(error.description, Failure.unavailable)
    }
    session.pipeline.add(listener)
    let interruption = Interruption(listener)
    defer { interruption.end() }
    do throws(SessionError) { try session.start() } catch { throw Failure(error) }
    defer { session.stop() }
    var reader = session.pipeline.samples.reader()
    var gate = StillnessGate(params)
    var first: Timestamp?
    let begin = Timestamp.now
    while !interruption.isThere {
      while let sourced = reader.read() {
        guard sourced.source == Int32(source) else { continue }
        let start = first ?? sourced.sample.timestamp
        first = start
        if let stretch = Self.add(sourced.sample, Mounting(), to: &gate),
          !body(stretch, (sourced.sample.timestamp - start).seconds)
        {
          return true
        }
      }
      let elapsed = (Timestamp.now - begin).seconds
      if first == nil, elapsed > 5 { throw silence(session, source) }
      if elapsed > patience { return false }
      listener.wait(until: Timestamp.now + .milliseconds(500)) { reader.isBehind }
    }
    throw Failure("interrupted; nothing was written", 130)
  }

  /// `board` with nothing but `chip`, as it is without calibration and mounting.
  private static func bare(_ board: Board, _ chip: ChipPlacement) -> Board {
    var bare = board
    bare.calibration = nil
    bare.learned = .off
    bare.chips = board.chips.filter { $0.name == chip.name || $0.name == chip.behind }
    for index in bare.chips.indices where bare.chips[index].name == chip.name {
      bare.chips[index].mounting = Mounting()
      // Not every chip's queue holds its temperature; its registers do. They are read fast enough at 100 Hz on any bus.
      if bare.chips[index].settings.acquisition == .fifo {
        bare.chips[index].settings.acquisition = .polling
      }
      let rate = bare.chips[index].settings.rate
      bare.chips[index].settings.rate = min(rate, 100)
      bare.chips[index].settings.power = .normal
    }
    return bare
  }

  private func silence(_ session: BoardSession, _ source: Int) -> Failure {
    if case .failed(let error) = session.pipeline.chips[source] {
      let bus = task.board.bus(task.chip.bus)
      return Failure(task.chip.sentence(for: error, on: bus), Failure.unavailable)
    }
    return Failure("\(task.chip.name) gives no samples", Failure.unavailable)
  }
}

/// Ctrl-C, or a service manager's stop, while it lives: the chips are to go to sleep before the program ends.
private final class Interruption {
  private let flag: Flag
  private let sources: [any DispatchSourceSignal]

  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  init(_ listener: Listener) {
    let flag = Flag()
    self.flag = flag
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        flag.isSet.store(true, ordering: .releasing)
        listener.wake()
      }
      source.resume()
      return source
    }
  }

  var isThere: Bool { flag.isSet.load(ordering: .acquiring) }

  func end() { for source in sources { source.cancel() } }
}
