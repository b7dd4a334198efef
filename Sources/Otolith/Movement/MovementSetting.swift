// SPDX-License-Identifier: Apache-2.0

/// How a hub counts movement; another than the usual in tests.
package struct MovementSetting: Sendable {
  /// The folder of all history; `nil`: that of the user.
  package var folder: String?
  package var clocks = HostClocks.system
  /// Between two entries of the history, and two looks at what was counted.
  package var interval = TimeSpan.seconds(1)
  /// Makes what recognises movement in the samples of a source.
  package var recognition: @Sendable (any MotionSource) -> any MovementRecognition = { source in
    MovementEstimator(
      channels: source.channels, hasStepCounter: source.stepCounter != nil,
      params: MovementEstimator.Params(source.pedometer))
  }

  package init() {}
}

extension MovementEstimator.Params {
  /// Of whoever carries a board.
  package init(_ settings: PedometerSettings) {
    self.init(height: settings.height)
    walking.length.scale = settings.distanceScale
  }
}

extension MotionHub {
  /// Where steps and activities of this hub's board are kept: `movement` in the user's history folder
  /// (`HistoryPlace.folder()`); what is made up lies apart, as of `sampleStore`. Throws where there is no place.
  public var movementStore: MovementStore {
    get throws(HistoryError) {
      Self.movementStore(in: try HistoryPlace.folder(), isMadeUp: isMadeUp)
    }
  }

  package static func movementStore(in folder: String, isMadeUp: Bool) -> MovementStore {
    MovementStore(folder: folder + (isMadeUp ? "/movement-simulated" : "/movement"))
  }
}
