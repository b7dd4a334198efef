// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Steps, distance, floors and activities of some days, on disk in their own folder. The oldest
/// data is deleted as new data is added.
///
/// One `MovementWriter` can write, and any number of programs can query the store meanwhile. Only
/// their owner can read and write the folder and the files, because a person's motion is private.
/// docs/movement.md describes the format.
public struct MovementStore: Sendable {
  /// A summary of what the store contains.
  public struct Summary: Equatable, Sendable {
    /// The size in bytes of the database and SQLite's additional files.
    public var bytes = 0
    /// The number of database rows: seconds of walking, changes of activity, pauses and
    /// resumptions.
    public var rows = 0
    /// The start of the stored counts; `nil` if there are no counts.
    public var begin: Date?
    /// The end of the stored counts; `nil` if there are no counts.
    public var end: Date?

    public init() {}
  }

  /// The folder of the store.
  public let folder: String

  /// The clocks of the machine, which date what is stored.
  let clocks: HostClocks

  /// Creates the store in `folder`, which need not exist before the first write. Tests replace
  /// `clocks`.
  public init(folder: String, clocks: HostClocks = .system) {
    self.folder = folder
    self.clocks = clocks
  }

  /// The path of the database. SQLite has two further files with the suffixes `-wal` and `-shm`.
  package var path: String { folder + "/movement.sqlite" }
}
