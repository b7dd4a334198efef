// SPDX-License-Identifier: Apache-2.0

// Two types from Apple's Foundation that programs need to iterate over a `CMSensorDataList`.
// Foundation on Linux lacks both, because its collections are Swift sequences.

/// An object whose elements can be enumerated in order.
public protocol NSFastEnumeration: AnyObject {
  /// Returns all elements for `NSFastEnumerationIterator`; each call starts at the first. Apple's
  /// requirement, `countByEnumerating(with:objects:count:)`, returns pointers that exist only with
  /// Objective-C.
  // swift-format-ignore: NoLeadingUnderscores
  func _otolithElements() -> AnyIterator<Any>
}

/// An iterator over the elements of an `NSFastEnumeration`, for loops in Swift. Use it on one
/// thread.
public struct NSFastEnumerationIterator: IteratorProtocol {
  private let elements: AnyIterator<Any>

  /// Creates an iterator that starts at the first element of `enumerable`.
  public init(_ enumerable: any NSFastEnumeration) { elements = enumerable._otolithElements() }

  /// Returns the next element, `nil` after the last.
  public mutating func next() -> Any? { elements.next() }
}
