// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import LinuxSystem
import SystemPackage
import Testing

@Suite struct OwnedDescriptorTests {
  @Test func `a descriptor is closed at the end of its life, and on exec`() throws {
    let number: Int32
    do {
      let descriptor = try OwnedDescriptor(opening: "/dev/zero", as: .i2c, .readOnly)
      number = descriptor.rawValue
      // proc(5): flags are octal, 02000000 is O_CLOEXEC.
      let information = try String(
        contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)
      let flags = information.split(separator: "\n").first { $0.hasPrefix("flags:") }
      let value = flags.flatMap { Int($0.dropFirst(6).filter(\.isNumber), radix: 8) } ?? 0
      #expect(value & 0o2000000 != 0)
      // The link shows what is open under the number, which another test may have reused.
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
          == "/dev/zero")
    }
    let now = try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/fd/\(number)")
    #expect(now != "/dev/zero")
  }

  @Test func `closing reports its error`() throws {
    // This number is never open, because a process's limit is far below.
    let wrong = OwnedDescriptor(
      owning: FileDescriptor(rawValue: 1_000_000_000))
    do {
      try wrong.close()
      Issue.record("closed what was never open")
    } catch {
      #expect(error.errno == 9)
      #expect(error.name == "descriptor 1000000000")
    }
  }
}
