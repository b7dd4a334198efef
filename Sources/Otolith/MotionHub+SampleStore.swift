// SPDX-License-Identifier: Apache-2.0

extension MotionHub {
  /// Where accelerations of this hub's board are recorded: `acceleration` in the user's history folder
  /// (`HistoryPlace.folder()`). What a simulation or a script makes up, and what is played back, goes into a folder beside it, so that it never stands among how
  /// a person moved. Throws where there is no place.
  public var sampleStore: SampleStore {
    get throws(HistoryError) {
      let folder = try HistoryPlace.folder()
      return Self.store(in: folder, isMadeUp: isMadeUp)
    }
  }

  package static func store(in folder: String, isMadeUp: Bool) -> SampleStore {
    SampleStore(folder: folder + (isMadeUp ? "/acceleration-simulated" : "/acceleration"))
  }

  /// Whether samples come from elsewhere than a board's chips.
  package var isMadeUp: Bool { source?.isMadeUp ?? false }
}
