// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import SystemPackage

/// Accelerations on disk, in a folder of their own: some days of them, the oldest leaving as new
/// ones come.
///
/// A `SampleWriter` writes, one at a time; any number of programs read meanwhile. Folder and files
/// belong to their user alone: how a person moves is private. docs/sensor-recorder.md has the
/// format.
public struct SampleStore: Hashable, Sendable {
  /// The folder of the store.
  public let folder: String

  /// The store in `folder`, which need not exist before something is written.
  public init(folder: String) { self.folder = folder }

  /// A summary of the store's contents.
  public struct Summary: Equatable, Sendable {
    public var segments = 0
    public var blocks = 0
    public var samples = 0
    public var bytes = 0
    /// Bytes that belong to no whole block, and are stepped over.
    public var damaged = 0
    /// Samples known to be lost between those that are there.
    public var lost: UInt64 = 0

    public init() {}
  }

  /// Reads all of it. Throws where the folder cannot be read.
  public func summary() throws(HistoryError) -> Summary {
    var summary = Summary()
    for segment in try segments() {
      guard let bytes = segment.read() else { continue }
      summary.segments += 1
      summary.bytes += bytes.count
      var walk = BlockWalk(bytes)
      while let block = walk.next() {
        summary.blocks += 1
        summary.samples += block.samples.count
        summary.lost += UInt64(block.lost)
      }
      summary.damaged += walk.damaged
    }
    return summary
  }

  /// The segments in the order of recording; none where there is no folder.
  func segments() throws(HistoryError) -> [Segment] {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      if (error as? CocoaError)?.code == .fileReadNoSuchFile { return [] }
      // The string lives for the call alone.
      if unsafe access(folder, R_OK | X_OK) == 0 {
        throw HistoryError(.failed, path: folder, reason: "cannot be read as a folder")
      }
      throw .last(path: folder)
    }
    return names.compactMap { Segment(in: folder, name: $0) }.sorted { $0.first < $1.first }
  }
}
