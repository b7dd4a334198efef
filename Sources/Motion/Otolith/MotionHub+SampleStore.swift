// SPDX-License-Identifier: Apache-2.0
internal import History

extension MotionHub {
  /// The store for this hub's recorded accelerations: `acceleration` in the user's history folder
  /// (`HistoryPlace.folder()`). Samples from a simulation, a script or a played recording are
  /// stored in a folder next to it, separate from a person's real motion. Throws without a usable
  /// folder.
  public var sampleStore: SampleStore {
    get throws(HistoryError) {
      let folder = try HistoryPlace.folder()
      return Self.store(in: folder, isMadeUp: isMadeUp)
    }
  }

  package static func store(in folder: String, isMadeUp: Bool) -> SampleStore {
    SampleStore(folder: folder + (isMadeUp ? "/acceleration-simulated" : "/acceleration"))
  }

  /// True if samples do not come from a board's chips.
  package var isMadeUp: Bool { source?.isMadeUp ?? false }
}
