// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// What a query of the recorder found: `CMRecordedAccelerometerData`, in the order of recording.
///
/// They are read from the disk as they are asked for, for twelve hours are two million. As on Apple's systems the list is
/// no `Sequence`; a program makes it one:
///
///     extension CMSensorDataList: Sequence {
///       public typealias Iterator = NSFastEnumerationIterator
///       public func makeIterator() -> NSFastEnumerationIterator { NSFastEnumerationIterator(self) }
///     }
///
/// Each iterator is to be used by one thread, better not the main one: it waits for the disk.
open class CMSensorDataList: NSObject, NSFastEnumeration {
  private let samples: RecordedSamples?

  /// An empty list.
  public override init() {
    samples = nil
    super.init()
  }

  package init(_ samples: RecordedSamples) {
    self.samples = samples
    super.init()
  }

  // swift-format-ignore: NoLeadingUnderscores
  open func _otolithElements() -> AnyIterator<Any> {
    var iterator = samples?.makeIterator()
    return AnyIterator { iterator?.next().map { CMRecordedAccelerometerData($0) } }
  }
}
