// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
internal import Runtime
internal import Synchronization

/// The source of a process's motion, and all its listeners: the chips run from the first listener
/// to the last.
///
/// The source is settled when it is first asked for: the one given to `use` until then, else that
/// of the service where its socket is (`ServicePlace`), else the board that `BoardSelection` finds.
/// Where it finds none, a program gets nothing that is made up: the simulated board has to be named
/// (`OTOLITH_BOARD=simulated`, or `use`). Tests give it a recording or a script, and everything
/// above runs unchanged.
public final class MotionHub: Sendable {
  /// The hub that `CMMotionManager` uses.
  public static let shared = MotionHub()

  private struct Choice: Sendable {
    var chosen: (any MotionSource)?
    var source: (any MotionSource)?
    /// The reason for having no source: what is wrong with the board file that the environment
    /// names, or with the service.
    var refusal: SessionError?
    /// The time before which the same refusal is given, instead of another look at every bus.
    var nextLook = Timestamp.zero
    var access = SensorAccess.unknown
    /// The failed start that was last logged.
    var complaint: String?

    /// The source, or that there is none for now; `nil` where it has to be looked for.
    var settled: Settled? {
      mutating get {
        if source == nil { source = chosen }
        return source != nil || nextLook > .now ? Settled(source: source) : nil
      }
    }

    /// The same refusal is given until `next`.
    mutating func refuse(_ error: SessionError, until next: Timestamp) {
      nextLook = next
      // Once is enough: every caller asks again and again.
      if refusal?.description != error.description { logger.error("\(error.description)") }
      refusal = error
    }
  }
  private struct Settled: Sendable {
    var source: (any MotionSource)?
  }
  private struct Life: Sendable {
    var distributor: Distributor?
    var listeners = 0
  }
  /// Only looked into, so that receivers may ask at any time.
  private let choice = Mutex(Choice())
  /// Held while a source is looked for, which takes two seconds where a service hangs: callers that
  /// need one wait for it, others do not.
  private let look = Mutex(())
  /// Held while the source starts and stops, which takes its time.
  private let life = Mutex(Life())
  /// The reference that altitudes are made from.
  package let altimetry = Altimetry()
  /// The counting of steps, and its observers.
  package let movement = HubMovement()

  public init() {}

  /// Creates a hub of `source`.
  package init(_ source: any MotionSource) { choice.withLock { $0.chosen = source } }

  /// Uses `source` from now on instead of the board that the environment names. Throws, and
  /// changes nothing, once the source has been asked for.
  public func use(_ source: any MotionSource) throws(SourceInUse) {
    let used = choice.withLock { choice -> (any MotionSource)? in
      if choice.source == nil { choice.chosen = source }
      return choice.source
    }
    guard let used else { return }
    // Not waited for: what starts or stops meanwhile may wait for the caller.
    throw SourceInUse(source: used.name, listeners: life.withLockIfAvailable { $0.listeners })
  }

  /// Forgets the source, if there are no listeners, so that another can be chosen. Returns false
  /// while there are.
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

  /// The source of motion; chosen at the first call, and not started by it. `nil` where there is no
  /// board, or its file is wrong: the log says how. `isMadeUp` of it says whether chips or a
  /// simulation give its samples.
  public var source: (any MotionSource)? {
    if let settled = choice.withLock({ $0.settled }) { return settled.source }
    return look.withLock { _ in
      // Another caller may have looked meanwhile.
      if let settled = choice.withLock({ $0.settled }) { return settled.source }
      let begin = Timestamp.now
      let found: Result<any MotionSource, SessionError>
      do throws(SessionError) { found = .success(try Self.find()) } catch {
        found = .failure(error)
      }
      return choice.withLock { choice in
        // What was chosen meanwhile goes before what was found.
        if let settled = choice.settled { return settled.source }
        switch found {
        case .success(let source): choice.source = source
        case .failure(let error):
          // What took its time is not tried again by the next caller at once.
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

  /// Between two looks for chips on every bus of the machine.
  private static let patience = TimeSpan.seconds(10)

  /// Returns the service's board where there is a service, else one of this process.
  private static func find() throws(SessionError) -> any MotionSource {
    let selection = try SourceSelection.choose()
    // What the command shows where nothing is found, a program would take for its device's motion.
    if let missing = selection.missing { throw missing }
    logger.info("board: \(selection.sentence)")
    for remark in selection.remarks { logger.info("\(remark)") }
    return selection.makeSource()
  }

  /// The reason for having no source; `nil` where there is one.
  package var refusal: SessionError? { choice.withLock { $0.refusal } }

  /// The channels of the source, where its devices are there; else `nil`.
  package var presentChannels: ChannelSet? {
    source.flatMap { $0.isPresent ? $0.channels : nil }
  }

  /// The result of the last attempt to open the sensors.
  public var access: SensorAccess { choice.withLock { $0.access } }

  /// Begins to hand motion to `receiver`; the first listener starts the chips. Throws where the
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

  /// Finds out, for `access`, whether the source may be opened, without a word to its chips. Throws
  /// what is in the way.
  package func tryOpening() throws(SessionError) {
    let source = try sourceOrRefusal()
    try noted(
      life.withLock { life -> Result<Void, SessionError> in
        // It is open.
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

  /// Returns what an attempt to open the source gave, or throws its error, when it is noted.
  private func noted<Value>(_ result: Result<Value, SessionError>) throws(SessionError) -> Value {
    let access = SensorAccess(result)
    let complaint = choice.withLock { choice -> String? in
      choice.access = access
      guard case .failure(let error) = result else {
        choice.complaint = nil
        return nil
      }
      // Once is enough: many start again and again.
      defer { choice.complaint = error.description }
      return choice.complaint == error.description ? nil : error.description
    }
    // Programs that ignore their handler's error, or have none, must find it somewhere.
    if let complaint { logger.error("\(complaint)") }
    return try result.get()
  }

  private func begin(
    _ receiver: any MotionReceiver, _ source: any MotionSource, _ life: inout Life
  ) throws(SessionError) -> Listening {
    let distributor: Distributor
    if let running = life.distributor {
      distributor = running
    } else {
      // Before any listener is told: how an earlier run ended is no news of this one.
      source.pipeline.forgetUnused()
      do { distributor = try Distributor(source) } catch { throw .open(error) }
    }
    // First, so that the receiver does not miss the first sample.
    let entry = distributor.add(receiver)
    if life.distributor == nil {
      do throws(SessionError) {
        // It may run for another hub.
        try source.pipeline.beginUse { () throws(SessionError) in try source.start() }
      } catch {
        // Not waited for: the caller may hold a lock that the receiver takes.
        distributor.remove(entry)
        distributor.end()
        throw error
      }
      life.distributor = distributor
    }
    life.listeners += 1
    return Listening(entry, of: distributor, hub: self, source: distributor.source)
  }

  /// Removes one listener; the last one puts the chips to sleep.
  func leave() {
    life.withLock { life in
      life.listeners -= 1
      guard life.listeners == 0, let distributor = life.distributor else { return }
      distributor.end()
      life.distributor = nil
      // What was started, whatever has been chosen since.
      distributor.source.pipeline.endUse { distributor.source.stop() }
    }
  }

  /// Waits until everything that the source has given before this call is handed out: each
  /// handler's operation is in its queue then, each stream's element in its buffer. For tests that
  /// script their sensors. Returns false where that takes longer than `limit`, where the task is
  /// cancelled, or where there are no listeners.
  @discardableResult
  public func settle(within limit: Duration = .seconds(5)) async -> Bool {
    // Not under the lock, which listeners want meanwhile.
    guard let distributor = life.withLock({ $0.distributor }) else { return false }
    return await distributor.settle(within: TimeSpan(seconds: limit.seconds))
  }

  /// Makes yaw zero at the next motion, in both arbitrary frames and for every listener of this
  /// hub, which then all share one frame; attitudes to north stay. Each listener begins with yaw
  /// zero by itself, so this does nothing without listeners.
  public func resetYaw() { life.withLock { $0.distributor?.resetYaw() } }

  /// The present knowledge of the sensors' errors; `nil` where there is no source.
  public var calibration: CalibrationState? { source?.calibration }
}

private let logger = Logger(label: "otolith")
