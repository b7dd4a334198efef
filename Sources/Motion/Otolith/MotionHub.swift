// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
internal import Runtime
internal import Synchronization

/// The source of a process's motion, with all its listeners. The chips run while there is a
/// listener.
///
/// The source is chosen when it is first used. It is the source set with `use`; otherwise the
/// service if its socket exists (`ServicePlace`); otherwise the board chosen by `BoardSelection`.
/// If there is no board, there is no motion: the simulated board must be requested explicitly
/// (`OTOLITH_BOARD=simulated`, or `use`). Tests can use a recording or a script.
public final class MotionHub: Sendable {
  /// The hub that `CMMotionManager` uses.
  public static let shared = MotionHub()

  private struct Choice: Sendable {
    var chosen: (any MotionSource)?
    var source: (any MotionSource)?
    /// The reason why there is no source: an error in the board file that the environment names, or
    /// an error of the service.
    var refusal: SessionError?
    /// The time until which the error in `refusal` is returned again without a search of all buses.
    var nextSearch = Timestamp.zero
    var access = SensorAccess.unknown
    /// The last error of a start that was logged.
    var complaint: String?

    /// The source, or the result that there is none; `nil` if the next caller must search for one.
    var decided: Decided? {
      mutating get {
        if source == nil { source = chosen }
        return source != nil || nextSearch > .now ? Decided(source: source) : nil
      }
    }

    /// Stores an error, which is returned to callers until the time `next`.
    mutating func refuse(_ error: SessionError, until next: Timestamp) {
      nextSearch = next
      // Log the error only once, because callers request the source repeatedly.
      if refusal?.description != error.description { logger.error("\(error.description)") }
      refusal = error
    }
  }
  private struct Decided: Sendable {
    var source: (any MotionSource)?
  }
  private struct Life: Sendable {
    var broadcaster: Broadcaster?
    var listeners = 0
  }
  /// A lock that is held only for short reads and writes of the state, so that receivers may use
  /// the state at any time.
  private let choice = Mutex(Choice())
  /// A lock that is held during the search for a source, which takes two seconds if a service
  /// hangs. Only callers that need a source wait for this lock.
  private let search = Mutex(())
  /// A lock that is held while the source starts or stops, which takes time.
  private let life = Mutex(Life())
  /// The model of the air for altitudes.
  package let altimetry = Altimetry()
  /// Counts movement, and holds the observers of movement.
  package let movement = MovementFollower()

  public init() {}

  /// Creates a hub for `source`.
  package init(_ source: any MotionSource) { choice.withLock { $0.chosen = source } }

  /// Uses `source` from now on, instead of the board that the environment names. If the source has
  /// already been requested, throws `SourceInUse` and changes nothing.
  public func use(_ source: any MotionSource) throws(SourceInUse) {
    let used = choice.withLock { choice -> (any MotionSource)? in
      if choice.source == nil { choice.chosen = source }
      return choice.source
    }
    guard let used else { return }
    // Do not wait for the lock for starts and stops, because a start or stop in progress may be
    // waiting for the caller.
    throw SourceInUse(source: used.name, listeners: life.withLockIfAvailable { $0.listeners })
  }

  /// Removes the source if it has no listeners, so that another source can be chosen. Returns false
  /// if it has listeners.
  @discardableResult
  public func reset() -> Bool {
    life.withLock { life in
      guard life.listeners == 0 else { return false }
      choice.withLock { $0 = Choice() }
      altimetry.choose(nil)
      movement.reset()
      return true
    }
  }

  /// The source of motion. The first access chooses the source but does not start it. `nil` if
  /// there is no board or its file is invalid; the log contains the reason. `isMadeUp` of the
  /// source is true if the samples do not come from chips.
  public var source: (any MotionSource)? {
    if let decided = choice.withLock({ $0.decided }) { return decided.source }
    return search.withLock { _ in
      // Another caller may have found the source in the meantime.
      if let decided = choice.withLock({ $0.decided }) { return decided.source }
      let begin = Timestamp.now
      let found: Result<any MotionSource, SessionError>
      do throws(SessionError) { found = .success(try Self.find()) } catch {
        found = .failure(error)
      }
      return choice.withLock { choice in
        // A source that was set in the meantime takes precedence.
        if let decided = choice.decided { return decided.source }
        switch found {
        case .success(let source): choice.source = source
        case .failure(let error):
          // Do not let the next caller repeat a slow search immediately.
          var pause = Timestamp.now - begin
          if case .noBoard = error { pause = Self.searchInterval }
          choice.refuse(error, until: .now + pause)
          return nil
        }
        choice.refusal = nil
        return choice.source
      }
    }
  }

  /// The time between two searches for chips on all buses of the machine.
  private static let searchInterval = TimeSpan.seconds(10)

  /// Returns the service's board if the service exists; otherwise a board that this process opens.
  private static func find() throws(SessionError) -> any MotionSource {
    let selection = try SourceSelection.choose()
    // Only commands fall back to the simulated board. A program would mistake its motion for the
    // device's motion.
    if let missing = selection.missing { throw missing }
    logger.info("board: \(selection.sentence)")
    for remark in selection.remarks { logger.info("\(remark)") }
    return selection.makeSource()
  }

  /// The reason why there is no source; `nil` if there is a source, or if no search was made.
  package var refusal: SessionError? { choice.withLock { $0.refusal } }

  /// The channels of the source if its devices are present; otherwise `nil`.
  package var presentChannels: ChannelSet? {
    source.flatMap { $0.isPresent ? $0.channels : nil }
  }

  /// The result of the last attempt to open the sensors.
  public var access: SensorAccess { choice.withLock { $0.access } }

  /// Starts to deliver motion to `receiver`. The first listener starts the chips. Throws if the
  /// source cannot be opened.
  public func listen(_ receiver: any MotionReceiver) throws(SessionError) -> Listening {
    let source = try sourceOrRefusal()
    return try noted(
      life.withLock { life -> Result<Listening, SessionError> in
        do throws(SessionError) { return .success(try begin(receiver, source, &life)) } catch {
          return .failure(error)
        }
      })
  }

  /// Tests whether the source can be opened, and stores the result in `access`. Nothing is sent to
  /// the chips. If the source cannot be opened, throws the reason.
  package func tryOpening() throws(SessionError) {
    let source = try sourceOrRefusal()
    try noted(
      life.withLock { life -> Result<Void, SessionError> in
        // If there are listeners, the source is already open.
        guard life.listeners == 0 else { return .success(()) }
        do throws(SessionError) { return .success(try source.tryOpening()) } catch {
          return .failure(error)
        }
      })
  }

  private func sourceOrRefusal() throws(SessionError) -> any MotionSource {
    if let source { return source }
    throw choice.withLock { choice in
      let refusal = choice.refusal ?? .noBoard([])
      choice.access = SensorAccess(Result<Never, SessionError>.failure(refusal))
      return refusal
    }
  }

  /// Stores the result of an attempt to open the source in `access`, and returns or throws it.
  private func noted<Value>(_ result: Result<Value, SessionError>) throws(SessionError) -> Value {
    let access = SensorAccess(result)
    let complaint = choice.withLock { choice -> String? in
      choice.access = access
      guard case .failure(let error) = result else {
        choice.complaint = nil
        return nil
      }
      // Log the error only once, because callers retry repeatedly.
      defer { choice.complaint = error.description }
      return choice.complaint == error.description ? nil : error.description
    }
    // Log the error, because the program's handler may ignore it, or the program may have no
    // handler.
    if let complaint { logger.error("\(complaint)") }
    return try result.get()
  }

  private func begin(
    _ receiver: any MotionReceiver, _ source: any MotionSource, _ life: inout Life
  ) throws(SessionError) -> Listening {
    let broadcaster: Broadcaster
    if let running = life.broadcaster {
      broadcaster = running
    } else {
      // Reset chip states before adding the first listener, because they belong to the previous
      // run.
      source.pipeline.forgetUnused()
      do { broadcaster = try Broadcaster(source) } catch { throw .resource(error) }
    }
    // Add the receiver before the start, so that it does not miss the first sample.
    let entry = broadcaster.add(receiver)
    if life.broadcaster == nil {
      do throws(SessionError) {
        // The source may already be running for another hub.
        try source.pipeline.beginUse { () throws(SessionError) in try source.start() }
      } catch {
        // Do not wait for the receiver, because the caller may hold a lock that the receiver takes.
        broadcaster.remove(entry)
        broadcaster.end()
        throw error
      }
      life.broadcaster = broadcaster
    }
    life.listeners += 1
    return Listening(entry, of: broadcaster, hub: self, source: broadcaster.source)
  }

  /// Removes one listener. Removing the last listener stops the source.
  func leave() {
    life.withLock { life in
      life.listeners -= 1
      guard life.listeners == 0, let broadcaster = life.broadcaster else { return }
      broadcaster.end()
      life.broadcaster = nil
      // Stop the source that was started, even if another source has been chosen since.
      broadcaster.source.pipeline.endUse { broadcaster.source.stop() }
    }
  }

  /// Waits until everything that the source provided before this call has been delivered: the
  /// operation of each handler is then in its queue, and the element of each stream is in its
  /// buffer. This is meant for tests with scripted sensors. Returns false after `limit`, if the
  /// task is cancelled, or if there are no listeners.
  @discardableResult
  public func flush(within limit: Duration = .seconds(5)) async -> Bool {
    // Wait outside the lock, because listeners need it in the meantime.
    guard let broadcaster = life.withLock({ $0.broadcaster }) else { return false }
    return await broadcaster.flush(within: TimeSpan(seconds: limit.seconds))
  }

  /// Sets yaw to zero at the next motion, in both arbitrary frames and for every listener of this
  /// hub. Attitudes relative to north do not change. Has no effect without listeners, because a new
  /// listener starts with yaw zero.
  public func resetYaw() { life.withLock { $0.broadcaster?.resetYaw() } }

  /// The current estimate of the sensors' errors; `nil` without a source.
  public var calibration: CalibrationState? { source?.calibration }
}

private let logger = Logger(label: "otolith")
