// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

extension FileWriter {
  /// The destination of bytes.
  struct Opened {
    /// The name that the file is to have in the end.
    let target: String
    let descriptor: FileDescriptor
    /// The file that is to take the target's place; `nil` where bytes go straight through.
    let temporary: Temporary?
    /// False for standard output, which belongs to the process and stays open.
    let isOurs: Bool

    static let standardOutput = Opened(
      target: "standard output", descriptor: .standardOutput, temporary: nil, isOurs: false)
  }

  /// A file that is to take the target's place.
  enum Temporary {
    /// One in a folder that has no name yet: it goes with its last descriptor (open(2), O_TMPFILE).
    case unnamed(folder: String)
    case named(String)

    /// Opens one in `folder`, without a name where the file system has such files.
    static func open(
      in folder: String, _ permissions: FilePermissions
    ) throws(Errno) -> (Self, FileDescriptor) {
      // O_TMPFILE of every machine that Swift runs on (asm-generic/fcntl.h); it is not imported.
      let flag = FileDescriptor.OpenOptions(rawValue: 0o20000000 | O_DIRECTORY)
      if let descriptor = try? FileDescriptor.open(
        FilePath(folder.isEmpty ? "." : folder), .writeOnly, options: [flag, .closeOnExec],
        permissions: permissions)
      {
        // The string lives for the call alone; without /proc there is no way to a name.
        if unsafe access(kernelName(of: descriptor), F_OK) == 0 {
          return (.unnamed(folder: folder), descriptor)
        }
        try? descriptor.close()
      }
      var found: FileDescriptor?
      let name = try free(in: folder) { name throws(Errno) in
        do {
          found = try FileDescriptor.open(
            FilePath(name), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: permissions)
        } catch { throw error as? Errno ?? .ioError }
      }
      guard let found else { throw .ioError }
      return (.named(name), found)
    }

    /// Returns the name of the file of `opened`, which is given one; `nil` where it is the target's
    /// already.
    func name(for opened: Opened) throws(Errno) -> String? {
      guard case .unnamed(let folder) = self else {
        if case .named(let name) = self { return name }
        return nil
      }
      let own = Self.kernelName(of: opened.descriptor)
      func link(_ name: String) throws(Errno) {
        // The strings live for the call alone.
        if unsafe linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 {
          throw Errno(rawValue: errno)
        }
      }
      // A file that is new is there from one moment to the next, with nothing beside it.
      do throws(Errno) {
        try link(opened.target)
        return nil
      } catch { guard error == .fileExists else { throw error } }
      return try Self.free(in: folder, link)
    }

    /// Calls `make` with one free name after the other, until it does not throw `fileExists`.
    private static func free(
      in folder: String, _ make: (String) throws(Errno) -> Void
    ) throws(Errno) -> String {
      var attempt = 0
      while true {
        let name = "\(folder).otolith-\(getpid())-\(attempt).part"
        do throws(Errno) {
          try make(name)
          return name
        } catch {
          guard error == .fileExists, attempt < 1000 else { throw error }
          attempt += 1
        }
      }
    }

    private static func kernelName(of descriptor: FileDescriptor) -> String {
      "/proc/self/fd/\(descriptor.rawValue)"
    }
  }

  /// The place of a file that is to be, and what is there now.
  struct Place {
    let path: String
    /// As the user named it.
    private let named: String
    /// The folder of the file with its slash; empty for the current one.
    let folder: String
    /// False for pipes and devices.
    let isOrdinary: Bool
    /// The file that is replaced; `nil` where there is none.
    private let old: Stat?

    init(_ named: String, _ followsLinks: Bool) throws(FileWriterError) {
      let link = try? FilePath(named).stat(followTargetSymlink: false)
      if !followsLinks, link?.type == .symbolicLink {
        throw FileWriterError(.cannotCreate, file: named, reason: "it is a link")
      }
      // A link stays a link: the file that it leads to is replaced, or made.
      guard let path = Self.target(of: named) else {
        throw FileWriterError(.cannotCreate, file: named, reason: "its links lead in a circle")
      }
      let status = try? FilePath(path).stat()
      if status?.type == .directory {
        throw FileWriterError(.cannotCreate, file: named, reason: "it is a directory")
      }
      // A file that may not be written must not be replaced either, though its folder would allow
      // it.
      if status != nil, unsafe access(path, W_OK) != 0 {
        throw FileWriterError(.cannotCreate, file: named, reason: "no permission to write it")
      }
      self.path = path
      self.named = named
      let slash = path.lastIndex(of: "/")
      folder = slash.map { String(path[...$0]) } ?? ""
      isOrdinary = status == nil || status?.type == .regular
      old = isOrdinary ? status : nil
    }

    /// Opens it; `wanted` are the permissions that a file is to have, `nil`: those of the file that
    /// is replaced, else the usual ones less the umask.
    func open(_ wanted: UInt16? = nil) throws(FileWriterError) -> Opened {
      do {
        guard isOrdinary else {
          // A terminal that is written to does not become that of the process.
          let descriptor = try FileDescriptor.open(
            FilePath(path), .writeOnly,
            options: [.closeOnExec, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
          return Opened(target: path, descriptor: descriptor, temporary: nil, isOurs: true)
        }
        removeLeft()
        let permissions = wanted.map { FilePermissions(rawValue: mode_t($0)) }
        return try openTemporary(permissions ?? old?.permissions)
      } catch {
        throw FileWriterError(.cannotCreate, file: named, reason: reason(error))
      }
    }

    private func openTemporary(_ permissions: FilePermissions?) throws -> Opened {
      // Never more open than it is to be, not even while it is empty: who opens it then reads on.
      let first = FilePermissions(rawValue: (permissions?.rawValue ?? 0o666) & 0o777)
      let (temporary, descriptor) = try Temporary.open(in: folder, first)
      do throws(Errno) {
        try settle(descriptor, permissions == nil ? nil : first)
      } catch {
        try? descriptor.close()
        // The string lives for the call alone.
        if case .named(let name) = temporary { unsafe unlink(name) }
        throw error
      }
      return Opened(target: path, descriptor: descriptor, temporary: temporary, isOurs: true)
    }

    /// Gives the new file its permissions whatever the umask, and the owner of the old one: a file
    /// of a user that root replaces stays that user's.
    private func settle(
      _ descriptor: FileDescriptor, _ permissions: FilePermissions?
    ) throws(Errno) {
      if let old, geteuid() == 0, old.userID.rawValue != 0 {
        let (user, group) = (old.userID.rawValue, old.groupID.rawValue)
        guard fchown(descriptor.rawValue, user, group) == 0 else { throw Errno(rawValue: errno) }
      }
      if let permissions, fchmod(descriptor.rawValue, permissions.rawValue) != 0 {
        throw Errno(rawValue: errno)
      }
    }

    private func reason(_ error: any Error) -> String {
      switch error as? Errno {
      case .noSuchFileOrDirectory?: "there is no folder '\(folder)'"
      case .permissionDenied?: "no permission to write in '\(folder.isEmpty ? "." : folder)'"
      default: "\(error)"
      }
    }

    /// Follows links, to a file that is there or is to be made; `nil` where they lead in a circle.
    private static func target(of named: String) -> String? {
      var path = named
      for _ in 0..<40 {
        let link = try? FilePath(path).stat(followTargetSymlink: false)
        guard link?.type == .symbolicLink else { return path }
        if let resolved = resolve(path) { return resolved }
        // A pipe by a name of the kernel's: there is no path to it, but it can be opened.
        if (try? FilePath(path).stat()) != nil { return path }
        guard let next = content(ofLink: path) else { return path }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        path = next.hasPrefix("/") ? next : folder + next
      }
      return nil
    }

    private static func content(ofLink path: String) -> String? {
      var text = [CChar](repeating: 0, count: Int(PATH_MAX))
      // Both live for the call alone; readlink writes no further than the count.
      let count = unsafe readlink(path, &text, text.count)
      guard count > 0 else { return nil }
      return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func resolve(_ path: String) -> String? {
      // realpath allocates its answer, which is copied and freed here.
      guard let resolved = unsafe realpath(path, nil) else { return nil }
      // As above: freed once, after the copy.
      defer { unsafe free(resolved) }
      // As above: a C string of its own, ended by zero.
      return unsafe String(validatingCString: resolved)
    }
  }
}

extension FileWriter.Opened {
  /// An open descriptor by one of its names; `nil` for every other path. Opened by that name, a
  /// file behind it would be replaced, or written from its beginning, under the feet of those who
  /// write to it.
  static func descriptor(named path: String) throws(FileWriterError) -> Self? {
    var number: Int32?
    switch path {
    case "-", "/dev/stdout": return .standardOutput
    case "/dev/stderr": number = 2
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        number = Int32(path.dropFirst(folder.count))
      }
    }
    guard let number else { return nil }
    do {
      return Self(
        target: path, descriptor: try FileDescriptor(rawValue: number).duplicate(), temporary: nil,
        isOurs: true)
    } catch { throw FileWriterError(.cannotCreate, file: path, reason: "\(error)") }
  }
}
