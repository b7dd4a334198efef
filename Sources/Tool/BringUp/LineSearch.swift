// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import LinuxBus
internal import Quantities

/// A search for the interrupt signal on lines other than the configured line.
enum LineSearch {
  struct Found: Equatable {
    var name: String
    var edges: Int

    var words: String { name + (headerPin(of: name).map { " (header pin \($0))" } ?? "") }
  }

  /// Requests the free lines of the GPIO chip of `line`, lets `run` cause edges, and returns the
  /// other line with the most edges; `nil` if no line had at least `atLeast` edges. The kernel's
  /// queue holds 16 edges per line, which is enough for `atLeast` edges.
  static func run(
    besides line: GPIOLine, edge: Interrupt.Edge, atLeast: Int, _ run: () -> Void
  ) -> Found? {
    guard let all = try? LinuxBuses.gpioLines(line.chipPath) else { return nil }
    let wanted = candidates(all.filter { $0.offset != line.offset })
    let lines = wanted.compactMap { candidate -> (String, GPIOLine)? in
      let edge: GPIOLine.Edge = edge == .rising ? .rising : .falling
      return (try? GPIOLine(named: candidate, edge: edge)).map { (candidate, $0) }
    }
    // Discard pending edges, including those caused by requesting the lines.
    for (_, line) in lines { _ = try? line.readEdges() }
    run()
    return lines.map { name, line in
      Found(name: name, edges: (try? line.readEdges().count) ?? 0)
    }
    .filter { $0.edges >= min(atLeast, 8) }
    .max { $0.edges < $1.edges }
  }

  /// Returns the lines that may be requested as inputs: lines that are free and have a name. On a
  /// Raspberry Pi, the lines of a bus, a serial port or sound are excluded, because requesting such
  /// a line would disconnect its device.
  static func candidates(_ lines: [LinuxBuses.GPIOLineUse]) -> [String] {
    let harmless = [4, 5, 6, 12, 13, 16, 17, 22, 23, 24, 25, 26, 27].map { "GPIO\($0)" }
    return lines.filter { $0.consumer == nil && harmless.contains($0.name) }.map(\.name)
  }
}
