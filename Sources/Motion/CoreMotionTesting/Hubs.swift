// SPDX-License-Identifier: Apache-2.0
public import CoreMotion
public import Otolith

// A process has one shared hub, so tests that use it must run one at a time; tests whose managers
// use separate hubs may run in parallel. Class methods, such as `isStepCountingAvailable()`, and
// recorders, which write until the process ends, always use the shared hub.

extension MotionHub {
  /// Creates a hub for `source`. The steps and activities that its managers record are stored in
  /// `folder` instead of the user's history.
  public convenience init(_ source: any MotionSource, history folder: String) {
    self.init(source)
    movement.setting.folder = folder
  }
}

extension CMMotionManager {
  /// Creates a manager for `hub` instead of the process's shared one.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMBatchedSensorManager {
  /// Creates a manager for `hub` instead of the process's shared one.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMAltimeter {
  /// Creates an altimeter for `hub` instead of the process's shared one.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMPedometer {
  /// Creates a pedometer for `hub` instead of the process's shared one.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMStepCounter {
  /// Creates a counter for `hub` instead of the process's shared one.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMMotionActivityManager {
  /// Creates a manager for `hub` instead of the process's shared one.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMFallDetectionManager {
  /// Creates a manager for `hub` instead of the process's shared one.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}
