// SPDX-License-Identifier: Apache-2.0
internal import History

extension MotionHub {
  /// The store for accelerations recorded from this hub: `acceleration` in the user's history
  /// folder (`HistoryPlace.folder()`). Samples from a simulation, a script or a recording are
  /// stored in a folder next to it, separate from real motion. Throws if there is no usable folder.
  public var sampleStore: SampleStore {
    get throws(HistoryError) {
      let folder = try HistoryPlace.folder()
      return Self.store(in: folder, isMadeUp: isMadeUp)
    }
  }

  package static func store(in folder: String, isMadeUp: Bool) -> SampleStore {
    SampleStore(folder: folder + (isMadeUp ? "/acceleration-simulated" : "/acceleration"))
  }

  /// True if the samples do not come from a board's chips.
  package var isMadeUp: Bool { source?.isMadeUp ?? false }
}
