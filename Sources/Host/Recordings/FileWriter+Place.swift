// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

extension FileWriter {
  /// The destination of bytes.
  struct Opened {
    /// The final name of the file.
    let target: String
    let descriptor: FileDescriptor
    /// The file that will replace the target; `nil` if bytes are written directly.
    let temporary: Temporary?
    /// False for standard output, which belongs to the process and stays open.
    let isOurs: Bool

    static let standardOutput = Opened(
      target: "standard output", descriptor: .standardOutput, temporary: nil, isOurs: false)
  }

  /// A file that will replace the target.
  enum Temporary {
    /// An unnamed file in the folder, which is deleted with its last descriptor (open(2),
    /// O_TMPFILE).
    case unnamed(folder: String)
    case named(String)

    /// Opens one in `folder`, unnamed if the file system supports that.
    static func open(
      in folder: String, _ permissions: FilePermissions
    ) throws(Errno) -> (Self, FileDescriptor) {
      // O_TMPFILE on all of Swift's platforms (asm-generic/fcntl.h); Swift does not import it.
      let flag = FileDescriptor.OpenOptions(rawValue: 0o20000000 | O_DIRECTORY)
      if let descriptor = try? FileDescriptor.open(
        FilePath(folder.isEmpty ? "." : folder), .writeOnly, options: [flag, .closeOnExec],
        permissions: permissions)
      {
        // The string is used only during the call; without /proc the file cannot be given a name.
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

    /// Gives the file of `opened` a name and returns it; `nil` if it already has the target's name.
    func name(for opened: Opened) throws(Errno) -> String? {
      guard case .unnamed(let folder) = self else {
        if case .named(let name) = self { return name }
        return nil
      }
      let own = Self.kernelName(of: opened.descriptor)
      func link(_ name: String) throws(Errno) {
        // The strings are used only during the call.
        if unsafe linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 {
          throw Errno(rawValue: errno)
        }
      }
      // A new file appears atomically; no temporary file is left next to it.
      do throws(Errno) {
        try link(opened.target)
        return nil
      } catch { guard error == .fileExists else { throw error } }
      return try Self.free(in: folder, link)
    }

    /// Calls `make` with new names until it does not throw `fileExists`.
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

  /// The path of the file to write, and what exists there now.
  struct Place {
    let path: String
    /// The path as given by the user.
    private let named: String
    /// The folder of the file with its slash; empty for the current one.
    let folder: String
    /// False for pipes and devices.
    let isOrdinary: Bool
    /// The file that is replaced; `nil` if there is none.
    private let old: Stat?

    init(_ named: String, _ followsLinks: Bool) throws(FileWriterError) {
      let link = try? FilePath(named).stat(followTargetSymlink: false)
      if !followsLinks, link?.type == .symbolicLink {
        throw FileWriterError(.cannotCreate, file: named, reason: "it is a link")
      }
      // Follow a link: its target is replaced or created.
      guard let path = Self.target(of: named) else {
        throw FileWriterError(.cannotCreate, file: named, reason: "its symbolic links form a loop")
      }
      let status = try? FilePath(path).stat()
      if status?.type == .directory {
        throw FileWriterError(.cannotCreate, file: named, reason: "it is a directory")
      }
      // Do not replace a file without write permission, although its folder permits it.
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

    /// Opens it with the permissions `wanted`; `nil` means those of the replaced file, or the
    /// default with the umask.
    func open(_ wanted: UInt16? = nil) throws(FileWriterError) -> Opened {
      do {
        guard isOrdinary else {
          // Do not make a terminal the controlling terminal of the process.
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
      // Create it with the final permissions: a process that opens it while it is empty can read
      // everything written later.
      let first = FilePermissions(rawValue: (permissions?.rawValue ?? 0o666) & 0o777)
      let (temporary, descriptor) = try Temporary.open(in: folder, first)
      do throws(Errno) {
        try settle(descriptor, permissions == nil ? nil : first)
      } catch {
        try? descriptor.close()
        // The string is used only during the call.
        if case .named(let name) = temporary { unsafe unlink(name) }
        throw error
      }
      return Opened(target: path, descriptor: descriptor, temporary: temporary, isOurs: true)
    }

    /// Sets the new file's permissions regardless of the umask, and its owner to the old one's: if
    /// root replaces a user's file, it still belongs to that user.
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

    /// Resolves links to the file, which need not exist; `nil` if they form a loop.
    private static func target(of named: String) -> String? {
      var path = named
      for _ in 0..<40 {
        let link = try? FilePath(path).stat(followTargetSymlink: false)
        guard link?.type == .symbolicLink else { return path }
        if let resolved = resolve(path) { return resolved }
        // The kernel's name for a pipe: it has no path, but can be opened.
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
      // Both are used only during the call; readlink writes at most the count.
      let count = unsafe readlink(path, &text, text.count)
      guard count > 0 else { return nil }
      return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func resolve(_ path: String) -> String? {
      // realpath allocates its answer, which is copied and freed here.
      guard let resolved = unsafe realpath(path, nil) else { return nil }
      // As above: freed once, after the copy.
      defer { unsafe free(resolved) }
      // As above: a separate zero-terminated C string.
      return unsafe String(validatingCString: resolved)
    }
  }
}

extension FileWriter.Opened {
  /// The open descriptor named by a path such as /dev/fd/3; `nil` for other paths. Opening such a
  /// name again would replace the file, or overwrite it from the beginning, while other processes
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
