// SPDX-License-Identifier: Apache-2.0

/// Who is told of submersion, on the main queue.
public protocol CMWaterSubmersionManagerDelegate: NSObjectProtocol {
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent)

  func manager(
    _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement)

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature)

  /// An error of `CMErrorDomain`.
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error)
}

/// The device under water. No board measures that: it is never available, and a delegate gets `CMErrorNotAvailable` once.
open class CMWaterSubmersionManager: NSObject {
  public override init() { super.init() }

  open class var waterSubmersionAvailable: Bool { false }

  /// Whether this program may read the board.
  open class var authorizationStatus: CMAuthorizationStatus { currentAuthorization() }

  /// To set one starts the updates, to set `nil` stops them. Its methods are called on the main queue.
  open weak var delegate: (any CMWaterSubmersionManagerDelegate)? {
    didSet {
      guard let delegate else { return }
      deliver(on: .main) { [weak self, weak delegate] in
        // Not to one that was taken away meanwhile.
        guard let self, let delegate, self.delegate === delegate else { return }
        delegate.manager(
          self,
          errorOccurred: motionError(CMErrorNotAvailable, "this device cannot sense submersion"))
      }
    }
  }

  /// `nil`: there is no sensor whose limit it could be.
  open var maximumDepth: Measurement<UnitLength>? { nil }
}
