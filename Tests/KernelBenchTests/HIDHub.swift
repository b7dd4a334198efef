// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Quantities
import Synchronization

/// A sensor hub that the kernel sees as a USB device, through /dev/uhid (kernel
/// Documentation/hid/uhid.rst, include/uapi/linux/uhid.h).
///
/// It answers as Windows expects of a hub: a sensor reports as long as its power state is full and
/// its reporting state is not "no events", every report interval.
final class HIDHub: Sendable {
  /// A sensor of the hub. Usages and units are those of HID Usage Tables 1.5, section 20.
  struct Sensor {
    /// The usage of the sensor's collection on the sensor page.
    var usage: UInt16
    /// The usages of the values that it reports.
    var values: [UInt16]
    /// The exponent of ten of the values' unit, from -8 to 7.
    var exponent: Int
    /// The counts that it reports.
    var counts: [Int16]

    /// In g, an axis that points up has -1.
    static func accelerometer(_ counts: [Int16], exponent: Int = -3) -> Sensor {
      Sensor(usage: 0x73, values: [0x0453, 0x0454, 0x0455], exponent: exponent, counts: counts)
    }

    /// In degrees per second.
    static func gyroscope(_ counts: [Int16], exponent: Int = -2) -> Sensor {
      Sensor(usage: 0x76, values: [0x0457, 0x0458, 0x0459], exponent: exponent, counts: counts)
    }

    /// In milligauss.
    static func magnetometer(_ counts: [Int16], exponent: Int = 0) -> Sensor {
      Sensor(usage: 0x83, values: [0x0485, 0x0486, 0x0487], exponent: exponent, counts: counts)
    }

    /// In degrees.
    static func inclinometer(_ counts: [Int16], exponent: Int = -1) -> Sensor {
      Sensor(usage: 0x86, values: [0x047F, 0x0480, 0x0481], exponent: exponent, counts: counts)
    }

    /// In lux.
    static func light(_ count: Int16, exponent: Int = -1) -> Sensor {
      Sensor(usage: 0x41, values: [0x04D1], exponent: exponent, counts: [count])
    }
  }

  /// What a sensor's feature report says.
  private struct Settings {
    /// Selectors, counted from 1: "integrated", "no events", "off", "ready".
    var connection: UInt8 = 1, reporting: UInt8 = 1, power: UInt8 = 6, state: UInt8 = 2
    var interval: UInt32 = 100
    var due = Timestamp.zero

    var reports: Bool { reporting != 1 && power == 2 }
    var bytes: [UInt8] {
      [connection, reporting, power, state]
        + (0..<4).map { UInt8(truncatingIfNeeded: interval >> (8 * $0)) }
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
      let bytes = Array(bytes)
      guard bytes.count >= 8 else { return }
      (connection, reporting, power, state) = (bytes[0], bytes[1], bytes[2], bytes[3])
      interval = (0..<4).reduce(0) { $0 | UInt32(bytes[4 + $1]) << UInt32(8 * $1) }
    }
  }

  private let descriptor: Int32
  private let sensors: Mutex<[Sensor]>
  private let isOver = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Plugs the hub in. Its sensors have the report numbers from 1 on.
  init(_ sensors: [Sensor]) throws {
    // `open` reads the path only during the call.
    descriptor = unsafe open("/dev/uhid", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw VirtualBench.SystemError(path: "/dev/uhid", errno: errno) }
    self.sensors = Mutex(sensors)
    let report = Self.descriptor(of: sensors)
    var request = Self.padded("otolith test hub", 128) + Self.padded("bench", 64)
    request += Self.padded("", 64) + Self.words16([report.count, 3])
    // The vendor, the product, the version and the country.
    request += Self.words32([0x1209, 0x0001, 1, 0]) + report
    try send(11, request)
    // The settings belong to this thread alone.
    let thread = Thread { [self] in
      var settings = [Settings](repeating: Settings(), count: sensors.count)
      while !isOver.load(ordering: .acquiring) { turn(&settings) }
      ended.signal()
    }
    thread.start()
  }

  /// Changes what a sensor measures from now on.
  func set(_ counts: [Int16], ofSensor index: Int) {
    sensors.withLock { $0[index].counts = counts }
  }

  /// Pulls the hub out.
  func unplug() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Meanwhile the kernel may wait for an answer of the thread, so the thread ends first; closing
    // the node pulls the hub out.
    ended.wait()
    close(descriptor)
  }

  deinit { unplug() }

  // MARK: Events

  private func send(_ type: Int, _ bytes: [UInt8]) throws {
    let event = Self.words32([type]) + bytes
    // `write` reads the bytes only during the call.
    let count = unsafe event.withUnsafeBytes {
      unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
    }
    guard count == event.count else {
      throw VirtualBench.SystemError(path: "/dev/uhid", errno: errno)
    }
  }

  /// Answers the kernel's next request if there is one, and sends the reports that are due.
  private func turn(_ settings: inout [Settings]) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // `poll` writes to the variable only during the call.
    if unsafe poll(&waiting, 1, 1) > 0 { answer(&settings) }
    let now = monotonicNow()
    for (index, sensor) in sensors.withLock({ $0 }).enumerated() where settings[index].reports {
      guard now >= settings[index].due else { continue }
      let interval = TimeSpan.milliseconds(Int64(max(1, settings[index].interval)))
      settings[index].due = max(settings[index].due + interval, now)
      let report = Self.input(sensor, number: index + 1)
      try? send(12, Self.words16([report.count]) + report)
    }
  }

  private func answer(_ settings: inout [Settings]) {
    var event = [UInt8](repeating: 0, count: 4380)
    // `read` writes to the bytes only during the call.
    let count = unsafe event.withUnsafeMutableBytes {
      unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
    }
    guard count > 10 else { return }
    let number = Array(event[4..<8])
    let index = Int(event[8]) - 1
    let isKnown = settings.indices.contains(index)
    switch event[0] {
    case 9:
      var report: [UInt8] = []
      if isKnown {
        let isFeature = event[9] == 0
        report =
          isFeature
          ? [event[8]] + settings[index].bytes
          : Self.input(sensors.withLock { $0[index] }, number: index + 1)
      }
      try? send(10, number + Self.words16([isKnown ? 0 : Int(EIO), report.count]) + report)
    case 13:
      // The size, and the report with its number.
      if isKnown, event[9] == 0 { settings[index].take(event[13..<21]) }
      try? send(14, number + Self.words16([isKnown ? 0 : Int(EIO)]))
    default: break
    }
  }

  private static func input(_ sensor: Sensor, number: Int) -> [UInt8] {
    // The state "ready" is the second selector, the event "data updated" the fourth.
    [UInt8(number), 2, 4] + words16(sensor.counts.map { Int(UInt16(bitPattern: $0)) })
  }

  // MARK: Descriptor

  /// Returns the report descriptor (Device Class Definition for HID 1.11, section 6.2.2).
  private static func descriptor(of sensors: [Sensor]) -> [UInt8] {
    // The page of sensors; the usage and the application collection of a group of sensors.
    var bytes: [UInt8] = [0x05, 0x20, 0x09, 0x01, 0xA1, 0x01]
    for (index, sensor) in sensors.enumerated() {
      bytes += [0x85, UInt8(index + 1), 0x05, 0x20] + usage(sensor.usage)
      // A physical collection.
      bytes += [0xA1, 0x00]
      // Features: connection type, reporting state, power state, sensor state, report interval.
      bytes += selectors(of: 0x0309, 0x0830, 3, main: 0xB1)
      bytes += selectors(of: 0x0316, 0x0840, 6, main: 0xB1)
      bytes += selectors(of: 0x0319, 0x0850, 6, main: 0xB1)
      bytes += selectors(of: 0x0201, 0x0800, 7, main: 0xB1)
      bytes += usage(0x030E) + [0x15, 0x00, 0x27, 0xFF, 0xFF, 0xFF, 0x7F]
      bytes += [0x75, 32, 0x95, 1, 0x55, 0x00, 0xB1, 0x02]
      // Inputs: sensor state, event, values.
      bytes += selectors(of: 0x0201, 0x0800, 7, main: 0x81)
      bytes += selectors(of: 0x0202, 0x0810, 5, main: 0x81)
      for value in sensor.values {
        bytes += usage(value) + [0x16, 0x01, 0x80, 0x26, 0xFF, 0x7F, 0x75, 16, 0x95, 1]
        bytes += [0x55, UInt8(sensor.exponent & 15), 0x81, 0x02]
      }
      bytes.append(0xC0)
    }
    return bytes + [0xC0]
  }

  private static func usage(_ number: UInt16) -> [UInt8] { [0x0A] + words16([Int(number)]) }

  /// One of `count` selectors from `first` on, in an array of one byte.
  private static func selectors(of property: UInt16, _ first: UInt16, _ count: UInt8, main: UInt8)
    -> [UInt8]
  {
    var bytes = usage(property) + [0x15, 1, 0x25, count, 0x75, 8, 0x95, 1, 0xA1, 0x02]
    for offset in 0..<UInt16(count) { bytes += usage(first + offset) }
    bytes += [main, 0x00, 0xC0]
    return bytes
  }

  private static func words16(_ words: [Int]) -> [UInt8] {
    words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private static func words32(_ words: [Int]) -> [UInt8] {
    words.flatMap { words16([$0, $0 >> 16]) }
  }

  private static func padded(_ text: String, _ size: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: size - text.utf8.count)
  }
}
