// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// The way to a device's motion: four streams, each pushed to a handler or pulled from a property.
///
/// Any number of managers may be used at once; they share the chips, which run from the first start to the last stop. A
/// difference to Apple's: stopping takes back only this manager's own calls from the queue, not the operations of others.
open class CMMotionManager: NSObject {
  private let core: ManagerCore

  public override init() {
    core = ManagerCore(.shared)
    super.init()
  }

  /// A manager of another board than the process's own.
  package init(hub: MotionHub) {
    core = ManagerCore(hub)
    super.init()
  }

  deinit {
    _ = core.accelerometer.stop()
    _ = core.gyro.stop()
    _ = core.magnetometer.stop()
    _ = core.deviceMotion.stop()
    _ = core.follow()
  }

  // MARK: Accelerometer

  /// Seconds between two items; the hardware's own interval is the shortest. Takes effect at once.
  open var accelerometerUpdateInterval: TimeInterval {
    get { core.accelerometer.updateInterval }
    set { core.accelerometer.updateInterval = newValue }
  }

  /// Whether the board has one.
  open var isAccelerometerAvailable: Bool { core.channels.contains(.acceleration) }
  open var isAccelerometerActive: Bool { core.accelerometer.isActive }

  /// The newest; `nil` before the first.
  open var accelerometerData: CMAccelerometerData? { core.accelerometer.latest }

  open func startAccelerometerUpdates() {
    start(core.accelerometer, isAvailable: isAccelerometerAvailable, to: nil, nil)
  }

  open func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler
  ) {
    start(core.accelerometer, isAvailable: isAccelerometerAvailable, to: queue, handler)
  }

  open func stopAccelerometerUpdates() { stop(core.accelerometer) }

  // MARK: Gyroscope

  /// Seconds between two items; the hardware's own interval is the shortest. Takes effect at once.
  open var gyroUpdateInterval: TimeInterval {
    get { core.gyro.updateInterval }
    set { core.gyro.updateInterval = newValue }
  }

  /// Whether the board has one.
  open var isGyroAvailable: Bool { core.channels.contains(.rotationRate) }
  open var isGyroActive: Bool { core.gyro.isActive }

  /// The newest; `nil` before the first.
  open var gyroData: CMGyroData? { core.gyro.latest }

  open func startGyroUpdates() {
    start(core.gyro, isAvailable: isGyroAvailable, to: nil, nil)
  }

  open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler)
  {
    start(core.gyro, isAvailable: isGyroAvailable, to: queue, handler)
  }

  open func stopGyroUpdates() { stop(core.gyro) }

  // MARK: Magnetometer

  /// Seconds between two items; the hardware's own interval is the shortest. Takes effect at once.
  open var magnetometerUpdateInterval: TimeInterval {
    get { core.magnetometer.updateInterval }
    set { core.magnetometer.updateInterval = newValue }
  }

  /// Whether the board has one.
  open var isMagnetometerAvailable: Bool { core.channels.contains(.magneticField) }
  open var isMagnetometerActive: Bool { core.magnetometer.isActive }

  /// The newest; `nil` before the first.
  open var magnetometerData: CMMagnetometerData? { core.magnetometer.latest }

  open func startMagnetometerUpdates() {
    start(core.magnetometer, isAvailable: isMagnetometerAvailable, to: nil, nil)
  }

  open func startMagnetometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMagnetometerHandler
  ) {
    start(core.magnetometer, isAvailable: isMagnetometerAvailable, to: queue, handler)
  }

  open func stopMagnetometerUpdates() { stop(core.magnetometer) }

  // MARK: Device motion

  /// Seconds between two items; the hardware's own interval is the shortest. Takes effect at once.
  open var deviceMotionUpdateInterval: TimeInterval {
    get { core.deviceMotion.updateInterval }
    set { core.deviceMotion.updateInterval = newValue }
  }

  /// Whether the board has an accelerometer and a gyroscope.
  open var isDeviceMotionAvailable: Bool {
    core.channels.isSuperset(of: [.acceleration, .rotationRate])
  }
  open var isDeviceMotionActive: Bool { core.deviceMotion.isActive }

  /// The newest; `nil` before the first.
  open var deviceMotion: CMDeviceMotion? { core.deviceMotion.latest }

  /// The frames that the board can give: north needs a magnetometer, true north a declination too.
  open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    let core = ManagerCore(.shared)
    guard core.channels.isSuperset(of: [.acceleration, .rotationRate]) else { return [] }
    var frames: CMAttitudeReferenceFrame = [.xArbitraryZVertical]
    if core.channels.contains(.magneticField) {
      frames.formUnion([.xArbitraryCorrectedZVertical, .xMagneticNorthZVertical])
      if core.declination != nil { frames.insert(.xTrueNorthZVertical) }
    }
    return frames
  }

  /// The frame in use, or that of the next start that names none.
  open var attitudeReferenceFrame: CMAttitudeReferenceFrame {
    CMAttitudeReferenceFrame(rawValue: 1 << UInt(core.frame.rawValue))
  }

  /// Has no meaning without a screen.
  open var showsDeviceMovementDisplay = false

  open func startDeviceMotionUpdates() {
    startDeviceMotion(using: attitudeReferenceFrame, to: nil, nil)
  }

  open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler
  ) {
    startDeviceMotion(using: attitudeReferenceFrame, to: queue, handler)
  }

  open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) {
    startDeviceMotion(using: referenceFrame, to: nil, nil)
  }

  open func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) {
    startDeviceMotion(using: referenceFrame, to: queue, handler)
  }

  open func stopDeviceMotionUpdates() { stop(core.deviceMotion) }

  private func startDeviceMotion(
    using frame: CMAttitudeReferenceFrame, to queue: OperationQueue?,
    _ handler: CMDeviceMotionHandler?
  ) {
    let chosen = ReferenceFrame.allCases.first { frame.rawValue == 1 << UInt($0.rawValue) }
    if let chosen { core.frame = chosen }
    start(core.deviceMotion, isAvailable: isDeviceMotionAvailable, to: queue, handler)
    guard isDeviceMotionAvailable else { return }
    if chosen == nil {
      core.deviceMotion.offer(
        nil, motionError(CMErrorInvalidParameter, "exactly one reference frame can be used"))
    } else if !Self.availableAttitudeReferenceFrames().contains(frame) {
      let isTrueNorth = frame == .xTrueNorthZVertical && core.channels.contains(.magneticField)
      core.deviceMotion.offer(
        nil,
        isTrueNorth
          ? motionError(
            CMErrorTrueNorthNotAvailable,
            "the board file gives no declination (location: declination-deg)")
          : motionError(CMErrorNotAvailable, "the board has no magnetometer"))
    }
  }

  private func start<Item>(
    _ stream: UpdateStream<Item>, isAvailable: Bool, to queue: OperationQueue?,
    _ handler: ((Item?, (any Error)?) -> Void)?
  ) {
    guard isAvailable else { return }
    stream.start(to: queue, handler)
    if let error = core.follow() { stream.offer(nil, error) }
  }

  private func stop<Item>(_ stream: UpdateStream<Item>) {
    if stream.stop() { _ = core.follow() }
  }
}
