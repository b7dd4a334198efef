// SPDX-License-Identifier: Apache-2.0
import Registers
import CLinux
import Foundation
import LinuxBus
import LinuxSystem
import Quantities
import Synchronization
import Testing

extension KernelBenchTests {
  /// Edges through libgpiod, compared with the kernel module's record of when it raised them.
  @Suite(.serialized) struct GPIOTests {
    /// Makes the MPU-6050, whose INT is on GPIO0, signal data-ready at 1 kHz for `seconds`
    /// (RM-MPU-6000A-00 4.2: INT_PIN_CFG 0x37, INT_ENABLE 0x38).
    private func pulses(_ pin: UInt8, seconds: Double) throws {
      let bus = try LinuxI2CBus(path: VirtualBench.i2c)
      let lines: [[UInt8]] = [
        [0x6B, 0x01], [0x1A, 0x01], [0x19, 0x00], [0x37, pin], [0x38, 0x01],
      ]
      for line in lines { try bus.write(line.span, to: 0x68) }
      Thread.sleep(forTimeInterval: seconds)
      let off: [UInt8] = [0x38, 0x00]
      try bus.write(off.span, to: 0x68)
    }

    /// Every edge of 0.5 s at 1 kHz is read in time.
    @Test(arguments: [(GPIOLine.Edge.rising, UInt8(0x00)), (.falling, 0x80)])
    func `each edge of a line at 1 kHz comes with its time`(edge: GPIOLine.Edge, pin: UInt8) throws
    {
      try BenchServer.serve(Boards.all)
      try VirtualBench.forgetEdges()
      let line = try GPIOLine(named: "GPIO0", edge: edge)
      var times: [Timestamp] = []
      let isDone = Mutex(false)
      let thread = Thread {
        try? pulses(pin, seconds: 0.5)
        isDone.withLock { $0 = true }
      }
      thread.start()
      var poller = Poller()
      poller.add(line.fileDescriptor)
      var room = [Timestamp](repeating: .zero, count: 64)
      while !isDone.withLock({ $0 }) {
        _ = try poller.wait(until: monotonicNow() + .milliseconds(20))
        var span = room.mutableSpan
        let batch = try line.readEdges(into: &span)
        #expect(batch.lost == 0)
        times += room[..<batch.count]
      }
      let raised = try VirtualBench.edges(of: 0).filter { $0.isRising == (edge == .rising) }
      #expect(times.count > 450)
      #expect(times.count == raised.count)
      // The delay from the interrupt to its time stamp.
      let delays = zip(times, raised).map { $0.nanoseconds - $1.raisedTime }
      #expect(delays.allSatisfy { (0..<20_000).contains($0) }, "\(delays.max() ?? 0) ns")
    }

    /// The reader misses 40 edges: the kernel's first interface keeps 16 of them, the second 256
    /// and a count.
    @Test func `a reader that was away gets the edges that the kernel keeps`() throws {
      try BenchServer.serve(Boards.all)
      try VirtualBench.forgetEdges()
      let line = try GPIOLine(named: "GPIO0", edge: .rising)
      try pulses(0x00, seconds: 0.06)
      let raised = try VirtualBench.edges(of: 0).filter(\.isRising)
      let batch = try line.readEdges()
      #expect(raised.count >= 40)
      let kept = otolith_gpio_generation() == 1 ? 16 : raised.count
      #expect(batch.count == kept)
      #expect(batch.oldest.nanoseconds - raised[0].raisedTime < 20_000)
    }

    /// The shim over libgpiod 1.6 and over 2.2, each in its own small program, gives the same edges
    /// with the same times.
    @Test(
      .enabled(if: programs != nil, "make test KIND=kernel builds the programs"), arguments: [1, 2])
    func `libgpiod 1 and 2 give the same edges with the same times`(generation: Int) throws {
      let folder = try #require(Self.programs)
      try BenchServer.serve(Boards.all)
      try VirtualBench.forgetEdges()
      let process = Process()
      let (output, errors) = (Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: "\(folder)/check-gpio-edges-\(generation)")
      process.arguments = ["/dev/gpiochip0", "0", "rising", "200"]
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let ready = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
      #expect(ready == "ready, libgpiod \(generation)\n")
      try pulses(0x00, seconds: 0.3)
      let said = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      // The format is `LEVEL NANOSECONDS SEQUENCE`.
      let edges = said.split(separator: "\n").map {
        $0.split(separator: " ").compactMap { Int64($0) }
      }
      try #require(edges.count == 200 && edges.allSatisfy { $0.count == 3 })
      let raised = try VirtualBench.edges(of: 0).filter(\.isRising)
      for (index, (edge, raised)) in zip(edges, raised).enumerated() {
        #expect(edge[0] == 1)
        #expect((0..<20_000).contains(edge[1] - raised.raisedTime))
        #expect(edge[2] == (generation == 1 ? 0 : Int64(index) + 1))
      }
    }

    /// The folder of the programs.
    static let programs = ProcessInfo.processInfo.environment["OTOLITH_GPIO_PROGRAMS"]
  }
}
