// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith

/// What all threads share: managers, queues, and the counts of what was done.
///
/// The conformance is unchecked: `lock` guards the array of managers, and a manager guards itself.
final class Field: @unchecked Sendable {
  enum Act: String, CaseIterable {
    case start, stop, interval, read, replace, stream, cancel, inHandler = "in a handler"
    case item, error, element
  }

  let hubs: [MotionHub]
  let queues: [OperationQueue]
  private let plants: Bool
  private let lock = NSLock()
  private var managers: [CMMotionManager]
  private var counts: [Act: Int] = [:]
  /// The variable of the planted race, which no lock guards.
  private var unguarded = 0

  init(hubs: [MotionHub], plants: Bool) {
    self.hubs = hubs
    self.plants = plants
    // Two queues take one item at a time, and two take up to four.
    queues = (0..<4).map { index in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = index < 2 ? 1 : 4
      return queue
    }
    managers = (0..<6).map { CMMotionManager(hub: hubs[$0 % hubs.count]) }
  }

  func manager(_ index: Int) -> CMMotionManager {
    lock.withLock { managers[index % managers.count] }
  }

  /// Releases one manager, running or not, and puts a new one in its place.
  func replace(_ index: Int) {
    let new = CMMotionManager(hub: hubs[index % hubs.count])
    let old = lock.withLock {
      let index = index % managers.count
      // The new manager has the same index, and so the same hub.
      let old = managers[index]
      managers[index] = new
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Releases all managers, and waits for the queues.
  func empty() {
    let old = lock.withLock {
      defer { managers = [] }
      return managers
    }
    withExtendedLifetime(old) {}
    for queue in queues { queue.waitUntilAllOperationsAreFinished() }
  }

  func count(_ act: Act) {
    lock.withLock { counts[act, default: 0] += 1 }
  }

  /// Counts an item or an error that a handler received.
  func took(_ error: (any Error)?) {
    if plants { unguarded += 1 }
    count(error == nil ? .item : .error)
  }

  var tally: String {
    lock.withLock {
      Act.allCases.map { "  \($0.rawValue): \(counts[$0, default: 0])" }.joined(separator: "\n")
    }
  }
}
