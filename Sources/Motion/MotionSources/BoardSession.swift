// SPDX-License-Identifier: Apache-2.0
public import Runtime
internal import Simulation
public import BusTraces
public import Boards
internal import ChipCatalog
internal import Foundation
public import Fusion
internal import LinuxSystem
internal import Logging
public import Quantities
internal import Registers
internal import Sampling
package import Sensors
internal import Synchronization

/// A running board, with one thread per bus, which runs the drivers of the bus's chips, and one
/// pipeline for all chips.
public final class BoardSession: Sendable {
  public let board: Board
  public let pipeline: MotionPipeline
  /// The direction of north at the board's location; `nil` without a location.
  public let trueNorth: TrueNorth?

  /// The state that the session shares with its threads, which must not keep the session alive.
  final class Shared: Sendable {
    struct Counters: Sendable {
      var health: [Health]
      var late: [UInt64]
      var rates: [Double]
      var rateChanges: [UInt64]
      /// The identity read from each chip; `nil` before the first read.
      var identities: [UInt8?]
      /// The quality of the readings of each chip in the current run.
      var qualities: [ReadingQuality]
      /// The quality of each chip's readings for which its current remark was made.
      var remarked: [RemarkedQuality]
      /// The totals of the session's earlier runs, because the drivers of each run count from zero.
      var earlier: [(health: Health, late: UInt64, rateChanges: UInt64)]
      var earlierLosses: [ReadingLosses]
    }
    let counters: Mutex<Counters>
    let wantsToRun = Atomic<Bool>(false)

    init(chips: Int) {
      counters = Mutex(
        Counters(
          health: [Health](repeating: Health(), count: chips),
          late: [UInt64](repeating: 0, count: chips),
          rates: [Double](repeating: 0, count: chips),
          rateChanges: [UInt64](repeating: 0, count: chips),
          identities: [UInt8?](repeating: nil, count: chips),
          qualities: [ReadingQuality](repeating: ReadingQuality(), count: chips),
          remarked: [RemarkedQuality](repeating: RemarkedQuality(), count: chips),
          earlier: Array(repeating: (Health(), 0, 0), count: chips),
          earlierLosses: [ReadingLosses](repeating: ReadingLosses(), count: chips)))
    }

    /// Publishes the counts of the bus reader `reader`. Calls `remark` for each chip that has a new
    /// identity, or whose reading quality now needs another remark.
    func publish(_ reader: BusReader, of board: Board, _ remark: (Int) -> Void = { _ in }) {
      var said: [Int] = []
      counters.withLock { counters in
        for slot in reader.slots {
          let earlier = counters.earlier[slot.source]
          counters.health[slot.source] = earlier.health + slot.driver.health
          counters.late[slot.source] = earlier.late + slot.late
          counters.rates[slot.source] = slot.rate
          counters.rateChanges[slot.source] = earlier.rateChanges + slot.rateChanges
          if let identity = slot.driver.identity, identity != counters.identities[slot.source] {
            counters.identities[slot.source] = identity
            said.append(slot.source)
          }
          counters.qualities[slot.source] = slot.quality
          var remarked = counters.remarked[slot.source]
          if remarked.take(slot.quality, of: board.chips[slot.source], isNoisy: board.isNoisy) {
            counters.remarked[slot.source] = remarked
            said.append(slot.source)
          }
        }
      }
      for source in said { remark(source) }
    }

    /// Sets the remark in `pipeline` about the chip at `index` of `board`.
    func remark(on index: Int, of board: Board, in pipeline: MotionPipeline) {
      let (identity, quality) = counters.withLock { ($0.identities[index], $0.remarked[index]) }
      board.remark(on: index, identity, quality, pipeline)
    }

    /// Publishes the final counts of a run.
    func close(_ reader: BusReader, of board: Board, _ remark: (Int) -> Void) {
      publish(reader, of: board, remark)
      counters.withLock { counters in
        for slot in reader.slots {
          counters.earlier[slot.source] = (
            counters.health[slot.source], counters.late[slot.source],
            counters.rateChanges[slot.source]
          )
          counters.earlierLosses[slot.source].add(
            board.chips[slot.source].losses(counters.qualities[slot.source]))
          counters.qualities[slot.source] = ReadingQuality()
          counters.rates[slot.source] = 0
        }
      }
    }
  }
  private struct BusThread: Sendable {
    let name: String
    let thread: ThreadHandle
    let wakeEvent: WakeEvent
    let heartbeat: Heartbeat
    /// The number of turns of the reader thread's loop at the last check.
    var turns: UInt64 = .max
  }
  let shared: Shared
  private let running = Mutex<[BusThread]>([])
  /// The locks made by `claim()`. If `nil`, the devices are locked only while the session runs.
  private let claims = Mutex<BoardClaims?>(nil)
  /// Stores learned values; `nil` if the board stores none.
  private let keeper: LearnedKeeper?
  /// The demand of all users; `nil` if the chips always run at the board file's rates.
  private let demand: SharedDemand?
  private let paceDelay: TimeSpan
  private let recorder: TraceRecorder?

  /// Creates a session for `board`; nothing is opened before `start`. `params` are the parameters
  /// of fusion; if `nil`, the defaults with the delays of the board's chips. True north is computed
  /// for `date`, even if the session starts later; it moves by 0.1 degrees per year.
  ///
  /// With `adaptsRate` the chips run at the slowest rate that satisfies all users of the session
  /// (`want`), and never faster than in the board file; chips that are not needed sleep. A chip
  /// slows down only after a lower rate has been sufficient for `slowingAfter`, because each change
  /// interrupts sampling for tens of milliseconds. This is for a service with many clients.
  /// `recorder` records everything on the buses, except changes of rates, which cannot be played
  /// back.
  public init(
    _ board: Board, params: FusionEngine.Params? = nil, date: CivilDate = .today,
    adaptsRate: Bool = false, slowingAfter: TimeSpan = .seconds(5), recorder: TraceRecorder? = nil
  ) {
    self.board = board
    self.recorder = recorder
    demand = adaptsRate ? SharedDemand() : nil
    paceDelay = slowingAfter
    trueNorth = TrueNorth(at: board.location, on: date)
    trueNorth?.log()
    let params = params ?? FusionEngine.Params(of: board)
    // Simulated channels that belong to no chip count as one more chip after the board's last chip.
    let senses = board.simulation?.senses ?? [:]
    let chips =
      board.pipelineChips + (senses.isEmpty ? [] : [PipelineChip(ChannelSet(senses.keys))])
    channels = chips.reduce(into: ChannelSet()) { $0.formUnion($1.channels.intersection($1.uses)) }
    pipeline = MotionPipeline(
      of: chips, params: params, expectedField: trueNorth?.expectedField)
    shared = Shared(chips: board.chips.count)
    keeper = LearnedKeeper(board, pipeline)
  }

  /// Returns the channels that a chip samples with the board's settings.
  package static func channels(of chip: ChipPlacement) -> ChannelSet {
    guard chip.settings.acquisition != .detections else { return [] }
    let rows = chip.sheet?.channels(of: chip.settings) ?? []
    var channels = rows.reduce(into: ChannelSet()) { $0.insert(ChannelSet($1.channel)) }
    // In low power the gyroscope is off: it uses most of an IMU's current, and has no low-power
    // mode.
    if chip.settings.power == .low { channels.remove(.rotationRate) }
    return channels
  }

  deinit { stop() }

  /// The channels that the chips of the board sample for motion and streams.
  public let channels: ChannelSet

  /// Returns the samples per second for `channel`; `nil` if no chip samples it. If several chips
  /// sample the channel, their samples are combined at the rate of the fastest chip.
  public func rate(of channel: Channel) -> Double? {
    board.chips(using: channel).map(\.settings.rate).max() ?? board.simulation?.senses[channel]
  }

  /// Opens every bus and starts reading. Returns when all device nodes are open; the pipeline
  /// reports chips that do not respond. This function has no effect on a running session.
  public func start() throws(SessionError) {
    let failure = running.withLock { running -> SessionError? in
      guard running.isEmpty else { return nil }
      do throws(SessionError) {
        shared.wantsToRun.store(true, ordering: .releasing)
        pipeline.begin()
        keeper?.begin()
        let origin = monotonicNow()
        for place in board.readingPlaces { running.append(try launch(place, origin)) }
        if let senses = try launchSenses(origin) { running.append(senses) }
        return nil
      } catch {
        shared.wantsToRun.store(false, ordering: .releasing)
        for bus in running {
          bus.wakeEvent.signal()
          bus.thread.join()
        }
        running = []
        demand?.removeWakeEvents()
        keeper?.end()
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Locks the board's devices against other processes from now on, whether or not the session
  /// runs. Throws if another process has locked a device. Do not call this function while the
  /// session runs, because the session then locks the devices itself.
  public func claim() throws(SessionError) {
    let claims = try BoardClaims(board)
    self.claims.withLock { $0 = claims }
  }

  private var isClaimed: Bool {
    releaseGone()
    return claims.withLock { $0 != nil }
  }

  /// Releases the devices if a device node was removed, because the kernel removes an adapter only
  /// after all its descriptors are closed. A device that returns is locked at the next start.
  package func releaseGone() { claims.withLock { BoardClaims.drop(&$0) } }

  /// Wakes the reader threads of all buses. Returns the buses whose threads have made no turn since
  /// the last call, although that call woke them: such a thread is stuck, possibly in the kernel.
  package func stuckBuses() -> [String] {
    running.withLock { running in
      var stuck: [String] = []
      for index in running.indices {
        let turns = running[index].heartbeat.turns
        if turns == running[index].turns { stuck.append(running[index].name) }
        running[index].turns = turns
        running[index].wakeEvent.signal()
      }
      return stuck
    }
  }

  /// Opens every bus as `start` does, and closes it again. Nothing is sent to the chips.
  public func tryOpening() throws(SessionError) {
    let builder = BoardBuilder(
      board, clock: OutsideClock(monotonicNow), origin: nil, isClaimed: isClaimed, recorder: nil)
    // Hold the lock, so that a start of the session in the meantime does not find the chips locked
    // by this test.
    let failure = running.withLock { running -> SessionError? in
      guard running.isEmpty else { return nil }
      do throws(SessionError) {
        for place in board.readingPlaces { _ = try builder.build(place) }
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  /// True if the device nodes of all buses and sensors of the board exist.
  public var isPresent: Bool { board.readingPlaces.allSatisfy { $0.isPresent(of: board) } }

  /// Stops the chips and closes all buses; returns when both are done. Do not call this function
  /// from a consumer's `receive`.
  public func stop() {
    running.withLock { running in
      shared.wantsToRun.store(false, ordering: .releasing)
      for bus in running { bus.wakeEvent.signal() }
      for bus in running { bus.thread.join() }
      // Store learned values after the last sample, so that they are complete.
      if !running.isEmpty { keeper?.end() }
      running = []
      demand?.removeWakeEvents()
    }
  }

  public func want(_ demand: SampleDemand) { self.demand?.set(demand) }

  /// The current reports of all chips, in the board's order; at most 0.1 s old.
  public var report: [ChipReport] {
    let states = pipeline.chips
    let conditions = board.chips.indices.map(pipeline.conditions(ofChip:))
    return shared.counters.withLock { counters in
      board.chips.indices.map { index in
        var losses = counters.earlierLosses[index]
        let quality = counters.qualities[index]
        if quality.count > 0 { losses.add(board.chips[index].losses(quality)) }
        var report = ChipReport(
          name: board.chips[index].name, chip: board.chips[index].chip, state: states[index],
          health: counters.health[index], late: counters.late[index],
          rate: counters.rates[index], rateChanges: counters.rateChanges[index],
          losses: losses)
        report.conditions = conditions[index]
        return report
      }
    }
  }

  /// Opens a bus on the calling thread, so that errors reach the caller, and starts its thread.
  private func launch(_ place: ReadingPlace, _ origin: Timestamp) throws(SessionError) -> BusThread
  {
    let isClaimed = isClaimed
    let bus = try BoardBuilder(
      board, clock: OutsideClock(monotonicNow), origin: origin, isClaimed: isClaimed,
      recorder: recorder
    ).build(place)
    do {
      let wakeEvent = try WakeEvent()
      let heartbeat = Heartbeat()
      demand?.add(wakeEvent)
      let box = SendableBox(bus)
      let thread = ThreadHandle(
        // The thread gets real-time priority, if permitted. It needs the processor only for
        // microseconds, and without priority a consumer that is busy for milliseconds would cost
        // samples. This applies to simulated buses too, whose thread also computes the chips.
        try startThread(name: "bus \(place.name)", realtimePriority: 10) {
          [pipeline, shared, board, demand, paceDelay, recorder] in
          var bus = box.take()
          while bus != nil {
            do {
              guard let present = bus.take() else { return }
              let pace = demand.map { demand in
                BusPace(
                  present, of: board, used: pipeline.channelsPublished(ofChip:), demand: demand,
                  delay: paceDelay)
              }
              Self.run(
                present, pace, of: board, into: pipeline, wakeEvent: wakeEvent, shared: shared,
                heartbeat)
              // Close the bus here, because the kernel does not restore an adapter while the old
              // one is open.
            }
            guard shared.wantsToRun.load(ordering: .acquiring) else { return }
            bus = Self.reopened(place, wakeEvent, shared, heartbeat) {
              () throws(SessionError) in
              try BoardBuilder(
                board, clock: OutsideClock(monotonicNow), origin: origin, isClaimed: isClaimed,
                recorder: recorder
              ).build(place)
            }
          }
        })
      return BusThread(
        name: place.name, thread: thread, wakeEvent: wakeEvent, heartbeat: heartbeat)
    } catch { throw .resource(error) }
  }

  /// Starts a thread that samples the channels sensed without a chip; returns `nil` if there are
  /// none.
  private func launchSenses(_ origin: Timestamp) throws(SessionError) -> BusThread? {
    let builder = ModelBuilder(
      board: board, clock: OutsideClock(monotonicNow), origin: origin)
    guard let sense = try builder.sense() else { return nil }
    do {
      let wakeEvent = try WakeEvent()
      let heartbeat = Heartbeat()
      let box = SendableBox(sense)
      let thread = ThreadHandle(
        try startThread(name: "senses") { [pipeline, shared, source = board.chips.count] in
          guard let sense = box.take() else { return }
          var poller = Poller()
          poller.add(wakeEvent.fileDescriptor)
          pipeline.chipRecovered(source)
          while shared.wantsToRun.load(ordering: .acquiring) {
            heartbeat.beat()
            _ = try? poller.wait(until: sense.turn(at: monotonicNow(), to: pipeline))
            if poller.events(of: 0).contains(.readable) { wakeEvent.drain() }
          }
        })
      return BusThread(name: "senses", thread: thread, wakeEvent: wakeEvent, heartbeat: heartbeat)
    } catch { throw .resource(error) }
  }

  /// Reads the bus until the session ends, or until the adapter is removed.
  private static func run(
    _ bus: BuiltBus, _ pace: BusPace?, of board: Board, into pipeline: MotionPipeline,
    wakeEvent: WakeEvent, shared: Shared, _ heartbeat: Heartbeat
  ) {
    let isWanted = { shared.wantsToRun.load(ordering: .acquiring) }
    let remark = { (index: Int) in shared.remark(on: index, of: board, in: pipeline) }
    var loop = ReaderLoop(bus, wakeEvent: wakeEvent)
    let error = loop.run(
      into: pipeline,
      while: {
        heartbeat.beat()
        return isWanted() && !bus.reader.hasLostAdapter
      },
      publish: { shared.publish($0, of: board, remark) },
      adjust: { pace?.adjust($0, at: $1) ?? .distantFuture })
    shared.close(bus.reader, of: board, remark)
    if isWanted() {
      logger.warning("bus \(bus.name): the adapter is gone; waiting for it to come back")
      // Report chips that were not read since the adapter was removed as failed, because they
      // cannot respond either.
      for slot in bus.reader.slots {
        pipeline.chip(slot.source, failed: .bus(.adapterGone, register: 0))
      }
    } else if let error {
      logger.warning("bus \(bus.name): a chip could not be put to sleep: \(error)")
    }
  }

  /// Returns the bus when its adapter is back; `nil` if the session ends first. Every error is
  /// retried, because it may be temporary: a new node gets its group only after a moment.
  private static func reopened(
    _ place: ReadingPlace, _ wakeEvent: WakeEvent, _ shared: Shared, _ heartbeat: Heartbeat,
    _ open: () throws(SessionError) -> BuiltBus
  ) -> BuiltBus? {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    // A sensor of the kernel may be gone at its next access again.
    if case .kernelSensor = place {
      _ = try? poller.wait(until: monotonicNow() + .milliseconds(250))
    }
    while shared.wantsToRun.load(ordering: .acquiring) {
      heartbeat.beat()
      if let bus = try? open() {
        logger.notice("bus \(place.name): the adapter is back")
        return bus
      }
      _ = try? poller.wait(until: monotonicNow() + .milliseconds(250))
      wakeEvent.drain()
    }
    return nil
  }
}

extension Health {
  package static func + (a: Health, b: Health) -> Health {
    // Add the counts with saturation, because a trace may contain arbitrary counts.
    var sum = a
    sum.received = a.received.plus(b.received)
    sum.missing = a.missing.plus(b.missing)
    sum.busErrors = a.busErrors.plus(b.busErrors)
    sum.overflows = a.overflows.plus(b.overflows)
    sum.missedInterrupts = a.missedInterrupts.plus(b.missedInterrupts)
    sum.misconfigurations = a.misconfigurations.plus(b.misconfigurations)
    sum.restarts = a.restarts.plus(b.restarts)
    sum.invalid = a.invalid.plus(b.invalid)
    return sum
  }
}

private let logger = Logger(label: "otolith.runtime")
