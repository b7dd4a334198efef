// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
public import Quantities
internal import SystemPackage

/// A request to record until a given time. The request is stored in the folder of the store, so
/// that the next process continues it.
public struct RecordingRequest: Equatable, Sendable {
  /// The longest duration of a recording request, 12 hours.
  public static let longest = TimeSpan.seconds(12 * 3600)

  /// The end of the recording on the wall clock, in nanoseconds since 1970.
  var wall: Int64
  /// The end of the recording as uptime, including sleep. This uptime is valid within this boot.
  var uptime: Timestamp
  var boot: BootIdentifier

  init(_ span: TimeSpan, _ clocks: HostClocks) {
    let now = clocks.now()
    let span = min(max(span, .zero), Self.longest)
    wall = (Timestamp(nanoseconds: now.wall) + span).nanoseconds
    uptime = now.uptime + span
    boot = clocks.boot
  }

  /// Returns the remaining time, 0 to 12 hours. Within the boot of the request this time does not
  /// change when the clock is set. After a restart of the machine the wall clock decides.
  public func remaining(_ clocks: HostClocks = .system) -> TimeSpan {
    let now = clocks.now()
    let left =
      boot == clocks.boot
      ? uptime - now.uptime : Timestamp(nanoseconds: wall) - Timestamp(nanoseconds: now.wall)
    return min(max(left, .zero), Self.longest)
  }
}

extension SampleStore {
  private var requestPath: String { folder + "/request" }

  /// Returns the active request; `nil` if there is no request or the request has expired.
  public func request(_ clocks: HostClocks = .system) -> RecordingRequest? {
    guard
      let text = try? String(contentsOfFile: requestPath, encoding: .utf8),
      let request = RecordingRequest(text: text), request.remaining(clocks) > .zero
    else { return nil }
    return request
  }

  /// Requests recording for `span` from now, at most 12 hours. An earlier request that ends later
  /// stays in force. Throws if the request cannot be stored.
  public func extendRequest(by span: TimeSpan, clocks: HostClocks = .system)
    throws(HistoryError)
  {
    try HistoryPlace.make(folder)
    try exclusively { () throws(HistoryError) in
      let new = RecordingRequest(span, clocks)
      if let old = request(clocks), old.remaining(clocks) > new.remaining(clocks) {
        // After a restart of the machine the end is stored again, relative to the new boot.
        if old.boot != clocks.boot { try keep(RecordingRequest(old.remaining(clocks), clocks)) }
      } else {
        try keep(new)
      }
    }
  }

  /// Cancels the request.
  public func endRequest() throws(HistoryError) {
    // The C function does not keep the string's pointer.
    if unsafe unlink(requestPath) != 0, errno != ENOENT { throw .last(path: requestPath) }
  }

  /// Runs `body` in one process at a time, by flock(2) on the store's folder.
  private func exclusively(_ body: () throws(HistoryError) -> Void) throws(HistoryError) {
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(FilePath(folder), .readOnly, options: .closeOnExec)
    } catch { throw HistoryError(error, path: folder) }
    defer { try? file.close() }
    guard flock(file.rawValue, LOCK_EX) == 0 else { throw .last(path: folder) }
    try body()
  }

  /// Stores the recording request atomically, even if the power fails.
  private func keep(_ request: RecordingRequest) throws(HistoryError) {
    let temporary = requestPath + ".part"
    do {
      // A partial file of another process, or a link, is removed, because nothing must be written
      // to it.
      unsafe unlink(temporary)  // the C function keeps no pointer
      let file = try StateFile.open(temporary, .writeOnly, options: .exclusiveCreate)
      defer { try? file.close() }
      try file.writeAll(request.text.utf8)
      guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      // The C function does not keep the strings' pointers.
      guard unsafe rename(temporary, requestPath) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      unsafe unlink(temporary)  // the C function keeps no pointer
      throw HistoryError(error, path: requestPath)
    }
  }
}

extension RecordingRequest {
  /// The recording request as one line of text that people can read.
  var text: String {
    "otolith-request 1 wall \(wall) uptime \(uptime.nanoseconds) boot \(boot.high) \(boot.low)\n"
  }

  init?(text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 9, words[0] == "otolith-request", words[1] == "1",
      let wall = Int64(words[3]), wall.magnitude <= HostClocks.furthest.magnitude,
      let uptime = Int64(words[5]),
      let high = UInt64(words[7]),
      let low = UInt64(words[8])
    else { return nil }
    self.wall = wall
    self.uptime = Timestamp(nanoseconds: uptime)
    boot = BootIdentifier(high: high, low: low)
  }
}
