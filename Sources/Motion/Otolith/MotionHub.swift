// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
internal import Runtime
internal import Synchronization

/// The source of a process's motion with all its listeners: the chips run from the first listener
/// to the last.
///
/// The source is determined when it is first requested: the one given to `use` before, otherwise
/// that of the service if its socket exists (`ServicePlace`), otherwise the board chosen by
/// `BoardSelection`. If it finds no board, a program gets no simulated motion instead: the
/// simulated board must be named (`OTOLITH_BOARD=simulated`, or `use`). Tests use a recording or a
/// script, with everything above unchanged.
public final class MotionHub: Sendable {
  /// The hub that `CMMotionManager` uses.
  public static let shared = MotionHub()

  private struct Choice: Sendable {
    var chosen: (any MotionSource)?
    var source: (any MotionSource)?
    /// The reason why there is no source: an error in the board file named by the environment, or
    /// of the service.
    var refusal: SessionError?
    /// The time until which the same error is returned, instead of searching all buses again.
    var nextLook = Timestamp.zero
    var access = SensorAccess.unknown
    /// The last logged error of a start.
    var complaint: String?

    /// The source, or the result that none was found yet; `nil` if it must be searched for.
    var settled: Settled? {
      mutating get {
        if source == nil { source = chosen }
        return source != nil || nextLook > .now ? Settled(source: source) : nil
      }
    }

    /// Stores the error, which is returned until `next`.
    mutating func refuse(_ error: SessionError, until next: Timestamp) {
      nextLook = next
      // Log it once, because every caller requests the source repeatedly.
      if refusal?.description != error.description { logger.error("\(error.description)") }
      refusal = error
    }
  }
  private struct Settled: Sendable {
    var source: (any MotionSource)?
  }
  private struct Life: Sendable {
    var distributor: Broadcaster?
    var listeners = 0
  }
  /// Locked only for short reads and writes, so that receivers may use it at any time.
  private let choice = Mutex(Choice())
  /// Locked while searching for a source, which takes two seconds if a service hangs: callers that
  /// need a source wait for it, others do not.
  private let look = Mutex(())
  /// Locked while the source starts and stops, which takes time.
  private let life = Mutex(Life())
  /// The reference for altitudes.
  package let altimetry = Altimetry()
  /// The counting of movement, with its observers.
  package let movement = MovementFollower()

  public init() {}

  /// Creates a hub for `source`.
  package init(_ source: any MotionSource) { choice.withLock { $0.chosen = source } }

  /// Uses `source` from now on instead of the board named by the environment. Throws, and changes
  /// nothing, if the source has already been requested.
  public func use(_ source: any MotionSource) throws(SourceInUse) {
    let used = choice.withLock { choice -> (any MotionSource)? in
      if choice.source == nil { choice.chosen = source }
      return choice.source
    }
    guard let used else { return }
    // Does not wait for the lock: a start or stop in progress may wait for the caller.
    throw SourceInUse(source: used.name, listeners: life.withLockIfAvailable { $0.listeners })
  }

  /// Removes the source, if there are no listeners, so that another can be chosen. Returns false if
  /// there are.
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

  /// The source of motion; chosen at the first call, but not started. `nil` if there is no board,
  /// or its file is invalid: the log has the reason. Its `isMadeUp` is true if the samples do not
  /// come from chips.
  public var source: (any MotionSource)? {
    if let settled = choice.withLock({ $0.settled }) { return settled.source }
    return look.withLock { _ in
      // Another caller may have searched in the meantime.
      if let settled = choice.withLock({ $0.settled }) { return settled.source }
      let begin = Timestamp.now
      let found: Result<any MotionSource, SessionError>
      do throws(SessionError) { found = .success(try Self.find()) } catch {
        found = .failure(error)
      }
      return choice.withLock { choice in
        // A source chosen in the meantime takes precedence.
        if let settled = choice.settled { return settled.source }
        switch found {
        case .success(let source): choice.source = source
        case .failure(let error):
          // A slow search must not be repeated at once by the next caller.
          var pause = Timestamp.now - begin
          if case .noBoard = error { pause = Self.patience }
          choice.refuse(error, until: .now + pause)
          return nil
        }
        choice.refusal = nil
        return choice.source
      }
    }
  }

  /// The time between two searches for chips on all buses of the machine.
  private static let patience = TimeSpan.seconds(10)

  /// Returns the service's board if there is a service, otherwise one in this process.
  private static func find() throws(SessionError) -> any MotionSource {
    let selection = try SourceSelection.choose()
    // Commands may fall back to the simulated board, but a program would take its motion for the
    // device's.
    if let missing = selection.missing { throw missing }
    logger.info("board: \(selection.sentence)")
    for remark in selection.remarks { logger.info("\(remark)") }
    return selection.makeSource()
  }

  /// The reason why there is no source; `nil` if there is one.
  package var refusal: SessionError? { choice.withLock { $0.refusal } }

  /// The channels of the source, if its devices are present; otherwise `nil`.
  package var presentChannels: ChannelSet? {
    source.flatMap { $0.isPresent ? $0.channels : nil }
  }

  /// The result of the last attempt to open the sensors.
  public var access: SensorAccess { choice.withLock { $0.access } }

  /// Starts delivering motion to `receiver`; the first listener starts the chips. Throws if the
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

  /// Tests, for `access`, whether the source can be opened, without communicating with its chips.
  /// Throws the reason if it cannot.
  package func tryOpening() throws(SessionError) {
    let source = try sourceOrRefusal()
    try noted(
      life.withLock { life -> Result<Void, SessionError> in
        // It is already open.
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

  /// Returns the result of an attempt to open the source, or throws its error, after recording it.
  private func noted<Value>(_ result: Result<Value, SessionError>) throws(SessionError) -> Value {
    let access = SensorAccess(result)
    let complaint = choice.withLock { choice -> String? in
      choice.access = access
      guard case .failure(let error) = result else {
        choice.complaint = nil
        return nil
      }
      // Log it once, because callers retry repeatedly.
      defer { choice.complaint = error.description }
      return choice.complaint == error.description ? nil : error.description
    }
    // Logged for programs that ignore their handler's error, or have no handler for it.
    if let complaint { logger.error("\(complaint)") }
    return try result.get()
  }

  private func begin(
    _ receiver: any MotionReceiver, _ source: any MotionSource, _ life: inout Life
  ) throws(SessionError) -> Listening {
    let distributor: Broadcaster
    if let running = life.distributor {
      distributor = running
    } else {
      // Reset chip states before the first listener: they belong to the previous run.
      source.pipeline.forgetUnused()
      do { distributor = try Broadcaster(source) } catch { throw .resource(error) }
    }
    // Added before the start, so that the receiver does not miss the first sample.
    let entry = distributor.add(receiver)
    if life.distributor == nil {
      do throws(SessionError) {
        // It may already run for another hub.
        try source.pipeline.beginUse { () throws(SessionError) in try source.start() }
      } catch {
        // Does not wait: the caller may hold a lock that the receiver takes.
        distributor.remove(entry)
        distributor.end()
        throw error
      }
      life.distributor = distributor
    }
    life.listeners += 1
    return Listening(entry, of: distributor, hub: self, source: distributor.source)
  }

  /// Removes one listener; removing the last one lets the chips sleep.
  func leave() {
    life.withLock { life in
      life.listeners -= 1
      guard life.listeners == 0, let distributor = life.distributor else { return }
      distributor.end()
      life.distributor = nil
      // Stop the source that was started, even if another has been chosen since.
      distributor.source.pipeline.endUse { distributor.source.stop() }
    }
  }

  /// Waits until everything that the source has provided before this call is delivered: then each
  /// handler's operation is in its queue, each stream's element in its buffer. For tests with
  /// scripted sensors. Returns false if that takes longer than `limit`, if the task is cancelled,
  /// or if there are no listeners.
  @discardableResult
  public func settle(within limit: Duration = .seconds(5)) async -> Bool {
    // Outside the lock, which listeners need in the meantime.
    guard let distributor = life.withLock({ $0.distributor }) else { return false }
    return await distributor.settle(within: TimeSpan(seconds: limit.seconds))
  }

  /// Sets yaw to zero at the next motion, in both arbitrary frames and for every listener of this
  /// hub, which then all share one frame; attitudes relative to north do not change. Each new
  /// listener starts with yaw zero anyway, so this has no effect without listeners.
  public func resetYaw() { life.withLock { $0.distributor?.resetYaw() } }

  /// The current estimate of the sensors' errors; `nil` without a source.
  public var calibration: CalibrationState? { source?.calibration }
}

private let logger = Logger(label: "otolith")
