// SPDX-License-Identifier: Apache-2.0
internal import History

extension MotionHub {
  /// The store of this hub's recorded accelerations: `acceleration` in the user's history folder
  /// (`HistoryPlace.folder()`). Samples of a simulation, a script or a played recording go into a
  /// folder beside it, apart from a person's real motion. Throws where there is no place.
  public var sampleStore: SampleStore {
    get throws(HistoryError) {
      let folder = try HistoryPlace.folder()
      return Self.store(in: folder, isMadeUp: isMadeUp)
    }
  }

  package static func store(in folder: String, isMadeUp: Bool) -> SampleStore {
    SampleStore(folder: folder + (isMadeUp ? "/acceleration-simulated" : "/acceleration"))
  }

  /// True where samples come from elsewhere than a board's chips.
  package var isMadeUp: Bool { source?.isMadeUp ?? false }
}
