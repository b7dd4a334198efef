// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Otolith
import ServedSources
import Service
import Synchronization
import Testing

/// A service with a scripted source that sends numbered samples from a separate thread, and a
/// program that reads them while others misbehave.
final class NumberedStream: Sendable {
  let script: ScriptedSource
  let served: Served
  /// What the well-behaved program received.
  let ledger = Ledger()
  private let hub = MotionHub()
  private let listening = Mutex<Listening?>(nil)
  private let thread = Mutex<ThreadHandle?>(nil)
  private let isEnding = Atomic<Bool>(false)
  private let sent = Atomic<Int>(0)

  /// Starts a stream of `rate` samples a second, sent two at a time.
  init(rate: Int) throws {
    let script = ScriptedSource(.pressure, rate: Double(rate))
    self.script = script
    served = try Served(script)
    try hub.use(ServiceSource(path: served.path))
    let listening = try hub.listen(ledger)
    self.listening.withLock { $0 = listening }
    let handle = ThreadHandle(
      try startThread(name: "numbers") { [self] in
        var due = Timestamp.now
        while !isEnding.load(ordering: .acquiring) {
          for _ in 0..<(rate / 500) {
            let number = sent.load(ordering: .relaxed) + 1
            script.send(Ledger.sample(number))
            sent.store(number, ordering: .releasing)
          }
          due = due + .milliseconds(2)
          Thread.sleep(forTimeInterval: max(0, (due - .now).seconds))
        }
      })
    thread.withLock { $0 = handle }
  }

  /// The number of samples sent so far.
  var count: Int { sent.load(ordering: .acquiring) }

  /// Ends the stream. Returns its last number.
  func finish() -> Int {
    isEnding.store(true, ordering: .releasing)
    thread.withLock { $0.take() }?.join()
    return count
  }

  /// Returns whether the well-behaved program received everything.
  func isComplete(to last: Int) async -> Bool {
    #expect(await hub.flush(within: .seconds(20)))
    let account = ledger.account
    #expect(account.isComplete && account.ends(with: last) && account.missed == 0, "\(account)")
    #expect(account.failures == 0)
    return account.samples.first < 100 && account.motions.first < 100
  }

  func end() {
    _ = finish()
    listening.withLock { $0.take() }?.stop()
    served.end()
  }
}
