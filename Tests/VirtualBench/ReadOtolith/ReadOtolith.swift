// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import ChipCatalog
import Foundation
import LinuxSystem
import Quantities
import MotionSources
import Sensors
import Synchronization

/// Reads the first bus of a board, or the first sensor of the kernel, as `otolith run` does, but
/// without fusion, and prints the cost of a sample: `OtolithCost --board FILE [--seconds S]`.
@main struct ReadOtolith {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static func main() {
    do {
      let (path, seconds) = try arguments()
      print(try measure(path, seconds: seconds))
    } catch {
      FileHandle.standardError.write(Data("OtolithCost: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func arguments() throws -> (path: String, seconds: Double) {
    var words = CommandLine.arguments.dropFirst()
    var (path, seconds) = (String?.none, 10.0)
    while let key = words.popFirst() {
      guard let value = words.popFirst() else { throw Failure(description: "\(key) needs a value") }
      switch key {
      case "--board": path = value
      case "--seconds":
        guard let number = Double(value), number > 0, number < 1e5 else {
          throw Failure(description: "--seconds: '\(value)' is no number of seconds")
        }
        seconds = number
      default: throw Failure(description: "unknown option \(key)")
      }
    }
    guard let path else { throw Failure(description: "usage: --board FILE [--seconds S]") }
    return (path, seconds)
  }

  /// Reads on this thread, while another thread sleeps, and measures the time and the counters
  /// before and after that.
  private static func measure(_ path: String, seconds: Double) throws -> String {
    let board = try BoardFile.load(path: path, catalogue: ChipCatalog.descriptions)
    guard let place = board.readingPlaces.first else {
      throw Failure(description: "\(path) has no chip")
    }
    let bus = try BoardBuilder(board, clock: OutsideClock(monotonicNow)).build(place)
    let wakeEvent = try WakeEvent()
    let sum = Sum()
    let isOver = Flag()
    let line = Mutex("")
    let watch = try startThread(name: "watch") {
      // The first sample comes when the chip's reset is over; after it there is a second to warm
      // up.
      for _ in 0..<100 where sum.count == 0 { usleep(100_000) }
      // The first measurement takes long, and the reader is on the same processor.
      _ = Cost.during {}
      sleep(1)
      var (samples, lost) = (0, 0)
      let cost = Cost.during {
        let (first, firstLost) = (sum.count, sum.missing)
        usleep(UInt32(seconds * 1e6))
        (samples, lost) = (sum.count - first, sum.missing - firstLost)
      }
      line.withLock { $0 = text(samples, lost, cost) }
      isOver.raise()
      wakeEvent.signal()
    }
    var loop = ReaderLoop(bus, wakeEvent: wakeEvent)
    _ = loop.run(into: sum, while: { !isOver.isRaised })
    watch.join()
    if sum.count == 0 { throw Failure(description: "no sample came: \(sum.failure as Any)") }
    return line.withLock { $0 }
  }

  private static func text(_ samples: Int, _ lost: Int, _ cost: Cost) -> String {
    if lost > 0 { return "\(lost) samples were lost" }
    let number = Double(max(samples, 1))
    let text =
      "samples \(samples), \(Int((Double(cost.processor) / number).rounded())) ns per sample"
    guard let calls = cost.calls else { return text }
    return text + ", " + String(format: "%.3f", Double(calls) / number) + " system calls per sample"
  }
}

/// A flag that is raised once.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
}
