// SPDX-License-Identifier: Apache-2.0
import CLinuxBusTestSupport
import LinuxSystem
import Synchronization
import Testing

@Suite struct ThreadTests {
  @Test func `a thread has its name and receives no signals`() throws {
    let seen = Mutex<(name: String, blocked: Bool, slack: Int64)>(("", false, 0))
    let thread = try startThread(name: "otolith-i2c-1-reader") {
      setTimerSlack()
      var name = [CChar](repeating: 0, count: 16)
      // The array has the length that is passed.
      _ = unsafe otolith_test_thread_name(&name, name.count)
      let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      seen.withLock { $0 = (text, otolith_test_interrupt_is_blocked(), otolith_test_timer_slack()) }
    }
    #expect(thread.scheduling == .normal)
    thread.join()
    seen.withLock {
      #expect($0.name == "otolith-i2c-1-r")
      #expect($0.blocked)
      #expect($0.slack == 1)
    }
  }

  @Test func `the signals of the starter stay as they were`() throws {
    let before = otolith_test_interrupt_is_blocked()
    try startThread(name: "mask") {}.join()
    #expect(otolith_test_interrupt_is_blocked() == before)
  }

  @Test func `real-time priority is granted or refused, and the thread runs`() throws {
    let ran = Atomic(false)
    let thread = try startThread(name: "realtime", realtimePriority: 10) {
      ran.store(true, ordering: .releasing)
    }
    let scheduling = thread.scheduling
    thread.join()
    let didRun = ran.load(ordering: .acquiring)
    #expect(didRun)
    #expect(scheduling == .realtime(priority: 10) || scheduling == .realtimeDenied(errno: 1))
  }

  @Test(arguments: [0, 100, -1]) func `a priority out of range is refused`(priority: Int) {
    let error = #expect(throws: ResourceError.self) {
      try startThread(name: "wrong", realtimePriority: priority) {}.join()
    }
    #expect(error?.errno == 22)
  }

  @Test func `a thread that has ended has released its closure`() throws {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let held = Token()
      token = held
      try startThread(name: "token") { [held] in _ = held }.join()
    }
    #expect(token == nil)
  }
}
