// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import Boards
internal import LinuxSystem
package import Quantities
internal import Sampling
package import Sensors
internal import Synchronization

/// The combined demand of all users of a session, shared with the threads that adjust the chips.
final class SharedDemand: Sendable {
  private let demand = Mutex(SampleDemand.everything)
  private let wakeEvents = Mutex<[WakeEvent]>([])
  /// The number of changes of the demand. Comparing this number is cheaper than comparing
  /// `current`.
  let version = Atomic<UInt64>(0)

  var current: SampleDemand { demand.withLock { $0 } }

  func set(_ new: SampleDemand) {
    // A client may set the same demand repeatedly, which must not wake the readers.
    let isNew = demand.withLock { demand in
      defer { demand = new }
      return demand != new
    }
    guard isNew else { return }
    version.add(1, ordering: .releasing)
    for wakeEvent in wakeEvents.withLock({ $0 }) { wakeEvent.signal() }
  }

  /// Adds an event that is signalled at each change of the demand.
  func add(_ wakeEvent: WakeEvent) { wakeEvents.withLock { $0.append(wakeEvent) } }

  func removeWakeEvents() { wakeEvents.withLock { $0 = [] } }
}

/// An object that sets the chips on one bus to the lowest rates that meet the demand. The bus's
/// reader thread calls it between two turns, because no other thread may use the drivers.
final class BusPace {
  private struct Chip {
    let slot: ReaderSlot
    let steps: [PaceStep]
    var pace: ChipPace
  }
  private var chips: [Chip] = []
  private let demand: SharedDemand
  private let delay: TimeSpan
  private var version: UInt64 = .max
  private var nextCheck = Timestamp.distantFuture

  /// Creates the pace for a bus whose drivers have not been started. `used` returns the channels
  /// for which the pipeline uses a chip; `delay` is the time with lower demand after which a
  /// chip slows down.
  init(
    _ bus: BuiltBus, of board: Board, used: (Int) -> ChannelSet, demand: SharedDemand,
    delay: TimeSpan
  ) {
    self.demand = demand
    self.delay = delay
    for slot in bus.reader.slots {
      let chip = board.chips[slot.source]
      // Do not change a chip that reports detections: detections depend on the chip's rate, and the
      // demand does not include detections.
      guard chip.settings.detection.kinds.isEmpty, chip.settings.acquisition != .detections else {
        continue
      }
      let steps = ChipPace.ladder(of: slot.driver, chip.settings)
      // Chips on another chip's auxiliary bus are unreachable while that chip sleeps.
      let isHost = board.chips.contains { $0.behind == chip.name }
      let pace = ChipPace(
        rates: steps.map(\.rate), channels: used(slot.source), maySleep: !isHost)
      chips.append(Chip(slot: slot, steps: steps, pace: pace))
    }
  }

  /// Changes the chips' rates if needed at `now`. Returns the time at which the rates must be
  /// checked again if the demand does not change before.
  func adjust(_ reader: BusReader, at now: Timestamp) -> Timestamp {
    let present = demand.version.load(ordering: .acquiring)
    guard present != version || now >= nextCheck else { return nextCheck }
    let isFirst = version == .max
    version = present
    let wanted = demand.current
    nextCheck = .distantFuture
    for index in chips.indices {
      let before = chips[index].pace.rate
      if isFirst {
        chips[index].pace.begin(wanted)
      } else {
        _ = chips[index].pace.changes(for: wanted, at: now, delay: delay)
      }
      if chips[index].pace.rate != before { change(index, reader, at: now) }
      nextCheck = min(nextCheck, chips[index].pace.nextCheck(delay: delay))
    }
    return nextCheck
  }

  private func change(_ index: Int, _ reader: BusReader, at now: Timestamp) {
    let chip = chips[index]
    guard let step = chip.steps.first(where: { $0.rate == chip.pace.rate }) else {
      return reader.rest(chip.slot)
    }
    reader.restart(
      chip.slot, with: step.settings, latenessLimit: { $0.latenessLimit }, at: now)
  }
}

extension SensorSettings {
  /// The delay after which a sample counts as late: two batches and two periods, plus 20 ms for the
  /// machine.
  package var latenessLimit: TimeSpan {
    batchInterval * 2 + TimeSpan(seconds: 2 / rate) + .milliseconds(20)
  }
}
