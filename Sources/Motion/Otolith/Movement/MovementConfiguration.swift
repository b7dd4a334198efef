// SPDX-License-Identifier: Apache-2.0
internal import History
package import Recognition

/// A hub's settings for counting movement. Tests change the defaults.
package struct MovementConfiguration: Sendable {
  /// The folder for all history; `nil` selects the user's history folder.
  package var folder: String?
  package var clocks = HostClocks.system
  /// The time between two entries of the history, and between two queries of the recorder.
  package var interval = TimeSpan.seconds(1)
  /// Creates the movement recogniser for the samples of a source.
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
  /// The store for steps and activities of this hub: `movement` in the user's history folder
  /// (`HistoryPlace.folder()`). Simulated or replayed movement is stored separately, as in
  /// `sampleStore`. Throws if there is no usable folder, or if the program was built without the
  /// trait `History`.
  public var movementStore: MovementStore {
    get throws(HistoryError) {
      try Self.movementStore(in: try HistoryPlace.folder(), isMadeUp: isMadeUp)
    }
  }

  package static func movementStore(
    in folder: String, isMadeUp: Bool, clocks: HostClocks = .system
  ) throws(HistoryError) -> MovementStore {
    let store = MovementStore(
      folder: folder + (isMadeUp ? "/movement-simulated" : "/movement"), clocks: clocks)
    try store.checkSupport()
    return store
  }
}
