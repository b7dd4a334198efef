// SPDX-License-Identifier: Apache-2.0
public import CoreMotion
public import Otolith

// A process has one hub, and so its tests run one at a time. Those whose managers have a hub of
// their own run side by side. What classes are asked, `isStepCountingAvailable()` for one, is
// answered for the process's hub; and recorders are its alone, since they write until it ends.

extension MotionHub {
  /// Creates a hub of `source`; steps and activities of its managers are kept in `folder`, and not
  /// in the user's history.
  public convenience init(_ source: any MotionSource, history folder: String) {
    self.init(source)
    movement.setting.folder = folder
  }
}

extension CMMotionManager {
  /// Creates a manager of `hub` instead of the process's own.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMBatchedSensorManager {
  /// Creates a manager of `hub` instead of the process's own.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMAltimeter {
  /// Creates an altimeter of `hub` instead of the process's own.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMPedometer {
  /// Creates a pedometer of `hub` instead of the process's own.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMStepCounter {
  /// Creates a counter of `hub` instead of the process's own.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMMotionActivityManager {
  /// Creates a manager of `hub` instead of the process's own.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}

extension CMFallDetectionManager {
  /// Creates a manager of `hub` instead of the process's own.
  public convenience init(on hub: MotionHub) { self.init(hub: hub) }
}
