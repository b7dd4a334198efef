// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Quantities
import SystemPackage
import Testing

@Suite(.serialized) struct PollerTests {
  @Test func `an event counts its signals`() throws {
    let bell = try WakeEvent()
    #expect(bell.drain() == 0)
    bell.ring()
    bell.ring()
    #expect(bell.drain() == 2)
    #expect(bell.drain() == 0)
  }

  @Test func `a deadline ends the wait`() throws {
    let bell = try WakeEvent()
    var waiter = Poller()
    #expect(waiter.add(bell.fileDescriptor) == 0)
    let deadline = monotonicNow() + .milliseconds(20)
    let ready = try waiter.wait(until: deadline)
    let late = monotonicNow() - deadline
    #expect(ready.isEmpty)
    // Never early; how late depends on how busy the machine is.
    #expect(late >= .zero && late < .seconds(2))
  }

  /// A waiter that is woken often leaves a timer running, which ends before the newest deadline.
  @Test func `a deadline is as long as before where bells have ended many waits`() throws {
    let bell = try WakeEvent()
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    func wake(_ times: Int, within span: TimeSpan) throws {
      for _ in 0..<times {
        bell.ring()
        #expect(try waiter.wait(until: monotonicNow() + span).contains(0))
        bell.drain()
      }
    }
    // Later than the timer, which has ended by then, and sooner.
    for (span, next) in [(2, 30), (50, 3)] {
      try wake(30, within: .milliseconds(Int64(span)))
      var pause = Poller()
      _ = try pause.wait(until: monotonicNow() + .milliseconds(4))
      let deadline = monotonicNow() + .milliseconds(Int64(next))
      #expect(try waiter.wait(until: deadline).isEmpty)
      let late = monotonicNow() - deadline
      #expect(late >= .zero && late < .seconds(2))
    }
    // None at all.
    try wake(30, within: .milliseconds(2))
    let thread = try startThread(name: "ringer") {
      var pause = Poller()
      _ = try? pause.wait(until: monotonicNow() + .milliseconds(10))
      bell.ring()
    }
    #expect(try waiter.wait(until: .distantFuture).contains(0))
    #expect(try waiter.wait(until: .zero).contains(0))
    thread.join()
    bell.drain()
    #expect(try waiter.wait(until: .zero).isEmpty)
  }

  @Test func `a deadline in the past only polls`() throws {
    let bell = try WakeEvent()
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    #expect(try waiter.wait(until: .zero).isEmpty)
    #expect(try waiter.wait(until: Timestamp(nanoseconds: .min)).isEmpty)
    bell.ring()
    #expect(try waiter.wait(until: .zero).contains(0))
  }

  @Test func `an event wakes a wait without a deadline`() throws {
    let bell = try WakeEvent()
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    let thread = try startThread(name: "ringer") {
      var pause = Poller()
      _ = try? pause.wait(until: monotonicNow() + .milliseconds(5))
      pause.remove(0)
      bell.ring()
    }
    #expect(try waiter.wait(until: .distantFuture) == ReadyEvents(readable: 1, failed: 0))
    thread.join()
  }

  @Test func `bits follow the order of adding`() throws {
    var bells: [WakeEvent] = []
    var waiter = Poller()
    for i in 0..<8 {
      let bell = try WakeEvent()
      bells.append(bell)
      #expect(waiter.add(bell.fileDescriptor) == i)
    }
    #expect(waiter.add(bells[0].fileDescriptor) == nil)
    bells[2].ring()
    bells[7].ring()
    #expect(try waiter.wait(until: .distantFuture).readable == 0b1000_0100)
    waiter.remove(2)
    #expect(try waiter.wait(until: .zero).readable == 0b1000_0000)
  }

  @Test func `a closed descriptor is reported as failed`() throws {
    var waiter = Poller()
    // Far above any open number here.
    waiter.add(1_000_000)
    let ready = try waiter.wait(until: .distantFuture)
    #expect(ready == ReadyEvents(readable: 0, failed: 1))
  }

  @Test func `other descriptors are served next to a closed one`() throws {
    let bell = try WakeEvent()
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    waiter.add(1_000_000)
    bell.ring()
    #expect(try waiter.wait(until: .distantFuture) == ReadyEvents(readable: 1, failed: 2))
    waiter.remove(1)
    #expect(try waiter.wait(until: .distantFuture) == ReadyEvents(readable: 1, failed: 0))
    _ = bell.drain()
    #expect(try waiter.wait(until: .zero).isEmpty)
  }

  @Test func `a descriptor added twice has two bits`() throws {
    let bell = try WakeEvent()
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    waiter.add(bell.fileDescriptor)
    bell.ring()
    #expect(try waiter.wait(until: .distantFuture).readable == 0b11)
  }

  @Test func `a pipe without a writer fails`() throws {
    let pipe = try FileDescriptor.pipe()
    var waiter = Poller()
    waiter.add(pipe.readEnd.rawValue)
    #expect(try waiter.wait(until: .zero).isEmpty)
    _ = try pipe.writeEnd.writeAll([7])
    #expect(try waiter.wait(until: .distantFuture) == ReadyEvents(readable: 1, failed: 0))
    try pipe.writeEnd.close()
    #expect(try waiter.wait(until: .distantFuture) == ReadyEvents(readable: 1, failed: 1))
    try pipe.readEnd.close()
  }

  @Test func `the clock is monotonic`() {
    let first = monotonicNow()
    #expect(monotonicNow() >= first && first > .zero)
  }
}
