// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Testing

/// The replacement for Foundation's fast enumeration, used as in programs.
@Suite struct FastEnumerationTests {
  final class Samples: NSObject, NSFastEnumeration {
    let values: [CMAccelerometerData]

    init(_ values: [CMAccelerometerData]) { self.values = values }

    // swift-format-ignore: NoLeadingUnderscores
    func _otolithElements() -> AnyIterator<Any> {
      AnyIterator(values.lazy.map { $0 }.makeIterator())
    }
  }

  static func samples(_ count: Int) -> Samples {
    Samples(
      (0..<count).map {
        CMAccelerometerData(acceleration: CMAcceleration(), timestamp: Double($0))
      })
  }

  @Test func `an iterator gives each element once, and another starts from the first`() {
    let samples = Self.samples(3)
    var times: [TimeInterval] = []
    var iterator = NSFastEnumerationIterator(samples)
    while let item = iterator.next() { times.append((item as? CMLogItem)?.timestamp ?? -1) }
    #expect(times == [0, 1, 2])
    #expect(iterator.next() == nil)
    // A new iterator starts at the first element.
    var second = NSFastEnumerationIterator(samples)
    #expect((second.next() as? CMLogItem)?.timestamp == 0)
  }

  @Test func `a list that programs make a sequence has every element`() {
    var count = 0
    for case let item as CMAccelerometerData in Self.samples(5) {
      #expect(item.timestamp == Double(count))
      count += 1
    }
    #expect(count == 5)
    #expect(Self.samples(0).compactMap { $0 as? CMAccelerometerData }.isEmpty)
  }
}

/// The conformance that programs write for `CMSensorDataList`.
extension FastEnumerationTests.Samples: Sequence {
  func makeIterator() -> NSFastEnumerationIterator { NSFastEnumerationIterator(self) }
}
