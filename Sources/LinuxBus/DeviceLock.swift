// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Keeps a second otolith process off a sensor: an exclusive flock(2) on a file of its own, which
/// the kernel takes back however the process ends. The file stays; removing it would let two
/// processes lock two files of one name.
public struct DeviceLock: ~Copyable, Sendable {
  /// The file, otolith-i2c-1-68.lock in /run/lock or $XDG_RUNTIME_DIR.
  public let path: String
  private let descriptor: OwnedDescriptor

  /// Locks `address` on the bus at path `bus` (links are followed, so two names of one node are one
  /// lock); without an address the whole node, as for SPI. Throws `.busy` with the owner's process
  /// id.
  public init(bus: String, address: UInt8? = nil) throws(OpenError) {
    // The text is copied at once; nothing here changes the environment.
    let runtime = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
    try self.init(
      bus: bus, address: address, directories: ["/run/lock"] + (runtime.map { [$0] } ?? []))
  }

  package init(bus: String, address: UInt8?, directories: [String]) throws(OpenError) {
    do {
      try self.init(
        name: DeviceLock.name(bus: realName(bus), address: address), directories: directories)
    } catch {
      // Who is told that a sensor is taken wants to know which, not by which file.
      guard case .busy = error.cause else { throw error }
      throw OpenError(.lock, bus, errno: error.errno, cause: error.cause, address: address)
    }
  }

  /// Takes the first directory that lets it make the file.
  package init(name: String, directories: [String]) throws(OpenError) {
    let file = try DeviceLock.open(name, directories)
    let owned = OwnedDescriptor(owning: file.descriptor)
    let result = otolith_lock_take(owned.rawValue)
    guard result >= 0 else {
      throw OpenError(
        .lock, file.path, errno: -result,
        cause: OpenError.Cause(
          errno: -result, kind: .lock, group: DeviceKind.lock.usualGroup,
          holder: DeviceLock.holder(file.path)))
    }
    let text = "\(otolith_process_id())\n"
    // Only for the text of the other process's error: without it the lock is as good. The pointer
    // is valid for the call.
    _ = unsafe otolith_lock_write(owned.rawValue, text, text.utf8.count)
    path = file.path
    descriptor = owned
  }

  private static func open(_ name: String, _ directories: [String]) throws(OpenError)
    -> (path: String, descriptor: FileDescriptor)
  {
    var refusal = OpenError(.lock, name, errno: notFoundError, cause: .missing)
    for directory in directories where !directory.isEmpty {
      let path = "\(directory)/\(name)"
      let opened = unsafe otolith_lock_open(path)  // the pointer is valid for the call
      if opened >= 0 {
        return (path, FileDescriptor(rawValue: opened))
      }
      refusal = OpenError(.lock, path, errno: -opened)
    }
    throw refusal
  }

  /// Unlocks now instead of at the end of its life.
  public consuming func unlock() {}

  // Closing alone is not enough: a child that another thread has forked and that has not reached
  // exec yet holds the same lock (flock(2)).
  deinit { otolith_lock_release(descriptor.rawValue) }

  package static func name(bus: String, address: UInt8?) -> String {
    "otolith-\(bus)\(address.map { "-" + hexadecimal($0) } ?? "").lock"
  }

  private static func holder(_ path: String) -> String? {
    guard let id = number(in: path), id > 0 else { return nil }
    let words = contents(of: "/proc/\(id)/cmdline").map {
      $0.split(separator: 0, omittingEmptySubsequences: false).prefix(2).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    if let words, words.count == 2, words[0].split(separator: "/").last == "otolith",
      words[1] == "service"
    {
      return "\(serviceName) (process \(id))"
    }
    let name = contents(of: "/proc/\(id)/comm").map {
      String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
    }
    return "process \(id)\(name.map { " (\($0))" } ?? "")"
  }
}

/// The name in errors of the process that shares its sensors.
let serviceName = "the otolith service"
