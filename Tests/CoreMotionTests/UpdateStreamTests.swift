// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import CoreMotion

/// Starts and stops of a stream that opens what delivers its items.
@Suite struct UpdateStreamTests {
  private final class Item: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// Delivers items to any start of a stream, and writes down what is opened and ended.
  private final class Source: Sendable {
    private let events = Mutex<[String]>([])
    private let sinks = Mutex<[UpdateStream<Item>.Sink]>([])

    var log: [String] { events.withLock { $0 } }

    func open(_ sink: @escaping UpdateStream<Item>.Sink) -> @Sendable () -> Void {
      let number = sinks.withLock { sinks in
        sinks.append(sink)
        return sinks.count
      }
      events.withLock { $0.append("open \(number)") }
      return { self.events.withLock { $0.append("end \(number)") } }
    }

    func send(_ item: Int, to start: Int) {
      let sink = sinks.withLock { $0[start - 1] }
      sink(Item(item), nil)
    }
  }

  private let stream = UpdateStream<Item>()
  private let source = Source()
  private let queue = Rig.queue()
  private let got = Collected<Int>()

  @Test func `after a restart the sink of the earlier start passes nothing on`() {
    for _ in 0..<2 {
      stream.start(to: queue, { got.add($0?.number, $1) }, opening: source.open)
    }
    source.send(1, to: 1)
    source.send(2, to: 2)
    queue.waitUntilAllOperationsAreFinished()
    #expect(got.values == [2])
    // The chips would stop in between if the earlier delivery ended first.
    #expect(source.log == ["open 1", "open 2", "end 1"])
    stream.stop()
    source.send(3, to: 2)
    queue.waitUntilAllOperationsAreFinished()
    #expect(got.values == [2])
    #expect(source.log == ["open 1", "open 2", "end 1", "end 2"])
  }

  /// Another thread may stop the stream before its start returns.
  @Test func `a start that is stopped while it opens ends at once`() {
    stream.start(to: queue, { got.add($0?.number, $1) }) { sink in
      let end = source.open(sink)
      stream.stop()
      return end
    }
    #expect(source.log == ["open 1", "end 1"])
    #expect(!stream.isActive)
  }

  @Test func `a start that is refused opens nothing`() {
    let error = NSError(domain: CMErrorDomain, code: 109)
    stream.start(
      to: queue, { got.add($0?.number, $1) }, refusing: error, opening: source.open)
    queue.waitUntilAllOperationsAreFinished()
    #expect(source.log.isEmpty)
    #expect(got.values.isEmpty && got.errors.count == 1)
  }
}
