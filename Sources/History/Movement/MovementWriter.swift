// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import SystemPackage

/// The one who writes into a store. Another writer of the same folder, in this process or another one, is refused until
/// this one has gone; readers are not.
public struct MovementWriter: ~Copyable, Sendable {
  public let store: MovementStore
  /// How long movement is kept.
  public let retention: TimeSpan
  /// Where a database that could not be read any more was put aside, the newest last. Counting goes on in a new one.
  public private(set) var damaged: [String] = []
  private let clocks: HostClocks
  private let lock: FileDescriptor

  /// Opens the store for writing: makes its folder and migrates the database. Throws `.inUse` where somebody else writes.
  public init(
    _ store: MovementStore, clocks: HostClocks = .system,
    keeping retention: TimeSpan = .seconds(7 * 86_400)
  ) throws(HistoryError) {
    try HistoryPlace.make(store.folder)
    lock = try WriterLock.take(in: store.folder)
    self.store = store
    self.retention = retention
    self.clocks = clocks
  }

  deinit { try? lock.close() }

  /// Writes what was counted, and returns when it is on the disk. Entries come in order. Where this throws, nothing of
  /// `entry` is kept, and the next call may succeed with the same one.
  public mutating func append(_ entry: MovementEntry) throws(HistoryError) {}

  /// Counting ends: what the bearer does from here is unknown. Nothing is appended afterwards.
  public mutating func close() throws(HistoryError) {}
}
