// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// A manager that delivers every sample of the accelerometer and of device motion in batches of
/// about a second, at the board's own rate.
///
/// Handlers are called one at a time on the manager's private queue. Streams are independent of
/// each other and of `CMMotionManager`; the chips run while any stream is active. Unlike on an
/// Apple Watch, no workout session is needed.
open class CMBatchedSensorManager: NSObject {
  private let accelerometer: BatchedUpdates<Sample, CMAccelerometerData>
  private let motion: BatchedUpdates<MotionSample, CMDeviceMotion>
  private let hub: MotionHub

  public override convenience init() { self.init(hub: .shared) }

  /// Creates a manager for a board other than the process's shared one.
  package init(hub: MotionHub) {
    self.hub = hub
    accelerometer = BatchedUpdates(
      open: { [hub] failed in
        hub.openBatches(
          of: .samples(of: .acceleration), every: .seconds(1), buffering: .newest(64),
          failed: failed)
      }, needs: .acceleration, hub: hub,
      item: { CMAccelerometerData($0.acceleration, timestamp: $0.timestamp.seconds) })
    motion = BatchedUpdates(
      open: { [hub] failed in
        hub.openBatches(
          of: .motion.needing([.acceleration, .rotationRate]), every: .seconds(1),
          buffering: .newest(64), failed: failed)
      }, needs: [.acceleration, .rotationRate], hub: hub,
      item: { CMDeviceMotion($0, frame: .xArbitraryZVertical, declination: 0) })
    super.init()
  }

  deinit {
    accelerometer.stopStarted()
    motion.stopStarted()
  }

  open class var authorizationStatus: CMAuthorizationStatus { currentAuthorization() }

  /// True if the board has an accelerometer.
  open class var isAccelerometerSupported: Bool {
    (MotionHub.shared.presentChannels ?? []).contains(.acceleration)
  }

  /// True if the board has an accelerometer and a gyroscope.
  open class var isDeviceMotionSupported: Bool {
    (MotionHub.shared.presentChannels ?? []).isSuperset(of: [.acceleration, .rotationRate])
  }

  // MARK: Accelerometer

  /// True while updates are started or a loop reads batches.
  open var isAccelerometerActive: Bool { accelerometer.isActive }

  /// The samples per second configured in the board file; 0 without an accelerometer.
  open var accelerometerDataFrequency: Int { frequency(.acceleration) }

  /// The newest batch since the start, oldest sample first; `nil` before the first batch.
  open var accelerometerBatch: [CMAccelerometerData]? { accelerometer.latest }

  /// Starts filling `accelerometerBatch`.
  open func startAccelerometerUpdates() { accelerometer.start(nil) }

  /// Starts calling `handler` with every batch; a second start replaces it. The handler receives
  /// one error while the board cannot be opened, or when the sensor stops answering; batches follow
  /// when the board can be opened or the sensor answers again.
  open func startAccelerometerUpdates(
    handler: @escaping ([CMAccelerometerData]?, (any Error)?) -> Void
  ) {
    accelerometer.start(handler)
  }

  /// Stops the started updates and every loop over `accelerometerUpdates()`.
  open func stopAccelerometerUpdates() { accelerometer.stop() }

  /// Returns batches for `for try await`: each loop receives all batches from its beginning. The
  /// chips run until the loop ends, its task is cancelled or updates are stopped. The loop throws
  /// an error of `CMErrorDomain` when the board cannot be opened or the sensor stops answering. A
  /// loop that is more than a minute behind loses the oldest batches.
  open func accelerometerUpdates() -> AccelerometerUpdates {
    AccelerometerUpdates(updates: accelerometer)
  }

  /// The sequence that `accelerometerUpdates()` returns. It may be passed to another task; its
  /// elements belong to the iterating task.
  public struct AccelerometerUpdates: AsyncSequence, Sendable {
    public typealias Element = [CMAccelerometerData]
    let updates: BatchedUpdates<Sample, CMAccelerometerData>

    public func makeAsyncIterator() -> Iterator { Iterator(loop: updates.loop()) }

    public struct Iterator: AsyncIteratorProtocol {
      var loop: BatchedLoop<Sample, CMAccelerometerData>

      public mutating func next() async throws -> [CMAccelerometerData]? { try await loop.next() }
    }
  }

  // MARK: Device motion

  /// True while updates are started or a loop reads batches.
  open var isDeviceMotionActive: Bool { motion.isActive }

  /// The number of motions per second, which is the gyroscope's rate configured in the board file;
  /// 0 without a gyroscope.
  open var deviceMotionDataFrequency: Int { frequency(.rotationRate) }

  /// The newest batch since the start, oldest motion first, in the frame `xArbitraryZVertical`;
  /// `nil` before the first batch.
  open var deviceMotionBatch: [CMDeviceMotion]? { motion.latest }

  /// Starts filling `deviceMotionBatch`.
  open func startDeviceMotionUpdates() { motion.start(nil) }

  /// Starts calling `handler` with every batch, as `startAccelerometerUpdates(handler:)` does.
  open func startDeviceMotionUpdates(
    handler: @escaping ([CMDeviceMotion]?, (any Error)?) -> Void
  ) {
    motion.start(handler)
  }

  /// Stops the started updates and every loop over `deviceMotionUpdates()`.
  open func stopDeviceMotionUpdates() { motion.stop() }

  /// Returns batches for `for try await`, as `accelerometerUpdates()` does.
  open func deviceMotionUpdates() -> DeviceMotionUpdates { DeviceMotionUpdates(updates: motion) }

  /// The sequence that `deviceMotionUpdates()` returns. It may be passed to another task; its
  /// elements belong to the iterating task.
  public struct DeviceMotionUpdates: AsyncSequence, Sendable {
    public typealias Element = [CMDeviceMotion]
    let updates: BatchedUpdates<MotionSample, CMDeviceMotion>

    public func makeAsyncIterator() -> Iterator { Iterator(loop: updates.loop()) }

    public struct Iterator: AsyncIteratorProtocol {
      var loop: BatchedLoop<MotionSample, CMDeviceMotion>

      public mutating func next() async throws -> [CMDeviceMotion]? { try await loop.next() }
    }
  }

  private func frequency(_ channel: Channel) -> Int {
    Int((hub.source?.rate(of: channel) ?? 0).rounded())
  }
}
