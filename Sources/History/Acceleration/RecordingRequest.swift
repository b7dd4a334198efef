// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
public import Quantities
internal import SystemPackage

/// A request that a store be written until a given time, kept beside it so that the next process
/// goes on.
public struct RecordingRequest: Equatable, Sendable {
  /// The most that may be asked for at once, 12 hours.
  public static let longest = TimeSpan.seconds(12 * 3600)

  /// The end by the wall clock, nanoseconds since 1970.
  var wall: Int64
  /// The end in time since the start of the machine, asleep or not; it holds within that run.
  var uptime: Timestamp
  var boot: BootIdentifier

  init(_ span: TimeSpan, _ clocks: HostClocks) {
    let now = clocks.now()
    let span = min(max(span, .zero), Self.longest)
    wall = (Timestamp(nanoseconds: now.wall) + span).nanoseconds
    uptime = now.uptime + span
    boot = clocks.boot
  }

  /// Returns the time that is left, 0 to 12 hours. Within the run of the machine in which it was
  /// made, setting the clock changes nothing; after a restart the wall clock decides.
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

  /// Returns the request that holds; `nil` where there is none, or it is over.
  public func request(_ clocks: HostClocks = .system) -> RecordingRequest? {
    guard
      let text = try? String(contentsOfFile: requestPath, encoding: .utf8),
      let request = RecordingRequest(text: text), request.remaining(clocks) > .zero
    else { return nil }
    return request
  }

  /// Asks for recording for so long from now on, at most 12 hours; an earlier request that lasts
  /// longer stays. Throws where it cannot be kept.
  public func extendRequest(by span: TimeSpan, clocks: HostClocks = .system)
    throws(HistoryError)
  {
    try HistoryPlace.make(folder)
    try exclusively { () throws(HistoryError) in
      let new = RecordingRequest(span, clocks)
      if let old = request(clocks), old.remaining(clocks) > new.remaining(clocks) {
        // After a restart of the machine the end is told anew, so that its clock holds from now on.
        if old.boot != clocks.boot { try keep(RecordingRequest(old.remaining(clocks), clocks)) }
      } else {
        try keep(new)
      }
    }
  }

  /// Asks for nothing any more.
  public func endRequest() throws(HistoryError) {
    // The string lives for the call alone.
    if unsafe unlink(requestPath) != 0, errno != ENOENT { throw .last(path: requestPath) }
  }

  /// Two processes that extend at the same time do so one after the other: flock(2) on the folder
  /// itself.
  private func exclusively(_ body: () throws(HistoryError) -> Void) throws(HistoryError) {
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(FilePath(folder), .readOnly, options: .closeOnExec)
    } catch { throw HistoryError(error, path: folder) }
    defer { try? file.close() }
    guard flock(file.rawValue, LOCK_EX) == 0 else { throw .last(path: folder) }
    try body()
  }

  /// As a whole or not at all, a power cut included.
  private func keep(_ request: RecordingRequest) throws(HistoryError) {
    let temporary = requestPath + ".part"
    do {
      // One that a process left half written, or a link: neither is written into.
      unsafe unlink(temporary)  // the string lives for the call alone
      let file = try StateFile.open(temporary, .writeOnly, options: .exclusiveCreate)
      defer { try? file.close() }
      try file.writeAll(request.text.utf8)
      guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      // The strings live for the call alone, here and below.
      guard unsafe rename(temporary, requestPath) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      unsafe unlink(temporary)  // as above
      throw HistoryError(error, path: requestPath)
    }
  }
}

extension RecordingRequest {
  /// One line of words, so that a person can read the file.
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
