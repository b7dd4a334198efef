// SPDX-License-Identifier: Apache-2.0
internal import Sampling
package import Runtime
internal import Simulation
package import Boards
internal import LinuxSystem
package import Quantities

extension Board {
  /// True if the board uses no devices of this machine: its buses are simulated or come from a
  /// trace.
  package var canRunInstantly: Bool {
    buses.allSatisfy { $0.path == nil } && !hasKernelSensor
  }
}

extension BoardSession {
  /// Runs the board for `span` on a virtual clock that advances as fast as the machine computes: an
  /// hour takes seconds. The board runs on the calling thread. `each` is called when the pipeline
  /// may have new items; the run ends early if `each` returns false. Items that `each` does not
  /// read are soon overwritten. Two runs are bit-identical, because learned values are neither used
  /// nor stored. Do not call this function while the session runs.
  package func runInstantly(for span: TimeSpan, _ each: () -> Bool) throws(SessionError) {
    let clock = VirtualClock()
    let builder = BoardBuilder(board, clock: clock)
    var buses: [BuiltBus] = []
    for bus in board.buses where !board.chips(on: bus.name).isEmpty {
      buses.append(try builder.build(bus))
    }
    let remark = { [shared, board, pipeline] (index: Int) in
      shared.remark(on: index, of: board, in: pipeline)
    }
    let sense = try ModelBuilder(board: board, clock: clock, origin: clock.now).sense()
    pipeline.begin()
    if sense != nil { pipeline.chipRecovered(board.chips.count) }
    for bus in buses { bus.reader.start(at: clock.now) }
    let end = clock.now + span
    while clock.now < end {
      let now = clock.now
      var next = end
      for bus in buses { next = min(next, bus.reader.turn(at: clock.now, to: pipeline)) }
      if let sense { next = min(next, sense.turn(at: clock.now, to: pipeline)) }
      for bus in buses { shared.publish(bus.reader, of: board, remark) }
      guard each() else { break }
      // Always advance the clock. Transactions of a trace take no time, so a driver step that is
      // always due would otherwise stop the clock.
      clock.advance(to: max(next, now + .microseconds(1)))
    }
    for bus in buses {
      _ = bus.reader.stop()
      shared.close(bus.reader, of: board, remark)
    }
  }
}
