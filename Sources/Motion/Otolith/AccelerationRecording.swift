// SPDX-License-Identifier: Apache-2.0
internal import History
internal import LinuxSystem
internal import Logging
internal import Synchronization

extension MotionHub {
  /// Records acceleration into `store`, one sample per `interval`, until the recording is stopped
  /// or released. An `interval` of zero records every sample unchanged. Samples from a faster board
  /// are averaged, so that vibration is not aliased into slow motion (`Decimator`). Samples from a
  /// slower board are recorded unchanged. Samples older than `retention` are deleted.
  ///
  /// Throws if the recording cannot start. Later failures, such as a full disk or a sensor that
  /// stops responding, are logged, and the recording continues when they are over.
  public func recordAcceleration(
    to store: SampleStore, every interval: Duration = .milliseconds(20),
    keeping retention: Duration = .seconds(3 * 86_400)
  ) throws(RecorderError) -> AccelerationRecording {
    let work = try RecordingWork(
      self, store, rate: interval > .zero ? 1 / interval.seconds : nil,
      keeping: TimeSpan(seconds: retention.seconds))
    return try AccelerationRecording(work, try work.open())
  }
}

/// A recording of acceleration. A separate thread writes it about once per second, so a power
/// failure loses the last second.
public final class AccelerationRecording: Sendable {
  private let work: RecordingWork
  private let thread: ThreadHandle

  /// Creates a recording that follows the request stored in `store`. The recording is active for as
  /// long as the request is. It retries if it cannot record, for instance because another process
  /// is recording.
  package convenience init(
    requestedOf hub: MotionHub, _ store: SampleStore, rate: Double? = 50
  ) throws(RecorderError) {
    let work = try RecordingWork(hub, store, rate: rate, keeping: .seconds(3 * 86_400))
    try self.init(work, nil)
  }

  /// Creates a recording with the `opened` resources. If `opened` is `nil`, the stored request
  /// determines when to open them.
  fileprivate init(_ work: RecordingWork, _ opened: consuming RecordingWork.Opened?)
    throws(RecorderError)
  {
    self.work = work
    let isRequested = opened == nil
    let box = SendableBox(opened)
    do {
      thread = ThreadHandle(
        try startThread(name: "otolith record") { [work] in
          work.run(box.take(), isRequested: isRequested)
        })
    } catch { throw .system(error.description) }
  }

  deinit { stop() }

  /// True while samples are being recorded.
  public var isActive: Bool { work.isActive.load(ordering: .acquiring) }

  /// Checks the stored request now.
  package func checkRequest() { work.wakeEvent.signal() }

  /// Writes the samples measured so far and stops. Returns when both are done.
  public func stop() {
    work.isWanted.store(false, ordering: .releasing)
    work.wakeEvent.signal()
    thread.join()
  }

  /// Passes the open resources to the recording thread.
  private final class SendableBox: Sendable {
    private let opened: Mutex<RecordingWork.Opened?>
    init(_ opened: consuming RecordingWork.Opened?) { self.opened = Mutex(opened) }
    func take() -> RecordingWork.Opened? { opened.withLock { $0.take() } }
  }
}

/// The work of the recording thread: it opens the store, writes samples, and retries after
/// failures.
private final class RecordingWork: Sendable {
  struct Opened: ~Copyable, Sendable {
    var writer: SampleWriter
    let listening: Listening
    var decimator: Decimator?
    let collector: AccelerationCollector
    var taken = AccelerationCollector.Waiting()
    /// The number of samples lost since the last successful write to the disk.
    var lost: UInt64 = 0
  }
  let hub: MotionHub
  let store: SampleStore
  private let rate: Double?
  private let retention: TimeSpan
  let wakeEvent: WakeEvent
  let isWanted = Atomic<Bool>(true)
  let isActive = Atomic<Bool>(false)

  init(
    _ hub: MotionHub, _ store: SampleStore, rate: Double?, keeping retention: TimeSpan
  ) throws(RecorderError) {
    self.hub = hub
    self.store = store
    self.rate = rate
    self.retention = retention
    do { wakeEvent = try WakeEvent() } catch { throw .system(error.description) }
  }

  func open() throws(RecorderError) -> Opened {
    // If there is no source, skip this check: `listen` throws the reason.
    if let source = hub.source, !source.has(.acceleration) {
      throw .session(.missing(.acceleration, source: source.name))
    }
    // If there is no board yet, the rate of the source is unknown, and samples are recorded
    // unchanged.
    let actual = hub.source?.rate(of: .acceleration) ?? 0
    // Open the store first. If another process is writing to it, the sensors need not run.
    let writer = try openStore()
    let collector = AccelerationCollector()
    let decimator = rate.flatMap { $0 > 0 && actual > $0 ? Decimator(from: actual, to: $0) : nil }
    do throws(SessionError) {
      let listening = try hub.listen(collector)
      return Opened(
        writer: writer, listening: listening, decimator: decimator, collector: collector)
    } catch { throw .session(error) }
  }

  private func openStore() throws(RecorderError) -> SampleWriter {
    do throws(HistoryError) { return try SampleWriter(store, keeping: retention) } catch {
      throw .history(error)
    }
  }

  /// The time between two writes to the store, and between two attempts to open it.
  private static let interval = TimeSpan.seconds(1)

  func run(_ given: consuming Opened?, isRequested: Bool) {
    var opened = given.take()
    var failures = FailureLog(
      logger, failing: "acceleration is not recorded", working: "acceleration is recorded again")
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    // Averages of samples near the end of a request arrive slightly later, so continue recording
    // for a moment. Samples measured after the end are removed.
    var isLingering = false
    var end = Timestamp.distantFuture
    while isWanted.load(ordering: .acquiring) {
      // Read the request before writing samples, because it may have been extended in the meantime.
      let request = isRequested ? store.request() : nil
      if let request { end = .now + request.remaining() }
      if opened != nil { flush(&opened, until: end, &failures) }
      var wait = Self.interval
      if request != nil {
        isLingering = false
        if opened == nil { opened = attempt(&failures) }
        wait = min(wait, end - .now + .milliseconds(10))
      } else if isRequested, opened != nil, !isLingering {
        isLingering = true
        wait = .milliseconds(250)
      } else if isRequested {
        close(opened.take(), until: end, &failures)
        opened = nil
        isLingering = false
        // Wait for the next request, which signals the event.
        wait = .seconds(365 * 86_400)
      }
      isActive.store(opened != nil, ordering: .releasing)
      // If waiting for the event fails, the next attempt would fail immediately too, so stop.
      guard (try? poller.wait(until: .now + wait)) != nil else { break }
      wakeEvent.drain()
    }
    close(opened.take(), until: end, &failures)
    isActive.store(false, ordering: .releasing)
  }

  private func attempt(_ failures: inout FailureLog) -> Opened? {
    do throws(RecorderError) {
      let opened = try open()
      return opened
    } catch {
      failures.note(error.description)
      return nil
    }
  }

  /// The longest time by which a sample can be later than the end of a request. If a sample is even
  /// later, it has another clock, as in a recording that is played.
  private static let longestDelay = TimeSpan.seconds(60)

  /// Writes the samples measured so far to disk, except those after `end`.
  private func flush(
    _ opened: inout Opened?, until end: Timestamp, _ failures: inout FailureLog
  ) {
    guard var present = opened.take() else { return }
    present.collector.exchange(&present.taken)
    var samples = present.taken.samples
    if present.decimator != nil {
      var fewer: [TimedAcceleration] = []
      for sample in samples { present.decimator?.add(sample) { fewer.append($0) } }
      samples = fewer
    }
    if let last = samples.last?.timestamp, last > end, last - end < Self.longestDelay {
      samples.removeAll { $0.timestamp > end }
    }
    present.lost += present.taken.lost
    if !samples.isEmpty {
      do throws(HistoryError) {
        try present.writer.append(samples, lost: present.lost)
        present.lost = 0
        failures.note(nil)
      } catch {
        present.lost += UInt64(samples.count)
        failures.note(error.description)
      }
    }
    opened = consume present
  }

  private func close(
    _ opened: consuming Opened?, until end: Timestamp, _ failures: inout FailureLog
  ) {
    var opened = opened.take()
    guard opened != nil else { return }
    flush(&opened, until: end, &failures)
    opened?.listening.stop()
  }
}

private let logger = Logger(label: "otolith.recorder")
