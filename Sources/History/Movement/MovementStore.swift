// SPDX-License-Identifier: Apache-2.0

/// Steps, distance, floors and activities on disk, in a folder of their own: some days of them, the
/// oldest leaving as new ones come.
///
/// A `MovementWriter` writes, one at a time; any number of programs read meanwhile, each with a
/// `MovementReader`. Folder and files belong to their user alone: how a person moves is private.
/// docs/history.md has the format.
public struct MovementStore: Hashable, Sendable {
  /// The folder of the store.
  public let folder: String

  /// The store in `folder`, which need not exist before something is written.
  public init(folder: String) { self.folder = folder }

  /// The database. SQLite keeps two files beside it, by the same name with `-wal` and `-shm`
  /// behind.
  package var path: String { folder + "/movement.sqlite" }
}
