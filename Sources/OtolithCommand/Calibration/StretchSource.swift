// SPDX-License-Identifier: Apache-2.0
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
    var gate = StillnessGate(params)
    return try readings { reading, time, seconds in
      let stretch = gate.add(
        specificForce: reading.measuredForce,
        rotationRate: reading.measuredRate,
        temperature: reading.channels.contains(.temperature) ? reading.temperature : nil, at: time)
      return stretch.map { body($0, seconds) } ?? true
    }
  }

  /// The same with each reading of accelerometer or gyroscope, and its time.
  func readings(_ body: (ChipReading, Timestamp, Double) -> Bool) throws -> Bool {
    var first: Timestamp?
    func take(_ sample: Sample, _ mounting: Mounting) -> Bool {
      guard !sample.channels.isDisjoint(with: [.acceleration, .rotationRate]) else { return true }
      let start = first ?? sample.timestamp
      first = start
      return body(mounting.reading(sample), sample.timestamp, (sample.timestamp - start).seconds)
    }
    if let recording { return try replay(recording) { take($0, task.chip.mounting) } }
    return try follow { take($0, Mounting()) }
  }

  private func replay(_ path: String, _ body: (Sample) -> Bool) throws -> Bool {
    do throws(RecordingError) {
      var reader = try RecordingReader(path: path)
      while let sample = try reader.next() {
        if !body(sample) { return true }
      }
      return false
    } catch { throw Failure(error) }
  }

  private func follow(_ body: (Sample) -> Bool) throws -> Bool {
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
    var isSilent = true
    let begin = Timestamp.now
    while !interruption.isThere {
      while let sourced = reader.read() {
        guard sourced.source == Int32(source) else { continue }
        isSilent = false
        if !body(sourced.sample) { return true }
      }
      let elapsed = (Timestamp.now - begin).seconds
      if isSilent, elapsed > 5 { throw silence(session, source) }
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

extension ChipReading {
  /// The specific force, if it was measured.
  var measuredForce: Vector3? { channels.contains(.acceleration) ? specificForce : nil }

  /// The rotation rate, if it was measured.
  var measuredRate: Vector3? { channels.contains(.rotationRate) ? rotationRate : nil }
}

/// Ctrl-C, or a service manager's stop, while it lives: the chips are to go to sleep before the program ends.
private final class Interruption {
  private let flag: Flag
  private let signals: EndSignals

  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  init(_ listener: Listener) {
    let flag = Flag()
    self.flag = flag
    signals = EndSignals {
      flag.isSet.store(true, ordering: .releasing)
      listener.wake()
    }
  }

  var isThere: Bool { flag.isSet.load(ordering: .acquiring) }

  func end() { signals.cancel() }
}
