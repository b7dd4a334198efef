// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One file of a spool. It stays open while it is used.
final class SpoolFile {
  /// A valid message with its number and the offset of its end.
  typealias Found = (number: Spool.Index, message: Message, end: Int)

  let name: String
  private let folder: SpoolFolder
  private let descriptor: Int32
  private(set) var size: Int

  /// Opens the file, which is created if missing. Returns `nil` if `isNew` is set and the file
  /// exists. Throws `.file` for a link, a special file, or a file that other users can access.
  init?(_ name: String, in folder: SpoolFolder, isNew: Bool = false) throws(PublishError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_EXCL : 0)
    // The system calls use the name only during the call.
    let opened = unsafe openat(folder.descriptor, name, flags, 0o600)
    let path = folder.path + "/" + name
    let refusal = PublishError.file(
      "\(path): is not a regular file that only this user can access; remove it, or name another "
        + "folder with --spool")
    guard opened >= 0 else {
      if isNew && errno == EEXIST { return nil }
      throw errno == ELOOP || errno == EISDIR || errno == ENXIO ? refusal : Self.error(path)
    }
    var status = stat()
    // `fstat` writes `status` only during the call.
    guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_nlink <= 1
    else {
      close(opened)
      throw refusal
    }
    self.name = name
    self.folder = folder
    descriptor = opened
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  static func error(_ path: String) -> PublishError {
    // `strerror` returns a string that belongs to the C library, so copy it here.
    .file("\(path): \(unsafe String(cString: strerror(errno)))")
  }

  /// Appends all of `bytes`, or nothing if an error occurs.
  func append(_ bytes: [UInt8]) throws(PublishError) {
    var done = 0
    while done < bytes.count {
      // `pwrite` uses the pointer only during the call, and reads at most `count` bytes.
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, size + done)
      }
      guard count > 0 || (count < 0 && errno == EINTR) else {
        let error = Self.error(folder.path + "/" + name)
        ftruncate(descriptor, size)
        throw error
      }
      done += max(count, 0)
    }
    size += bytes.count
  }

  /// Returns up to `count` bytes starting at `offset`.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    // The buffer is filled only within the closure, up to its capacity.
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let new = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, offset + filled)
        guard new > 0 || (new < 0 && errno == EINTR) else { return }
        filled += max(new, 0)
      }
    }
  }

  /// Returns the message at `offset`; `nil` if there is no valid message.
  private func message(at offset: Int) -> Found? {
    guard let record = SpoolRecord(header: bytes(at: offset, count: SpoolRecord.headerSize)),
      let message = record.message(
        bytes(at: offset + SpoolRecord.headerSize, count: record.size - SpoolRecord.headerSize))
    else { return nil }
    return (record.number, message, offset + record.size)
  }

  /// Returns the first valid message at or after `offset`, or `nil` at the end of the file. Also
  /// returns the smallest possible number of damaged messages before this point.
  func next(from offset: Int) -> (found: Found?, damaged: UInt64) {
    var (start, damaged) = (offset, UInt64(0))
    while start < size {
      if let found = message(at: start) { return (found, damaged) }
      if start == offset || bytes(at: start, count: 4) == SpoolRecord.marker { damaged += 1 }
      guard let marker = marker(from: start + 1) else { break }
      start = marker
    }
    return (nil, damaged)
  }

  /// Returns the first valid message at or after `offset` whose number is in `range`.
  func next(from offset: Int, in range: Range<Spool.Index>) -> Found? {
    var offset = offset
    while let found = next(from: offset).found {
      if range.contains(found.number) { return found }
      offset = found.end
    }
    return nil
  }

  private func marker(from offset: Int) -> Int? {
    var offset = offset
    let marker = SpoolRecord.marker
    while offset < size {
      let chunk = bytes(at: offset, count: min(1 << 16, size - offset))
      var place = 0
      while let first = chunk[place...].firstIndex(of: marker[0]) {
        place = first + 1
        // A marker may be split between two chunks.
        let isMarker =
          first + marker.count <= chunk.count
          ? chunk[first...].starts(with: marker)
          : bytes(at: offset + first, count: marker.count) == marker
        if isMarker { return offset + first }
      }
      guard !chunk.isEmpty else { return nil }
      offset += chunk.count
    }
    return nil
  }

  /// Returns the numbers of the valid messages, and the smallest possible number of damaged
  /// messages.
  func scan() -> (numbers: RangeSet<Spool.Index>, damaged: UInt64) {
    var (numbers, damaged) = (RangeSet<Spool.Index>(), UInt64(0))
    var (offset, following) = (0, Spool.Index(0))
    while offset < size {
      let step = next(from: offset)
      damaged += step.damaged
      guard let found = step.found else { break }
      offset = found.end
      // Messages are written in the order of their numbers, so a smaller number belongs to a copy.
      guard found.number >= following else { continue }
      following = found.number + 1
      numbers.insert(contentsOf: found.number..<following)
    }
    return (numbers, damaged)
  }

  func sync() { fdatasync(descriptor) }

  func replace(with bytes: [UInt8]) {
    // `pwrite` reads the bytes only during the call. They are less than a page, so a kill cannot
    // cut the write short.
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    size = max(size, bytes.count)
  }

  /// Returns false if another process holds the lock.
  func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  func remove() { _ = unsafe unlinkat(folder.descriptor, name, 0) }
}

extension RangeSet<Spool.Index> {
  /// The number of elements in all ranges together.
  var total: UInt64 { ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }
}
