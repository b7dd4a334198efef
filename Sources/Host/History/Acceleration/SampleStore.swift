// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import SystemPackage

/// Accelerations of some days, on disk in their own folder. The oldest samples are deleted as new
/// samples are added.
///
/// One `SampleWriter` can write, and any number of programs can read at the same time. Only their
/// owner can read and write the folder and the files, because a person's motion is private.
/// docs/movement.md describes the format.
public struct SampleStore: Hashable, Sendable {
  /// The folder of the store.
  public let folder: String

  /// Creates the store in `folder`, which need not exist before the first write.
  public init(folder: String) { self.folder = folder }

  /// A summary of what the store contains.
  public struct Summary: Equatable, Sendable {
    public var segments = 0
    public var blocks = 0
    public var samples = 0
    public var bytes = 0
    /// The number of bytes of the store outside valid blocks, which readers skip.
    public var damaged = 0
    /// The number of samples that are known to be lost between the stored samples.
    public var lost: UInt64 = 0

    public init() {}
  }

  /// Reads the whole store and returns a summary. Throws if the folder cannot be read.
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

  /// Returns the segments in the order of recording; an empty list if there is no folder.
  func segments() throws(HistoryError) -> [Segment] {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      if (error as? CocoaError)?.code == .fileReadNoSuchFile { return [] }
      // The C function does not keep the string's pointer.
      if unsafe access(folder, R_OK | X_OK) == 0 {
        throw HistoryError(.failed, path: folder, reason: "cannot be read as a folder")
      }
      throw .last(path: folder)
    }
    return names.compactMap { Segment(in: folder, name: $0) }.sorted { $0.first < $1.first }
  }
}
