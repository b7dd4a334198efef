// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith

/// The results of a recorder query: `CMRecordedAccelerometerData`, in the order of recording.
///
/// The items are read from the disk on demand, because twelve hours contain two million samples. As
/// on Apple's systems the list is not a `Sequence`; a program can declare it:
///
///     extension CMSensorDataList: Sequence {
///       public typealias Iterator = NSFastEnumerationIterator
///       public func makeIterator() -> NSFastEnumerationIterator {
///         NSFastEnumerationIterator(self)
///       }
///     }
///
/// Use each iterator on one thread, preferably not the main thread, because it waits for the disk.
open class CMSensorDataList: NSObject, NSFastEnumeration {
  private let samples: RecordedSamples?
  /// The items of a list that a test created.
  private let items: [CMRecordedAccelerometerData]

  /// Creates an empty list.
  public override init() {
    samples = nil
    items = []
    super.init()
  }

  package init(items: [CMRecordedAccelerometerData]) {
    samples = nil
    self.items = items
    super.init()
  }

  package init(_ samples: RecordedSamples) {
    self.samples = samples
    items = []
    super.init()
  }

  // swift-format-ignore: NoLeadingUnderscores
  open func _otolithElements() -> AnyIterator<Any> {
    guard let samples else { return AnyIterator(items.map { $0 as Any }.makeIterator()) }
    var iterator = samples.makeIterator()
    return AnyIterator { iterator.next().map { CMRecordedAccelerometerData($0) } }
  }
}
