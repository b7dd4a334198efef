// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

extension FileWriter {
  /// A file or stream that is open for writing.
  struct Opened {
    /// The final path of the file.
    let target: String
    let descriptor: FileDescriptor
    /// The file that will replace the target; `nil` if bytes are written to the target directly.
    let temporary: Temporary?
    /// False for standard output, which the process shares and which stays open.
    let isOurs: Bool

    static let standardOutput = Opened(
      target: "standard output", descriptor: .standardOutput, temporary: nil, isOurs: false)
  }

  /// A temporary file that will replace the target file.
  enum Temporary {
    /// A file without a name in the folder. The file is deleted when its last descriptor is closed
    /// (open(2), O_TMPFILE).
    case unnamed(folder: String)
    case named(String)

    /// Opens a temporary file in `folder`, without a name if the file system supports that.
    static func open(
      in folder: String, _ permissions: FilePermissions
    ) throws(Errno) -> (Self, FileDescriptor) {
      // This flag has the value of O_TMPFILE on all of Swift's platforms (asm-generic/fcntl.h),
      // which Swift does not import.
      let flag = FileDescriptor.OpenOptions(rawValue: 0o20000000 | O_DIRECTORY)
      if let descriptor = try? FileDescriptor.open(
        FilePath(folder.isEmpty ? "." : folder), .writeOnly, options: [flag, .closeOnExec],
        permissions: permissions)
      {
        // access(2) does not keep the string's pointer. Without /proc the file cannot be given a
        // name later.
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

    /// Gives the file of `opened` a name and returns it; `nil` if the file already has the target's
    /// name.
    func name(for opened: Opened) throws(Errno) -> String? {
      guard case .unnamed(let folder) = self else {
        if case .named(let name) = self { return name }
        return nil
      }
      let own = Self.kernelName(of: opened.descriptor)
      func link(_ name: String) throws(Errno) {
        // The C function does not keep the strings' pointers.
        if unsafe linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 {
          throw Errno(rawValue: errno)
        }
      }
      // A new file appears atomically, without a temporary file next to it.
      do throws(Errno) {
        try link(opened.target)
        return nil
      } catch { guard error == .fileExists else { throw error } }
      return try Self.free(in: folder, link)
    }

    /// Calls `make` with new file names until it does not throw `fileExists`.
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
    /// The path of the target file as the user gave it.
    private let named: String
    /// The folder of the target file with a slash at its end; empty for the current folder.
    let folder: String
    /// True for a regular file, false for pipes and devices.
    let isOrdinary: Bool
    /// The attributes of the file that will be replaced; `nil` for a new file.
    private let old: Stat?

    init(_ named: String, _ followsLinks: Bool) throws(FileWriterError) {
      let link = try? FilePath(named).stat(followTargetSymlink: false)
      if !followsLinks, link?.type == .symbolicLink {
        throw FileWriterError(.cannotCreate, file: named, reason: "it is a link")
      }
      // A link at the path is followed: its target is replaced or created.
      guard let path = Self.target(of: named) else {
        throw FileWriterError(.cannotCreate, file: named, reason: "its symbolic links form a loop")
      }
      let status = try? FilePath(path).stat()
      if status?.type == .directory {
        throw FileWriterError(.cannotCreate, file: named, reason: "it is a directory")
      }
      // A file without write permission is not replaced, although the permissions of its folder
      // would allow that.
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

    /// Opens the file with the permissions `wanted`. `nil` means the permissions of the replaced
    /// file, or the default permissions reduced by the umask.
    func open(_ wanted: UInt16? = nil) throws(FileWriterError) -> Opened {
      do {
        guard isOrdinary else {
          // O_NOCTTY prevents a terminal from becoming the controlling terminal of the process.
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
      // The file is created with its final permissions, because a process that opens it while it is
      // empty could read everything that is written later.
      let first = FilePermissions(rawValue: (permissions?.rawValue ?? 0o666) & 0o777)
      let (temporary, descriptor) = try Temporary.open(in: folder, first)
      do throws(Errno) {
        try setAttributes(descriptor, permissions == nil ? nil : first)
      } catch {
        try? descriptor.close()
        // The C function does not keep the string's pointer.
        if case .named(let name) = temporary { unsafe unlink(name) }
        throw error
      }
      return Opened(target: path, descriptor: descriptor, temporary: temporary, isOurs: true)
    }

    /// Sets the permissions of the new file, whatever the umask is, and gives the new file the
    /// owner of the old file. If root replaces a user's file, the file therefore still belongs to
    /// that user.
    private func setAttributes(
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

    /// Follows the links at the target's path. Returns the final path, which need not exist; `nil`
    /// if the links form a loop.
    private static func target(of named: String) -> String? {
      var path = named
      for _ in 0..<40 {
        let link = try? FilePath(path).stat(followTargetSymlink: false)
        guard link?.type == .symbolicLink else { return path }
        if let resolved = resolve(path) { return resolved }
        // The name is the kernel's name of a pipe, which has no path but can be opened.
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
      // readlink(2) keeps neither pointer, and writes at most the given number of bytes.
      let count = unsafe readlink(path, &text, text.count)
      guard count > 0 else { return nil }
      return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func resolve(_ path: String) -> String? {
      // realpath allocates its result, which is copied and freed here.
      guard let resolved = unsafe realpath(path, nil) else { return nil }
      // The result of realpath is freed once, after it was copied.
      defer { unsafe free(resolved) }
      // The result of realpath is a separate C string that ends with a zero byte.
      return unsafe String(validatingCString: resolved)
    }
  }
}

extension FileWriter.Opened {
  /// Returns the open descriptor that a path such as /dev/fd/3 names; `nil` for other paths.
  /// Opening such a path again would replace the file, or overwrite it from the beginning while
  /// other processes write to it.
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
