// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
import Boards
import BringUp
import Foundation
import Otolith
import Recordings
import Registers
import Fusion
import Sensors

/// Uncorrected readings in chip axes, from a running board or a recording.
struct CalibrationSource {
  let task: CalibrationTask
  let guide: any Guide
  /// Further chips to read in addition to the task's chip.
  var others: [ChipPlacement] = []
  /// The timeout for a live board, in seconds.
  let timeout: Double
  /// The motion that a simulated board makes at the request of the task.
  let asked: MovingWorld.Motion
  /// True to run the chips with the board's own settings, because their delays depend on these
  /// settings.
  var keepsSettings = false

  struct Moment {
    /// The index of the chip in `others`; `nil` for the task's own chip.
    var other: Int?
    var reading: ChipReading
    var time: Timestamp
    /// The time since the first reading, in seconds.
    var seconds: Double
  }

  /// Calls `body` with each interval in which the task's chip is at rest, and with the seconds
  /// since the first sample. Returns true as soon as `body` returns false; returns false if the
  /// recording ends or the time runs out before.
  func stretches(
    _ params: StationaryDetector.Params, _ body: (StationaryDetector.Stretch, Double) -> Bool
  ) throws -> Bool {
    var gate = StationaryDetector(params)
    return try moments { moment in
      guard moment.other == nil else { return true }
      return gate.add(moment.reading, at: moment.time).map { body($0, moment.seconds) } ?? true
    }
  }

  /// Calls `body` with each reading. Returns true as soon as `body` returns false; returns false if
  /// the recording ends or the time runs out before.
  func moments(_ body: (Moment) -> Bool) throws -> Bool {
    var first: Timestamp?
    func take(_ index: Int, _ reading: ChipReading, _ time: Timestamp) -> Bool {
      let motion: ChannelSet = [.acceleration, .rotationRate, .magneticField]
      guard index <= others.count, !reading.channels.isDisjoint(with: motion) else { return true }
      let start = first ?? time
      first = start
      return body(
        Moment(
          other: index == 0 ? nil : index - 1, reading: reading, time: time,
          seconds: (time - start).seconds))
    }
    if let recording = task.request.recording { return try replay(recording, take) }
    return try follow(take)
  }

  // MARK: A recording

  /// Reads the recording's rows, which are in device axes. Passes to each chip the quantities that
  /// the chip measures.
  private func replay(
    _ path: String, _ take: (Int, ChipReading, Timestamp) -> Bool
  ) throws -> Bool {
    let channels: [Channel] = [.acceleration, .rotationRate, .magneticField, .temperature]
    let chips = ([task.chip] + others).map { chip in
      (
        mounting: chip.mounting,
        channels: channels.reduce(into: ChannelSet()) {
          if $1 == .temperature || chip.measures($1) { $0.insert(ChannelSet($1)) }
        }
      )
    }
    do throws(RecordingError) {
      var reader = try RecordingReader(
        path: path, order: task.request.isStrict ? .strict : .lenient)
      var isComplete = false
      while !isComplete, let sample = try reader.next() {
        for (index, chip) in chips.enumerated() where !isComplete {
          var reading = chip.mounting.reading(sample)
          reading.channels.formIntersection(chip.channels)
          isComplete = !take(index, reading, sample.timestamp + reader.shift)
        }
      }
      Terminal.complain(about: reader)
      return isComplete
    } catch { throw Failure(error) }
  }

  // MARK: The board

  private func follow(_ take: (Int, ChipReading, Timestamp) -> Bool) throws -> Bool {
    var board = task.board
    if board.simulation?.motion == .asAsked { board.simulation?.motion = .profile(asked) }
    let examination = Examination(board, isLive: task.request.isRealTime)
    try guide.takesChips()
    defer { guide.leavesChips() }
    var chips: [(chip: ExaminedChip, settings: SensorSettings)] = []
    for chip in [task.chip] + others + hosts {
      do throws(SessionError) {
        guard let opened = try examination.open(chip.name) else { continue }
        chips.append((opened, keepsSettings ? chip.settings : Self.settings(chip)))
      } catch { throw Failure(error) }
    }
    // Report a chip that has no sample in the first five seconds, instead of waiting for the
    // timeout.
    var silent = Set(0...others.count)
    let start = try sample(examination, chips, seconds: 5) { index, _, _ in
      silent.remove(index)
      return !silent.isEmpty && !guide.isStopped
    }
    if guide.isStopped { throw type(of: guide).interruption }
    if let index = silent.min() {
      let chip = ([task.chip] + others)[index]
      guard let error = start[index].errors.last?.error else {
        throw Failure("\(chip.name) gives no samples", Failure.unavailable)
      }
      throw Failure(chip.sentence(for: error, on: board.bus(chip.bus)), Failure.unavailable)
    }
    var isDone = false
    _ = try sample(examination, chips, seconds: timeout) { index, reading, time in
      if guide.isStopped { return false }
      isDone = !take(index, reading, time)
      return !isDone
    }
    if guide.isStopped { throw type(of: guide).interruption }
    return isDone
  }

  private func sample(
    _ examination: Examination, _ chips: [(chip: ExaminedChip, settings: SensorSettings)],
    seconds: Double, _ body: (Int, ChipReading, Timestamp) -> Bool
  ) throws -> [ExaminedRun] {
    do throws(ChipError) {
      return try examination.sample(chips, for: TimeSpan(seconds: seconds), body)
    } catch {
      throw Failure(
        task.chip.sentence(for: error, on: task.board.bus(task.chip.bus)), Failure.unavailable)
    }
  }

  /// The chips that must run so that the chips on their auxiliary bus can be reached.
  private var hosts: [ChipPlacement] {
    let wanted = [task.chip] + others
    return task.board.chips.filter { host in
      wanted.contains { $0.behind == host.name } && !wanted.contains { $0.name == host.name }
    }
  }

  /// Returns settings for polling at 100 Hz, which every bus can transfer. The registers contain
  /// the temperature, which some chips' FIFO frames lack.
  private static func settings(_ chip: ChipPlacement) -> SensorSettings {
    var settings = chip.settings
    if settings.acquisition == .fifo { settings.acquisition = .polling }
    settings.rate = min(settings.rate, 100)
    settings.power = .normal
    return settings
  }
}

extension StationaryDetector {
  /// Adds the quantities of `reading`; returns an interval at rest if one is complete.
  mutating func add(_ reading: ChipReading, at time: Timestamp) -> Stretch? {
    add(
      specificForce: reading.measuredForce, rotationRate: reading.measuredRate,
      temperature: reading.channels.contains(.temperature) ? reading.temperature : nil, at: time)
  }
}

extension ChipReading {
  /// The specific force; `nil` if it was not measured.
  var measuredForce: Vector3? { channels.contains(.acceleration) ? specificForce : nil }

  /// The rotation rate; `nil` if it was not measured.
  var measuredRate: Vector3? { channels.contains(.rotationRate) ? rotationRate : nil }

  /// The magnetic field; `nil` if it was not measured.
  var measuredField: Vector3? { channels.contains(.magneticField) ? magneticField : nil }
}
