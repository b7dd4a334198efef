// SPDX-License-Identifier: Apache-2.0
internal import History
package import Recognition

/// A hub's settings for counting movement; tests set others than the usual.
package struct MovementSetting: Sendable {
  /// The folder of all history; `nil`: that of the user.
  package var folder: String?
  package var clocks = HostClocks.system
  /// The time between two entries of the history, and two looks at the counter.
  package var interval = TimeSpan.seconds(1)
  /// Makes the recogniser of movement in the samples of a source.
  package var recognition: @Sendable (any MotionSource) -> any MovementRecognition = { source in
    MovementEstimator(
      channels: source.channels, hasStepCounter: source.stepCounter != nil,
      params: MovementEstimator.Params(source.pedometer))
  }

  package init() {}
}

extension MovementEstimator.Params {
  /// Creates the parameters of the person who carries a board.
  package init(_ settings: PedometerSettings) {
    self.init(height: settings.height)
    walking.length.scale = settings.distanceScale
  }
}

extension MotionHub {
  /// The store of this hub's steps and activities: `movement` in the user's history folder
  /// (`HistoryPlace.folder()`); simulated or replayed movement lies apart, as in `sampleStore`.
  /// Throws where there is no place, and in a program that was built without the trait `History`.
  public var movementStore: MovementStore {
    get throws(HistoryError) {
      try Self.movementStore(in: try HistoryPlace.folder(), isMadeUp: isMadeUp)
    }
  }

  package static func movementStore(
    in folder: String, isMadeUp: Bool
  ) throws(HistoryError) -> MovementStore {
    let store = MovementStore(folder: folder + (isMadeUp ? "/movement-simulated" : "/movement"))
    try store.checkSupport()
    return store
  }
}
