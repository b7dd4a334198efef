// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem
public import SystemPackage

extension OwnedDescriptor {
  /// Opens `path` with open(2). Throws the errno of open(2).
  public init(
    opening path: String, as kind: DeviceKind, _ mode: FileDescriptor.AccessMode = .readWrite,
    _ options: FileDescriptor.OpenOptions = []
  ) throws(OpenError) {
    do {
      self.init(
        owning: try FileDescriptor.open(
          FilePath(path), mode, options: options.union(.closeOnExec)))
    } catch {
      throw OpenError(kind, path, errno: (error as? Errno)?.rawValue ?? Errno.ioError.rawValue)
    }
  }
}
