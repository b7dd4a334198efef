// SPDX-License-Identifier: Apache-2.0

// Two names of Apple's Foundation that programs need to walk a `CMSensorDataList`. Foundation on
// Linux has neither: there every collection is a sequence of Swift's.

/// An object that gives its elements one after the other.
public protocol NSFastEnumeration: AnyObject {
  /// Returns the elements from the first on, for `NSFastEnumerationIterator`: each call begins
  /// anew. Apple's requirement, `countByEnumerating(with:objects:count:)`, hands out pointers that
  /// do not exist without Objective-C.
  // swift-format-ignore: NoLeadingUnderscores
  func _otolithElements() -> AnyIterator<Any>
}

/// An iterator over the elements of an `NSFastEnumeration`, as Swift's loops take them. To be used
/// by one thread.
public struct NSFastEnumerationIterator: IteratorProtocol {
  private let elements: AnyIterator<Any>

  /// Creates an iterator that begins with the first element of `enumerable`.
  public init(_ enumerable: any NSFastEnumeration) { elements = enumerable._otolithElements() }

  /// Returns the next element, `nil` after the last.
  public mutating func next() -> Any? { elements.next() }
}
