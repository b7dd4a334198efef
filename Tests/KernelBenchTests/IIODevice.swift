// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A device of the kernel's industrial I/O subsystem, through its files (kernel
/// Documentation/ABI/testing/sysfs-bus-iio).
struct IIODevice {
  let folder: String
  let node: String

  /// Finds the device that its kernel driver calls `name`.
  init(named name: String) throws {
    let root = "/sys/bus/iio/devices"
    let folders = try FileManager.default.contentsOfDirectory(atPath: root)
    let found = folders.filter { $0.hasPrefix("iio:device") }
      .first { (try? VirtualBench.read("\(root)/\($0)/name")) == name }
    let device = try #require(
      found,
      "no device \(name) among \(folders.map { (try? VirtualBench.read("\(root)/\($0)/name")) ?? $0 })"
    )
    folder = "\(root)/\(device)"
    node = "/dev/\(device)"
  }

  func text(_ attribute: String) throws -> String {
    try VirtualBench.read("\(folder)/\(attribute)")
  }

  func number(_ attribute: String) throws -> Double {
    try #require(Double(try text(attribute)), "\(attribute) is no number")
  }

  func numbers(_ attribute: String) throws -> [Double] {
    try text(attribute).split(whereSeparator: { " []".contains($0) }).compactMap { Double($0) }
  }

  func has(_ attribute: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(attribute)")
  }

  func set(_ attribute: String, _ value: String) throws {
    try VirtualBench.write(value, to: "\(folder)/\(attribute)")
  }

  // MARK: Buffers

  /// The layout of a channel in a scan, such as `be:s16/16>>0`.
  struct Element {
    var name: String
    var index: Int
    var isBigEndian: Bool
    var isSigned: Bool
    var bits: Int
    var storage: Int
    var shift: Int

    init(_ name: String, index: Int, type: String) throws {
      self.name = name
      self.index = index
      let parts = type.split(whereSeparator: { ":/>".contains($0) }).map(String.init)
      try #require(parts.count == 4)
      isBigEndian = parts[0] == "be"
      isSigned = parts[1].hasPrefix("s")
      bits = try #require(Int(parts[1].dropFirst()))
      storage = try #require(Int(parts[2]))
      shift = try #require(Int(parts[3]))
    }

    func value(_ bytes: ArraySlice<UInt8>) -> Int64 {
      let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
      let raw = (ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) >> UInt64(shift)
      let unused = UInt64(64 - bits)
      return isSigned
        ? Int64(bitPattern: raw << unused) >> Int64(unused) : Int64((raw << unused) >> unused)
    }
  }

  /// One scan: the channels' counts by name, and the kernel's time (CLOCK_MONOTONIC).
  struct Scan {
    var values: [String: Int64]
    var time: Int64
  }

  /// Captures while `body` runs, with all channels of the buffer enabled and the device's own
  /// trigger.
  func capture(trigger: String? = nil, watermark: Int? = nil, while body: () throws -> Void) throws
    -> [Scan]
  {
    let elements = try enableAll()
    if let trigger { try set("trigger/current_trigger", trigger) }
    try set("buffer/length", "4096")
    if let watermark { try set("buffer/watermark", "\(watermark)") }
    // `open` reads the path only during the call.
    let descriptor = unsafe open(node, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw VirtualBench.SystemError(path: node, errno: errno) }
    defer { close(descriptor) }
    try set("buffer/enable", "1")
    let collected = Result {
      try body()
      return try bytes(of: descriptor)
    }
    try set("buffer/enable", "0")
    return try Self.scans(try collected.get(), elements)
  }

  /// Captures `count` scans of all channels by libiio's `iio_readdev`.
  func readdev(_ name: String, count: Int) throws -> [Scan] {
    let elements = try enableAll()
    let file = try Scratch.file("", named: "scans")
    let said = try Tool.Running([
      "sh", "-c", "iio_readdev --uri local: --samples \(count) \(name) > \(file)",
    ]).end()
    try #require(said.status == 0, "\(said.errors)")
    return try Self.scans([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), elements)
  }

  /// Enables all channels of the buffer. Returns their layouts, in the order of a scan.
  private func enableAll() throws -> [Element] {
    try set("current_timestamp_clock", "monotonic\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/scan_elements")
    var elements: [Element] = []
    for file in names where file.hasSuffix("_en") {
      let name = String(file.dropLast(3))
      try set("scan_elements/\(file)", "1")
      elements.append(
        try Element(
          name, index: Int(try number("scan_elements/\(name)_index")),
          type: try text("scan_elements/\(name)_type")))
    }
    return elements.sorted { $0.index < $1.index }
  }

  private func bytes(of descriptor: Int32) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      // `read` writes to the buffer only during the call.
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EAGAIN { return bytes }
      guard count > 0 else { throw VirtualBench.SystemError(path: node, errno: errno) }
      bytes += chunk[..<count]
    }
  }

  /// Splits bytes into scans: each channel is aligned to its own size, a scan to the largest.
  private static func scans(_ bytes: [UInt8], _ elements: [Element]) throws -> [Scan] {
    var offsets: [Int] = []
    var end = 0
    var largest = 1
    for element in elements {
      let size = element.storage / 8
      end = (end + size - 1) / size * size
      offsets.append(end)
      end += size
      largest = max(largest, size)
    }
    let stride = (end + largest - 1) / largest * largest
    try #require(bytes.count % stride == 0)
    return Swift.stride(from: 0, to: bytes.count, by: stride).map { start in
      var scan = Scan(values: [:], time: 0)
      for (element, offset) in zip(elements, offsets) {
        let at = start + offset
        let value = element.value(bytes[at..<(at + element.storage / 8)])
        if element.name == "in_timestamp" {
          scan.time = value
        } else {
          scan.values[element.name] = value
        }
      }
      return scan
    }
  }
}
