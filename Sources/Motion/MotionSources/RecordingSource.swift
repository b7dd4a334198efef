// SPDX-License-Identifier: Apache-2.0
public import Runtime
internal import Boards
public import Fusion
internal import LinuxSystem
internal import Logging
public import Quantities
public import Recordings
public import Registers
internal import Synchronization

/// A source that plays a recording in real time. The intervals between samples are as in the
/// recording, and the timestamps are current.
public final class RecordingSource: MotionSource {
  public let name: String
  public let channels: ChannelSet
  public let location: Location?
  public let trueNorth: TrueNorth?
  public let pipeline: MotionPipeline

  private let reader: RecordingReader
  /// The length of the pause in the playback at a place where the recording's clock was set back.
  private static let pause = TimeSpan.seconds(1)
  private let rates: [Double?]
  /// The time from the first to the last sample, without gaps in which the clock was set back.
  package let length: TimeSpan
  private let played = Atomic<Int64>(0)
  private let speed: Double
  private let repeats: Bool
  private struct Player: Sendable {
    var thread: ThreadHandle?
    var wakeEvent: WakeEvent?
  }
  private let player = Mutex(Player())
  private let isWanted = Atomic<Bool>(false)

  /// Opens the recording at `path`, which has the columns of `otolith replay`. `speed` 2 plays the
  /// recording twice as fast with unchanged timestamps, so their clock runs ahead of the machine's.
  /// With `repeats` the recording restarts after its end. `location` is the place of the recording.
  /// Rows out of order are skipped. Where the recording's clock was set back by more than 1 s, the
  /// playback pauses for 1 s. Throws if the file cannot be read.
  public init(
    path: String, speed: Double = 1, repeats: Bool = false, location: Location? = nil,
    date: CivilDate = .today, params: FusionEngine.Params = FusionEngine.Params()
  ) throws(RecordingError) {
    reader = try RecordingReader(
      path: path, order: .lenient, RecordingConventions(), isReadAgain: true)
    (rates, length) = try Self.rates(reader)
    name = path
    channels = reader.channels
    self.speed = speed > 0 && speed.isFinite ? speed : 1
    self.repeats = repeats
    self.location = location
    trueNorth = TrueNorth(at: location, on: date)
    pipeline = MotionPipeline(
      chips: [reader.channels], params: params, expectedField: trueNorth?.expectedField)
  }

  deinit { stop() }

  /// Reads the whole recording once, to detect errors in later rows, and returns the sample rates.
  private static func rates(
    _ reader: RecordingReader
  ) throws(RecordingError) -> ([Double?], TimeSpan) {
    var reader = reader
    var counts = [Int](repeating: 0, count: Channel.allCases.count)
    var first: Timestamp?
    var last = Timestamp.zero
    while let sample = try reader.next() {
      if first == nil { first = sample.timestamp }
      last = sample.timestamp + reader.shift - gaps(reader)
      for channel in Channel.allCases where sample.channels.contains(channel) {
        counts[Int(channel.rawValue)] += 1
      }
    }
    guard let first, last > first else {
      throw .singleMoment(reader.file, for: "to be played")
    }
    if let remark = reader.remark { logger.warning("\(remark)") }
    for warning in reader.notes + reader.warnings { logger.warning("\(warning.text)") }
    let length = last - first
    return (counts.map { $0 > 1 ? Double($0 - 1) / length.seconds : nil }, length)
  }

  /// Returns the total length of the gaps so far in which the clock was set back.
  private static func gaps(_ reader: RecordingReader) -> TimeSpan {
    RecordingReader.stretchGap * Int64(reader.stretches - 1)
  }

  public var kind: MotionSourceKind { .recording(position: position, length: length) }

  /// The time from the first sample to the newest one played.
  package var position: TimeSpan { TimeSpan(nanoseconds: played.load(ordering: .relaxed)) }

  public func rate(of channel: Channel) -> Double? { rates[Int(channel.rawValue)] }

  public var report: [ChipReport] { [] }

  public func channels(ofChip index: Int) -> ChannelSet { index == 0 ? channels : [] }

  public func sentence(for error: ChipError, ofChip index: Int) -> String { "\(name): \(error)" }

  public func start() throws(SessionError) {
    let failure = player.withLock { player -> ResourceError? in
      guard player.thread == nil else { return nil }
      do throws(ResourceError) {
        let wakeEvent = try WakeEvent()
        isWanted.store(true, ordering: .releasing)
        pipeline.begin()
        player.wakeEvent = wakeEvent
        player.thread = ThreadHandle(
          try startThread(name: "recording") { [weak self] in self?.play(wakeEvent) })
        return nil
      } catch { return error }
    }
    if let failure { throw .resource(failure) }
  }

  public func stop() {
    player.withLock { player in
      isWanted.store(false, ordering: .releasing)
      player.wakeEvent?.signal()
      player.thread?.join()
      player = Player()
    }
  }

  private func play(_ wakeEvent: WakeEvent) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    // The start on the samples' clock and on the machine's clock; the two diverge if the speed is
    // not 1.
    var begin = monotonicNow()
    var real = begin
    pipeline.chipRecovered(0)
    repeat {
      var reader = self.reader
      var first: Timestamp?
      var newest = TimeSpan.zero
      var idle = TimeSpan.zero
      // The file was checked before, so an error now can only be logged.
      while let sample = next(&reader) {
        let origin = first ?? sample.timestamp
        first = origin
        let age = sample.timestamp + reader.shift - origin
        idle = Self.gaps(reader) - Self.pause * Int64(reader.stretches - 1)
        let due = real + TimeSpan(seconds: (age - idle).seconds / speed)
        while monotonicNow() < due, isWanted.load(ordering: .acquiring) {
          _ = try? poller.wait(until: due)
        }
        guard isWanted.load(ordering: .acquiring) else { return }
        var present = sample
        present.timestamp = begin + age
        newest = age
        played.store((age - Self.gaps(reader)).nanoseconds, ordering: .relaxed)
        pipeline.receive(present, from: 0)
      }
      // The next repetition of the recording begins 10 ms later on the samples' clock.
      let round = newest + .milliseconds(10)
      begin = begin + round
      real = real + TimeSpan(seconds: (round - idle).seconds / speed)
    } while repeats && isWanted.load(ordering: .acquiring)
  }

  private func next(_ reader: inout RecordingReader) -> Sample? {
    do throws(RecordingError) { return try reader.next() } catch {
      logger.warning("\(error.description)")
      return nil
    }
  }
}

private let logger = Logger(label: "otolith.runtime")
