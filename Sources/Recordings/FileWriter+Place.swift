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
    let temporary: String?
    /// False for standard output, which belongs to the process and stays open.
    let isOurs: Bool

    static let standardOutput = Opened(
      target: "standard output", descriptor: .standardOutput, temporary: nil, isOurs: false)
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
    /// Those of the file that is replaced, else the usual ones less the umask.
    let permissions: FilePermissions

    init(_ named: String) throws(FileWriterError) {
      var path = named
      let link = try? FilePath(named).stat(followTargetSymlink: false)
      // A link stays a link: the file that it leads to is replaced.
      if link?.type == .symbolicLink, let resolved = Self.resolve(named) { path = resolved }
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
      permissions = status?.permissions ?? FilePermissions(rawValue: 0o666)
    }

    func open(_ wanted: UInt16? = nil) throws(FileWriterError) -> Opened {
      do {
        if isOrdinary {
          let opened = try openTemporary()
          if let wanted, fchmod(opened.descriptor.rawValue, mode_t(wanted)) != 0 {
            let error = Errno(rawValue: errno)
            try? opened.descriptor.close()
            // The string lives for the call alone.
            if let temporary = opened.temporary { unsafe unlink(temporary) }
            throw error
          }
          return opened
        }
        let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly)
        return Opened(target: path, descriptor: descriptor, temporary: nil, isOurs: true)
      } catch {
        throw FileWriterError(.cannotCreate, file: named, reason: reason(error))
      }
    }

    private func openTemporary() throws -> Opened {
      var attempt = 0
      while true {
        let name = "\(folder).otolith-\(getpid())-\(attempt).part"
        do {
          let descriptor = try FileDescriptor.open(
            FilePath(name), .writeOnly, options: [.create, .exclusiveCreate],
            permissions: permissions)
          return Opened(target: path, descriptor: descriptor, temporary: name, isOurs: true)
        } catch Errno.fileExists where attempt < 1000 {
          attempt += 1
        }
      }
    }

    private func reason(_ error: any Error) -> String {
      switch error as? Errno {
      case .noSuchFileOrDirectory?: "there is no folder '\(folder)'"
      case .permissionDenied?: "no permission to write in '\(folder.isEmpty ? "." : folder)'"
      default: "\(error)"
      }
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
