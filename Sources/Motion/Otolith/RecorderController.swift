// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Logging
internal import Synchronization

/// The implementation of `CMSensorRecorder`. It holds the hub, the store, and the only writer of
/// the process for that store.
package struct RecorderController: Sendable {
  private let hub: MotionHub
  /// The folder of the store; `nil` selects the user's history folder.
  private let folder: String?

  /// The writers by folder. They are never released, because recording continues after the last
  /// recorder has been released, as on Apple's systems.
  private static let writers = Mutex<[String: AccelerationRecording]>([:])

  package init(_ hub: MotionHub, folder: String?) {
    self.hub = hub
    self.folder = folder
  }

  private var root: String? { folder ?? (try? HistoryPlace.folder()) }

  /// The reason why no folder can be used, as a message for users.
  private var complaint: String {
    do throws(HistoryError) { return try HistoryPlace.folder() } catch { return error.description }
  }

  package var store: SampleStore? {
    root.map { MotionHub.store(in: $0, isMadeUp: hub.isMadeUp) }
  }

  /// Tests whether the board can be opened. The authorization status depends on the result.
  package func askAccess() { try? hub.tryOpening() }

  package var isAvailable: Bool {
    guard let store else { return false }
    return (hub.presentChannels ?? []).contains(.acceleration)
      && HistoryPlace.isWritable(store.folder)
  }

  /// Continues a request of an earlier process. If there is no request, the board is not searched
  /// for, so that the program can still choose another board.
  package func resume() {
    guard let root,
      [false, true].contains(where: { MotionHub.store(in: root, isMadeUp: $0).request() != nil }),
      let store, store.request() != nil
    else { return }
    follow(store)
  }

  package func record(for seconds: Double) {
    guard seconds > 0 else { return }
    guard let store else {
      logger.warning("acceleration is not recorded: \(complaint)")
      return
    }
    guard (hub.source?.channels ?? []).contains(.acceleration) else {
      logger.warning("acceleration is not recorded: the board has no accelerometer")
      return
    }
    do throws(HistoryError) {
      try store.extendRequest(by: TimeSpan(seconds: seconds))
      follow(store)
    } catch { logger.warning("acceleration is not recorded: \(error)") }
  }

  private func follow(_ store: SampleStore) {
    Self.writers.withLock { writers in
      if let writer = writers[store.folder] { return writer.checkRequest() }
      do throws(RecorderError) {
        writers[store.folder] = try AccelerationRecording(requestedOf: hub, store)
      } catch { logger.warning("acceleration is not recorded: \(error)") }
    }
  }

  /// Ends this process's writing into `folder`, as if the process had ended. For tests.
  package static func leave(_ folder: String) {
    let left = writers.withLock { writers in
      [false, true].compactMap {
        writers.removeValue(forKey: MotionHub.store(in: folder, isMadeUp: $0).folder)
      }
    }
    for writer in left { writer.stop() }
  }
}

private let logger = Logger(label: "otolith.recorder")
