// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Quantities
import SystemPackage
import Testing

@Suite(.serialized) struct PollerTests {
  @Test func `an event counts its signals`() throws {
    let wakeEvent = try WakeEvent()
    #expect(wakeEvent.drain() == 0)
    wakeEvent.signal()
    wakeEvent.signal()
    #expect(wakeEvent.drain() == 2)
    #expect(wakeEvent.drain() == 0)
  }

  @Test func `a deadline ends the wait`() throws {
    let wakeEvent = try WakeEvent()
    var poller = Poller()
    #expect(poller.add(wakeEvent.fileDescriptor) == 0)
    let deadline = monotonicNow() + .milliseconds(20)
    let ready = try poller.wait(until: deadline)
    let late = monotonicNow() - deadline
    #expect(ready == 0)
    // The wait never ends early; how late depends on how busy the machine is.
    #expect(late >= .zero && late < .seconds(2))
  }

  /// A poller that is woken often leaves a timer running, which ends before the newest deadline.
  @Test func `a deadline is as long as before where wake events have ended many waits`() throws {
    let wakeEvent = try WakeEvent()
    var poller = Poller(isWokenOften: true)
    poller.add(wakeEvent.fileDescriptor)
    func wake(_ times: Int, within span: TimeSpan) throws {
      for _ in 0..<times {
        wakeEvent.signal()
        #expect(try poller.wait(until: monotonicNow() + span) == 1)
        wakeEvent.drain()
      }
    }
    // A later deadline than the timer, and an earlier one.
    for (span, next) in [(2, 30), (50, 3)] {
      try wake(30, within: .milliseconds(Int64(span)))
      var pause = Poller()
      _ = try pause.wait(until: monotonicNow() + .milliseconds(4))
      let deadline = monotonicNow() + .milliseconds(Int64(next))
      #expect(try poller.wait(until: deadline) == 0)
      let late = monotonicNow() - deadline
      #expect(late >= .zero && late < .seconds(2))
    }
    // A wait without a deadline.
    try wake(30, within: .milliseconds(2))
    let thread = try startThread(name: "ringer") {
      var pause = Poller()
      _ = try? pause.wait(until: monotonicNow() + .milliseconds(10))
      wakeEvent.signal()
    }
    #expect(try poller.wait(until: .distantFuture) == 1)
    #expect(try poller.wait(until: .zero) == 1)
    thread.join()
    wakeEvent.drain()
    #expect(try poller.wait(until: .zero) == 0)
  }

  /// The timers of this process, by their descriptors.
  private static func timers() throws -> Set<String> {
    let folder = "/proc/self/fd"
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        return target == "anon_inode:[timerfd]"
      })
  }

  /// A descriptor that is opened late is missing when the process has no more, and looks like a leak.
  @Test func `a poller opens no descriptor once it waits`() throws {
    // Other tests open timers at the same time, so one quiet attempt of many suffices.
    let isQuiet = try (0..<50).contains { _ in
      let wakeEvent = try WakeEvent()
      var poller = Poller()
      poller.add(wakeEvent.fileDescriptor)
      let before = try Self.timers()
      for _ in 0..<30 {
        wakeEvent.signal()
        _ = try poller.wait(until: monotonicNow() + .seconds(1))
        wakeEvent.drain()
      }
      return try Self.timers().isSubset(of: before)
    }
    #expect(isQuiet)
  }

  @Test func `a deadline in the past only polls`() throws {
    let wakeEvent = try WakeEvent()
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    #expect(try poller.wait(until: .zero) == 0)
    #expect(try poller.wait(until: Timestamp(nanoseconds: .min)) == 0)
    wakeEvent.signal()
    #expect(try poller.wait(until: .zero) == 1)
  }

  @Test func `an event wakes a wait without a deadline`() throws {
    let wakeEvent = try WakeEvent()
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    let thread = try startThread(name: "ringer") {
      var pause = Poller()
      _ = try? pause.wait(until: monotonicNow() + .milliseconds(5))
      pause.remove(0)
      wakeEvent.signal()
    }
    #expect(try poller.wait(until: .distantFuture) == 1)
    #expect(poller.events(of: 0) == .readable)
    thread.join()
  }

  @Test func `any number of descriptors is waited on, by index`() throws {
    var wakeEvents: [WakeEvent] = []
    var poller = Poller()
    for i in 0..<200 {
      let wakeEvent = try WakeEvent()
      wakeEvents.append(wakeEvent)
      #expect(poller.add(wakeEvent.fileDescriptor) == i)
    }
    #expect(poller.count == 200)
    wakeEvents[2].signal()
    wakeEvents[199].signal()
    #expect(try poller.wait(until: .distantFuture) == 2)
    #expect((0..<200).filter { !poller.events(of: $0).isEmpty } == [2, 199])
    poller.remove(2)
    #expect(try poller.wait(until: .zero) == 1)
    #expect(poller.events(of: 2).isEmpty && poller.events(of: 199) == .readable)
    // The index of a removed descriptor is used again.
    wakeEvents[199].drain()
    #expect(poller.add(wakeEvents[2].fileDescriptor) == 2)
    #expect(try poller.wait(until: .zero) == 1)
    #expect(poller.events(of: 2) == .readable && poller.events(of: 199).isEmpty)
  }

  /// One wait reports 64 descriptors; the kernel reports the others next.
  @Test func `of very many ready descriptors all are reported within some waits`() throws {
    var wakeEvents: [WakeEvent] = []
    var poller = Poller()
    for _ in 0..<200 {
      let wakeEvent = try WakeEvent()
      wakeEvent.signal()
      wakeEvents.append(wakeEvent)
      poller.add(wakeEvent.fileDescriptor)
    }
    var seen: Set<Int> = []
    for _ in 0..<8 {
      try poller.wait(until: .distantFuture)
      seen.formUnion((0..<200).filter { poller.events(of: $0).contains(.readable) })
    }
    #expect(seen.count == 200)
  }

  @Test func `the events waited for can change`() throws {
    let pipe = try FileDescriptor.pipe()
    var poller = Poller()
    poller.add(pipe.writeEnd.rawValue, for: [])
    #expect(try poller.wait(until: .zero) == 0)
    poller.change(0, to: .writable)
    #expect(try poller.wait(until: .distantFuture) == 1)
    #expect(poller.events(of: 0) == .writable)
    poller.change(0, to: [])
    #expect(try poller.wait(until: .zero) == 0)
    // A pipe without a reader reports POLLERR (pipe(7)), whatever events are requested.
    try pipe.readEnd.close()
    #expect(try poller.wait(until: .distantFuture) == 1)
    #expect(poller.events(of: 0).contains(.broken))
    poller.remove(0)
    try pipe.writeEnd.close()
  }

  @Test func `a closed descriptor is reported as broken`() throws {
    var poller = Poller()
    // The number is far above any open descriptor.
    poller.add(1_000_000)
    #expect(try poller.wait(until: .distantFuture) == 1)
    #expect(poller.events(of: 0) == .broken)
  }

  @Test func `other descriptors are served next to a closed one`() throws {
    let wakeEvent = try WakeEvent()
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    poller.add(1_000_000)
    wakeEvent.signal()
    #expect(try poller.wait(until: .distantFuture) == 2)
    #expect(poller.events(of: 0) == .readable && poller.events(of: 1) == .broken)
    poller.remove(1)
    #expect(try poller.wait(until: .distantFuture) == 1)
    _ = wakeEvent.drain()
    #expect(try poller.wait(until: .zero) == 0)
  }

  @Test func `a descriptor added twice has two indices`() throws {
    let wakeEvent = try WakeEvent()
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    poller.add(wakeEvent.fileDescriptor)
    wakeEvent.signal()
    #expect(try poller.wait(until: .distantFuture) == 2)
    #expect(poller.events(of: 0) == .readable && poller.events(of: 1) == .readable)
  }

  @Test func `a pipe without a writer hangs up`() throws {
    let pipe = try FileDescriptor.pipe()
    var poller = Poller()
    poller.add(pipe.readEnd.rawValue)
    #expect(try poller.wait(until: .zero) == 0)
    _ = try pipe.writeEnd.writeAll([7])
    #expect(try poller.wait(until: .distantFuture) == 1)
    #expect(poller.events(of: 0) == .readable)
    try pipe.writeEnd.close()
    #expect(try poller.wait(until: .distantFuture) == 1)
    #expect(poller.events(of: 0) == [.readable, .hungUp])
    poller.remove(0)
    try pipe.readEnd.close()
  }

  @Test func `the clock is monotonic`() {
    let first = monotonicNow()
    #expect(monotonicNow() >= first && first > .zero)
  }
}
