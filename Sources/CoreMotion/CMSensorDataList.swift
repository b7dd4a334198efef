// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith

/// The results of a query of the recorder: `CMRecordedAccelerometerData`, in the order of
/// recording.
///
/// They are read from the disk as they are asked for, for twelve hours are two million. As on
/// Apple's systems the list is no `Sequence`; a program makes it one:
///
///     extension CMSensorDataList: Sequence {
///       public typealias Iterator = NSFastEnumerationIterator
///       public func makeIterator() -> NSFastEnumerationIterator {
///         NSFastEnumerationIterator(self)
///       }
///     }
///
/// Each iterator is to be used by one thread, better not the main one: it waits for the disk.
open class CMSensorDataList: NSObject, NSFastEnumeration {
  private let samples: RecordedSamples?
  /// The items of a list that a test has made.
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
