// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Foundation
import Fusion
import Otolith
import Recordings
import Runtime

/// Corrections of a recording's motions that use later samples. The recording is read a second
/// time, ahead of the motions, so that neither rows nor motions need to be stored.
struct RecordingLookahead {
  private var reader: RecordingSet
  private var smoother: EpochSmoother
  private var corrections: [EpochCorrection] = []
  private var next = 0
  private var isOver = false

  init(_ reader: RecordingSet, _ smoother: EpochSmoother) {
    self.reader = reader
    self.smoother = smoother
  }

  /// Returns `motion` corrected with later samples, and the covariance of its attitude in the frame
  /// of `attitude6`. The covariance is `nil` if there are no later samples. Call this function in
  /// the order of the motions.
  mutating func corrected(
    _ motion: MotionSample
  ) throws(RecordingError) -> (motion: MotionSample, covariance: Matrix3?) {
    while true {
      while next < corrections.count, corrections[next].end <= motion.timestamp { next += 1 }
      if next < corrections.count {
        let smoothed = corrections[next].smoothed(at: motion.timestamp)
        return (motion.corrected(by: smoothed), smoothed.covariance)
      }
      // After the last correction block, return the motions of the last 0.1 s unchanged.
      if isOver { return (motion, nil) }
      corrections.removeAll(keepingCapacity: true)
      next = 0
      try readOn()
    }
  }

  private mutating func readOn() throws(RecordingError) {
    while corrections.isEmpty {
      guard var sample = try reader.next() else {
        smoother.finish(into: &corrections)
        isOver = true
        return
      }
      sample.timestamp = sample.timestamp + reader.shift
      _ = smoother.update(sample, into: &corrections)
    }
  }
}

/// Input files that can be read several times. Pipes are first copied to a temporary file.
final class RereadableFiles {
  private(set) var paths: [String] = []
  private var copies: [String] = []

  init(_ recordings: [String]) throws {
    for path in recordings { paths.append(Self.isPipe(path) ? try copy(path) : path) }
  }

  deinit { for path in copies { try? FileManager.default.removeItem(atPath: path) } }

  private static func isPipe(_ path: String) -> Bool {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else {
      // The link to a pipe, such as `pipe:[1234]`, does not resolve to a path.
      return path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
    }
    let type = attributes[.type] as? FileAttributeType
    return type != .typeRegular && type != .typeDirectory
  }

  private func copy(_ path: String) throws -> String {
    guard let input = FileHandle(forReadingAtPath: path) else { return path }
    // Use TMPDIR or /var/tmp, because /tmp may be in memory.
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"
    let copy = "\(folder)/otolith-replay-\(UUID().uuidString)"
    let made = FileManager.default.createFile(
      atPath: copy, contents: nil, attributes: [.posixPermissions: 0o600])
    guard made, let output = FileHandle(forWritingAtPath: copy) else {
      throw Failure("\(folder): no copy of \(path) can be made; set TMPDIR", Failure.inputOutput)
    }
    copies.append(copy)
    do {
      var isChecked = false
      while let part = try input.read(upToCount: 1 << 18), !part.isEmpty {
        try output.write(contentsOf: part)
        // Check the kind of file early, because copying an endless device would fill the disk.
        if !isChecked, try output.offset() >= RecordingReader.beginning {
          isChecked = true
          try RecordingReader.checkKind(path: copy, name: path)
        }
      }
      try output.close()
    } catch let error as RecordingError {
      throw error
    } catch {
      throw Failure(
        "\(copy): no copy of \(path) can be made: the disk is full; set TMPDIR", Failure.inputOutput
      )
    }
    return copy
  }
}
