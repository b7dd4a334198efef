// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Steps, distance, floors and activities on disk in a separate folder, for some days; the oldest
/// are deleted as new ones are added.
///
/// A single `MovementWriter` writes; any number of programs can read meanwhile, each with a
/// `MovementReader`. Only their user has access to folder and files: a person's motion is private.
/// docs/movement.md describes the format.
public struct MovementStore: Hashable, Sendable {
  /// A summary of a store's contents.
  public struct Summary: Equatable, Sendable {
    /// The size of the database and SQLite's additional files.
    public var bytes = 0
    /// Seconds on foot, changes of activity, pauses and resumptions.
    public var rows = 0
    /// The start of the stored counts; `nil` if there are no counts.
    public var begin: Date?
    /// The end of the stored counts; `nil` if there are no counts.
    public var end: Date?

    public init() {}
  }

  /// The folder of the store.
  public let folder: String

  /// Creates the store in `folder`, which need not exist before the first write.
  public init(folder: String) { self.folder = folder }

  /// The database. SQLite has two further files with the suffixes `-wal` and `-shm`.
  package var path: String { folder + "/movement.sqlite" }
}
