// SPDX-License-Identifier: Apache-2.0

/// A channel in the scans of a device.
package struct ScanElement: Equatable, Sendable {
  /// The channel's name in sysfs, such as `in_accel_x`.
  package var name: String
  /// The channel's place in the order of the scan.
  package var index: Int
  package var format: ScanFormat

  package init(name: String, index: Int, format: ScanFormat) {
    self.name = name
    self.index = index
    self.format = format
  }
}

/// The places of channels in a scan. Each channel is aligned to its own size, and the scan to the
/// size of its largest channel (Linux, Documentation/driver-api/iio/buffers).
package struct ScanLayout: Equatable, Sendable {
  /// The number of bytes of a scan; 0 without elements.
  package let size: Int
  /// The first byte of each element, by the element's name.
  package let offsets: [String: Int]

  package init(_ elements: [ScanElement]) {
    var offsets: [String: Int] = [:]
    var end = 0
    var largest = 1
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let size = element.format.size * element.format.count
      end = (end + size - 1) / size * size
      offsets[element.name] = end
      end += size
      largest = max(largest, size)
    }
    size = (end + largest - 1) / largest * largest
    self.offsets = offsets
  }
}
