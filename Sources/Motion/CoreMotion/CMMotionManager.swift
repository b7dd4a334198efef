// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// A manager for a device's motion: four streams, each pushed to a handler or pulled from a
/// property.
///
/// Any number of managers may be used at once; they share the chips, which run from the first start
/// to the last stop. Unlike with Apple's manager, stopping removes only this manager's own calls
/// from the queue, not other operations.
///
/// A handler is called once for each item, on the given queue: in order if the queue is serial,
/// otherwise concurrently. A queue with a backlog of 4096 calls receives no more until it has
/// caught up. All members may be used from any thread, and by handlers.
///
/// Instead of an item the handler can receive an error of `CMErrorDomain`, whose message names what
/// to check. This happens once while the board cannot be opened (`CMErrorNotAvailable`;
/// `CMErrorNotAuthorized` without permission, or while another process uses it) and each time a
/// sensor stops answering (`CMErrorNotAvailable`). Items follow when the board can be opened or the
/// sensor answers again. If the board has no such sensor, nothing is ever delivered.
open class CMMotionManager: NSObject {
  private let core: ManagerCore

  public override init() {
    core = ManagerCore(.shared)
    super.init()
  }

  /// Creates a manager for a board other than the process's shared one.
  package init(hub: MotionHub) {
    core = ManagerCore(hub)
    super.init()
  }

  deinit {
    _ = core.accelerometer.stop()
    _ = core.gyro.stop()
    _ = core.magnetometer.stop()
    _ = core.deviceMotion.stop()
    core.follow()
  }

  // MARK: Accelerometer

  /// The interval between two items in seconds, which is at least the hardware's. A change takes
  /// effect immediately.
  open var accelerometerUpdateInterval: TimeInterval {
    get { core.accelerometer.updateInterval }
    set { setInterval(of: core.accelerometer, newValue, core.samplesPublished) }
  }

  /// True if the board has an accelerometer.
  open var isAccelerometerAvailable: Bool { core.presentChannels.contains(.acceleration) }
  /// True while updates are started, even if the sensor does not answer.
  open var isAccelerometerActive: Bool { core.accelerometer.isActive }

  /// The newest item; `nil` before the first item, and while the sensor does not answer.
  open var accelerometerData: CMAccelerometerData? { core.accelerometer.latest }

  /// Starts storing the newest item in `accelerometerData`. If the stream is already active, it
  /// restarts without its previous handler.
  open func startAccelerometerUpdates() {
    start(core.accelerometer, of: .acceleration, to: nil, nil)
  }

  /// Starts calling `handler` on `queue`, and storing the newest item in `accelerometerData`. If
  /// the stream is already active, `handler` and `queue` replace the previous ones.
  open func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler
  ) {
    start(core.accelerometer, of: .acceleration, to: queue, handler)
  }

  /// Stops updates: no handler call begins after this function returns, and `accelerometerData` is
  /// `nil`. A handler call that has begun on another thread may still be running.
  open func stopAccelerometerUpdates() { stop(core.accelerometer) }

  // MARK: Gyroscope

  /// The interval between two items in seconds, which is at least the hardware's. A change takes
  /// effect immediately.
  open var gyroUpdateInterval: TimeInterval {
    get { core.gyro.updateInterval }
    set { setInterval(of: core.gyro, newValue, core.samplesPublished) }
  }

  /// True if the board has a gyroscope.
  open var isGyroAvailable: Bool { core.presentChannels.contains(.rotationRate) }
  /// True while updates are started, even if the sensor does not answer.
  open var isGyroActive: Bool { core.gyro.isActive }

  /// The newest item; `nil` before the first item, and while the sensor does not answer.
  open var gyroData: CMGyroData? { core.gyro.latest }

  /// Starts storing the newest item in `gyroData`. If the stream is already active, it restarts
  /// without its previous handler.
  open func startGyroUpdates() {
    start(core.gyro, of: .rotationRate, to: nil, nil)
  }

  /// Starts calling `handler` on `queue`, and storing the newest item in `gyroData`. If the stream
  /// is already active, `handler` and `queue` replace the previous ones.
  open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler)
  {
    start(core.gyro, of: .rotationRate, to: queue, handler)
  }

  /// Stops updates: no handler call begins after this function returns, and `gyroData` is `nil`. A
  /// handler call that has begun on another thread may still be running.
  open func stopGyroUpdates() { stop(core.gyro) }

  // MARK: Magnetometer

  /// The interval between two items in seconds, which is at least the hardware's. A change takes
  /// effect immediately.
  open var magnetometerUpdateInterval: TimeInterval {
    get { core.magnetometer.updateInterval }
    set { setInterval(of: core.magnetometer, newValue, core.samplesPublished) }
  }

  /// True if the board has a magnetometer.
  open var isMagnetometerAvailable: Bool { core.presentChannels.contains(.magneticField) }
  /// True while updates are started, even if the sensor does not answer.
  open var isMagnetometerActive: Bool { core.magnetometer.isActive }

  /// The newest item; `nil` before the first item, and while the sensor does not answer.
  open var magnetometerData: CMMagnetometerData? { core.magnetometer.latest }

  /// Starts storing the newest item in `magnetometerData`. If the stream is already active, it
  /// restarts without its previous handler.
  open func startMagnetometerUpdates() {
    start(core.magnetometer, of: .magneticField, to: nil, nil)
  }

  /// Starts calling `handler` on `queue`, and storing the newest item in `magnetometerData`. If the
  /// stream is already active, `handler` and `queue` replace the previous ones.
  open func startMagnetometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMagnetometerHandler
  ) {
    start(core.magnetometer, of: .magneticField, to: queue, handler)
  }

  /// Stops updates: no handler call begins after this function returns, and `magnetometerData` is
  /// `nil`. A handler call that has begun on another thread may still be running.
  open func stopMagnetometerUpdates() { stop(core.magnetometer) }

  // MARK: Device motion

  /// The interval between two items in seconds, which is at least the hardware's. A change takes
  /// effect immediately.
  open var deviceMotionUpdateInterval: TimeInterval {
    get { core.deviceMotion.updateInterval }
    set { setInterval(of: core.deviceMotion, newValue, core.motionsPublished) }
  }

  /// True if the board has an accelerometer and a gyroscope.
  open var isDeviceMotionAvailable: Bool {
    core.presentChannels.isSuperset(of: [.acceleration, .rotationRate])
  }
  /// True while updates are started, even if the sensors do not answer.
  open var isDeviceMotionActive: Bool { core.deviceMotion.isActive }

  /// The newest motion; `nil` before the first. Each call returns a copy. A game that reads the
  /// motion more often than motions arrive can therefore change the attitude each time.
  open var deviceMotion: CMDeviceMotion? {
    core.deviceMotion.latest?.copy(with: nil) as? CMDeviceMotion
  }

  /// Returns the frames that the board supports: north needs a magnetometer, true north also a
  /// location.
  open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    CMAttitudeReferenceFrame(ManagerCore(.shared).frames.map { CMAttitudeReferenceFrame($0) })
  }

  /// The frame in use, or the frame for the next start that names no frame.
  open var attitudeReferenceFrame: CMAttitudeReferenceFrame {
    CMAttitudeReferenceFrame(core.frame)
  }

  /// This property has no effect, because there is no screen on which to show the display.
  open var showsDeviceMovementDisplay = false

  /// Starts storing the newest motion in `deviceMotion`, in `attitudeReferenceFrame`. Each start,
  /// even while the stream is active, restarts the arbitrary frames: the first motion has yaw zero.
  open func startDeviceMotionUpdates() {
    startDeviceMotion(using: attitudeReferenceFrame, to: nil, nil)
  }

  /// Starts calling `handler` on `queue`, in `attitudeReferenceFrame`. The errors are the same as
  /// for `startDeviceMotionUpdates(using:to:withHandler:)`.
  open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler
  ) {
    startDeviceMotion(using: attitudeReferenceFrame, to: queue, handler)
  }

  /// Starts storing the newest motion in `deviceMotion`, in a frame of
  /// `availableAttitudeReferenceFrames()`; in any other frame there are no motions.
  open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) {
    startDeviceMotion(using: referenceFrame, to: nil, nil)
  }

  /// Starts calling `handler` on `queue`, in `referenceFrame`.
  ///
  /// With a frame that the board does not support, the handler receives one error and nothing else:
  /// `CMErrorTrueNorthNotAvailable` without a location, `CMErrorNotAvailable` without a
  /// magnetometer, `CMErrorInvalidParameter` if it is not exactly one frame. In the two frames with
  /// north, it receives `CMErrorDeviceRequiresMovement` once, in addition to the motions, if the
  /// compass is still not calibrated (`magneticField.accuracy` is `.uncalibrated`) a second after
  /// the start.
  open func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) {
    startDeviceMotion(using: referenceFrame, to: queue, handler)
  }

  /// Stops updates: no handler call begins after this function returns, and `deviceMotion` is
  /// `nil`. A handler call that has begun on another thread may still be running.
  open func stopDeviceMotionUpdates() { stop(core.deviceMotion) }

  private func startDeviceMotion(
    using frame: CMAttitudeReferenceFrame, to queue: OperationQueue?,
    _ handler: CMDeviceMotionHandler?
  ) {
    let isKnown = !core.lacksSource
    if isKnown, !core.channels.isSuperset(of: [.acceleration, .rotationRate]) { return }
    let asked = ReferenceFrame.allCases.filter { CMAttitudeReferenceFrame($0) == frame }
    if let chosen = asked.first, !isKnown || core.gives(chosen) {
      let first = core.motionsPublished
      core.show(in: chosen, from: first)
      return start(
        core.deviceMotion, of: isKnown ? core.motionChannels : [], from: first, to: queue, handler)
    }
    core.deviceMotion.start(to: queue, handler, refusing: core.refusal(of: asked))
    // The stream may have used the chips until this restart. If no other stream uses them now, stop
    // the chips.
    core.follow()
  }

  private func start<Item>(
    _ stream: UpdateStream<Item>, of channels: ChannelSet, from first: UInt64? = nil,
    to queue: OperationQueue?, _ handler: ((Item?, (any Error)?) -> Void)?
  ) {
    guard core.channels.isSuperset(of: channels) || core.lacksSource else { return }
    stream.start(from: first ?? core.samplesPublished, to: queue, handler)
    if let error = core.begin() { return stream.offer(nil, error) }
    // Report a chip that stopped responding earlier, because no later change would reach this
    // handler.
    if let silence = core.silence(of: channels) { stream.markSilent(silence) }
  }

  private func setInterval<Item>(
    of stream: UpdateStream<Item>, _ interval: TimeInterval,
    _ published: @autoclosure () -> UInt64
  ) {
    if stream.setInterval(interval, published: published), stream.isActive {
      core.intervalChanged()
    }
  }

  private func stop<Item>(_ stream: UpdateStream<Item>) {
    if stream.stop() { core.follow() }
  }
}

extension CMAttitudeReferenceFrame {
  fileprivate init(_ frame: ReferenceFrame) { self.init(rawValue: 1 << UInt(frame.rawValue)) }
}
