// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Runtime
import Sensors
import Synchronization
import Testing

@Suite struct SupplyTests {
  /// The address of the stack when the supply was last called.
  private final class Depth: Sendable {
    let address = Atomic<UInt>(0)

    @inline(never) func note() {
      // Only the address of the memory is used, and nothing is read from it.
      unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) {
        address.store(UInt(bitPattern: $0.baseAddress), ordering: .relaxed)
      }
    }
  }

  /// Runs `body` on a thread with 256 KiB of stack, and waits for its end.
  private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let end = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      end.signal()
    }
    thread.stackSize = 256 << 10
    thread.start()
    end.wait()
  }

  @Test func `300,000 reads of what another process measured take no more of the stack than one`() {
    let pipeline = MotionPipeline(chips: [[.acceleration]])
    let depth = Depth()
    let calls = Atomic<Int>(0)
    let growth = Mutex<[UInt]>([])
    withExtendedLifetime(depth) {
      pipeline.setSupply {
        calls.add(1, ordering: .relaxed)
        depth.note()
      }
      onSmallStack {
        func read() -> UInt {
          _ = pipeline.samplesMeasured
          _ = pipeline.motionsMeasured
          return depth.address.load(ordering: .relaxed)
        }
        let first = read()
        // If each read took 64 more bytes of the stack, this stack would have room for about 4000
        // reads.
        for _ in 0..<500 { _ = read() }
        let early = read()
        growth.withLock { $0.append(first - min(first, early)) }
        guard early == first else { return }
        for _ in 0..<150_000 { _ = read() }
        let last = read()
        growth.withLock { $0.append(first - min(first, last)) }
      }
    }
    #expect(growth.withLock { $0 } == [0, 0])
    #expect(calls.load(ordering: .relaxed) == 2 * (1 + 500 + 1 + 150_000 + 1))
  }
}
