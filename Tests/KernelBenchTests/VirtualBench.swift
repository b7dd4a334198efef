// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The virtual bench in the guest system that runs these tests, through its files. One test runs at
/// a time.
enum VirtualBench {
  static let device = "/dev/otolith-bench"
  static let isHere = FileManager.default.fileExists(atPath: device)

  /// The adapter for any transaction, and the one for SMBus transfers only.
  static let i2c = "/dev/i2c-0"
  static let smbus = "/dev/i2c-1"

  private static let control = "/sys/class/misc/otolith-bench"
  private static let log = "/sys/kernel/debug/otolith_bench/edges"

  // MARK: Devices

  /// Gives a chip to a kernel driver or spidev, such as `bus=i2c driver=mpu6050 address=0x68 irq=0
  /// trigger=rising`.
  static func newDevice(_ words: String) throws { try write(words, to: "\(control)/new_device") }

  static func deleteDevice(_ words: String) throws {
    try write(words, to: "\(control)/delete_device")
  }

  /// Runs `body` while a device exists.
  static func with<Value>(
    _ device: String, gone: String, _ body: () throws -> Value
  ) throws -> Value {
    try newDevice(device)
    let result = Result { try body() }
    try deleteDevice(gone)
    return try result.get()
  }

  /// Opens a chip select to user space.
  static func withSPIDevice<Value>(
    _ select: Int, hertz: Int = 10_000_000, _ body: (String) throws -> Value
  ) throws -> Value {
    try with(
      "bus=spi unit=\(select) driver=spidev hz=\(hertz) mode=0", gone: "bus=spi unit=\(select)"
    ) { try body("/dev/spidev0.\(select)") }
  }

  // MARK: Faults

  /// Makes the next `count` transactions of `bus` end with -`errno`.
  static func fail(_ bus: String, with errno: Int32, count: Int = 1) throws {
    try write("\(bus) \(errno) \(count)", to: "\(control)/fault")
  }

  static func unplug(adapter: Int) throws {
    try write("remove \(adapter)", to: "\(control)/adapter")
  }

  /// Plugs an adapter in, after the last process has closed the previous node.
  static func plug(adapter: Int) throws { try write("add \(adapter)", to: "\(control)/adapter") }

  // MARK: Edges

  /// A change of a line, as recorded by the module.
  struct Edge: Equatable {
    var line: Int
    var isRising: Bool
    /// The time when the model's pin changed.
    var chipTime: Int64
    /// The time when the kernel's interrupt was raised.
    var raisedTime: Int64
  }

  static func forgetEdges() throws { try write("0", to: log) }

  static func edges(of line: Int) throws -> [Edge] {
    try read(log).split(separator: "\n").compactMap { text in
      let parts = text.split(separator: " ").compactMap { Int64($0) }
      guard parts.count == 4, parts[0] == Int64(line) else { return nil }
      return Edge(
        line: line, isRising: parts[1] == 1, chipTime: parts[2], raisedTime: parts[3])
    }
  }

  // MARK: SPI

  /// The number of SPI frames, and the last frame.
  struct Frames {
    var count = 0, select = 0, mode = 0, speed = 0, bits = 0, length = 0
  }

  static func frames() throws -> Frames {
    var frames = Frames()
    let keys: [String: WritableKeyPath<Frames, Int>] = [
      "count": \.count, "select": \.select, "mode": \.mode, "speed": \.speed, "bits": \.bits,
      "length": \.length,
    ]
    for part in try read("/sys/kernel/debug/otolith_bench/frames").split(separator: " ") {
      let halves = part.split(separator: "=").map(String.init)
      let key = try #require(keys[halves[0]])
      frames[keyPath: key] = try #require(Int(halves[1]))
    }
    return frames
  }

  // MARK: Files

  /// Writes to a file of sysfs, which reports errors by the errno of write(2); Foundation would
  /// hide it.
  static func write(_ text: String, to path: String) throws {
    // `open` reads the path only during the call.
    let descriptor = unsafe open(path, O_WRONLY)
    guard descriptor >= 0 else { throw SystemError(path: path, errno: errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    // `write` reads the bytes only during the call.
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
    }
    guard count == bytes.count else { throw SystemError(path: path, errno: errno) }
  }

  static func read(_ path: String) throws -> String {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  struct SystemError: Error, CustomStringConvertible {
    var path: String
    var errno: Int32
    var description: String { unsafe "\(path): \(String(cString: strerror(errno)))" }
  }
}

/// All suites of the bench run one after the other, because there is one bench.
@Suite(
  .serialized, .enabled(if: VirtualBench.isHere, "they run in the guest of `make test KIND=kernel`")
)
enum KernelBenchTests {}
