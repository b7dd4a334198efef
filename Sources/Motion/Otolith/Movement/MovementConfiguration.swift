// SPDX-License-Identifier: Apache-2.0
internal import History
package import Recognition

/// A hub's settings for counting movement; tests change the defaults.
package struct MovementConfiguration: Sendable {
  /// The folder for all history; `nil` for the user's.
  package var folder: String?
  package var clocks = HostClocks.system
  /// The time between two entries of the history, and two polls of the counter.
  package var interval = TimeSpan.seconds(1)
  /// Makes the recogniser for movement in a source's samples.
  package var recognition: @Sendable (any MotionSource) -> any MovementRecognition = { source in
    MovementEstimator(
      channels: source.channels, hasStepCounter: source.stepCounter != nil,
      params: MovementEstimator.Params(source.pedometer))
  }

  package init() {}
}

extension MovementEstimator.Params {
  /// Creates the parameters for the person who carries a board.
  package init(_ settings: PedometerSettings) {
    self.init(height: settings.height)
    walking.length.scale = settings.distanceScale
  }
}

extension MotionHub {
  /// The store for this hub's steps and activities: `movement` in the user's history folder
  /// (`HistoryPlace.folder()`); simulated or replayed movement is stored separately, as in
  /// `sampleStore`. Throws without a usable folder, and in a program built without the trait
  /// `History`.
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
