// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Testing

@Suite struct DeviceLockTests {
  /// A directory of the test's own.
  func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("otolith-lock-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  @Test func `the name of a lock has bus and address`() {
    #expect(DeviceLock.name(bus: "i2c-1", address: 0x68) == "otolith-i2c-1-68.lock")
    #expect(DeviceLock.name(bus: "i2c-10", address: 0x0C) == "otolith-i2c-10-0c.lock")
    #expect(DeviceLock.name(bus: "spidev0.0", address: nil) == "otolith-spidev0.0.lock")
  }

  @Test func secondLockNamesThisProcess() throws {
    try withDirectory { directory in
      let first = try DeviceLock(name: "a.lock", directories: ["/nonexistent", directory])
      #expect(first.path == "\(directory)/a.lock")
      let error = #expect(throws: OpenError.self) {
        _ = try DeviceLock(name: "a.lock", directories: [directory])
      }
      let id = ProcessInfo.processInfo.processIdentifier
      guard case .busy(driver: .some(let owner)) = error?.cause else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(owner.hasPrefix("process \(id) ("))
      #expect(error?.description.contains("only one process can own a sensor") == true)
      first.unlock()
      _ = try DeviceLock(name: "a.lock", directories: [directory])
    }
  }

  /// What the second of two programs on one chip is told.
  @Test func secondOwnerIsToldWhichSensor() throws {
    try withDirectory { directory in
      let id = ProcessInfo.processInfo.processIdentifier
      let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
      let places: [(String, UInt8?, String)] = [
        ("/dev/i2c-97", 0x68, "address 0x68 on /dev/i2c-97"),
        ("/dev/spidev97.0", nil, "/dev/spidev97.0"),
      ]
      for (bus, address, place) in places {
        let first = try DeviceLock(bus: bus, address: address, directories: [directory])
        let error = #expect(throws: OpenError.self) {
          _ = try DeviceLock(bus: bus, address: address, directories: [directory])
        }
        #expect(
          error?.description
            == "\(place) is in use by process \(id) (\(name)): only one process can own a sensor; "
            + "stop the other one, or wait for its end")
        first.unlock()
      }
    }
  }

  /// What is told where the service has the sensor: a process called otolith, whose first argument is `service`.
  @Test func serviceIsNamedWithWhatToDo() throws {
    try withDirectory { directory in
      let path = "\(directory)/otolith-i2c-97-68.lock"
      try "echo $$ > '\(path)'; echo locked; read _\n".write(
        toFile: "\(directory)/service", atomically: true, encoding: .utf8)
      let other = Process()
      let input = Pipe()
      let output = Pipe()
      other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
      other.arguments = [
        path, "bash", "-c", "cd '\(directory)'; exec -a /usr/local/bin/otolith sh service",
      ]
      other.standardInput = input
      other.standardOutput = output
      try other.run()
      _ = output.fileHandleForReading.availableData
      let error = #expect(throws: OpenError.self) {
        _ = try DeviceLock(bus: "/dev/i2c-97", address: 0x68, directories: [directory])
      }
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(
        error?.description
          == "address 0x68 on /dev/i2c-97 is in use by the otolith service (process "
          + "\(text.dropLast())): programs have its motion through the service (otolith run "
          + "without --board); to have the sensor itself, stop the service: sudo systemctl stop "
          + "otolith.socket otolith.service, or end its process")
      try input.fileHandleForWriting.close()
      other.waitUntilExit()
    }
  }

  @Test func otherProcessHoldsItUntilItEnds() throws {
    try withDirectory { directory in
      let path = "\(directory)/b.lock"
      try Data("424242\n".utf8).write(to: URL(fileURLWithPath: path))
      let other = Process()
      let input = Pipe()
      let output = Pipe()
      other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
      other.arguments = [path, "sh", "-c", "echo locked; read _"]
      other.standardInput = input
      other.standardOutput = output
      try other.run()
      _ = output.fileHandleForReading.availableData
      let error = #expect(throws: OpenError.self) {
        _ = try DeviceLock(name: "b.lock", directories: [directory])
      }
      #expect(error?.cause == .busy(driver: "process 424242"))
      try input.fileHandleForWriting.close()
      other.waitUntilExit()
      let mine = try DeviceLock(name: "b.lock", directories: [directory])
      #expect(
        try String(contentsOfFile: mine.path, encoding: .utf8)
          == "\(ProcessInfo.processInfo.processIdentifier)\n")
    }
  }

  @Test func othersMayLockTheFile() throws {
    try withDirectory { directory in
      let lock = try DeviceLock(name: "c.lock", directories: [directory])
      let mode = try FileManager.default.attributesOfItem(atPath: lock.path)[.posixPermissions]
      #expect(mode as? Int == 0o666)
    }
  }

  @Test func symbolicLinkIsNotFollowed() throws {
    try withDirectory { directory in
      let target = "\(directory)/target"
      try Data("keep".utf8).write(to: URL(fileURLWithPath: target))
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory)/d.lock", withDestinationPath: target)
      #expect(throws: OpenError.self) {
        _ = try DeviceLock(name: "d.lock", directories: [directory])
      }
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "keep")
    }
  }

  @Test func `a lock without any directory is refused`() {
    let error = #expect(throws: OpenError.self) {
      _ = try DeviceLock(name: "e.lock", directories: [])
    }
    #expect(error?.cause == .missing)
  }
}
