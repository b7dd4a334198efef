// SPDX-License-Identifier: Apache-2.0

/// A delegate for submersion in water, called on the main queue.
public protocol CMWaterSubmersionManagerDelegate: NSObjectProtocol {
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent)

  func manager(
    _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement)

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature)

  /// Reports an error of `CMErrorDomain`.
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error)
}

/// A manager for the submersion of the device in water. No board measures submersion, so the
/// manager is never available, and a delegate receives `CMErrorNotAvailable` once.
open class CMWaterSubmersionManager: NSObject {
  public override init() { super.init() }

  open class var waterSubmersionAvailable: Bool { false }

  /// This program's permission to read the board.
  open class var authorizationStatus: CMAuthorizationStatus { currentAuthorization() }

  /// The delegate. Setting one starts the updates, setting `nil` stops them. Its methods are called
  /// on the main queue.
  open weak var delegate: (any CMWaterSubmersionManagerDelegate)? {
    didSet {
      guard let delegate else { return }
      deliver(on: .main) { [weak self, weak delegate] in
        // The delegate may have been removed or replaced in the meantime.
        guard let self, let delegate, self.delegate === delegate else { return }
        delegate.manager(
          self,
          errorOccurred: motionError(CMErrorNotAvailable, "this device cannot sense submersion"))
      }
    }
  }

  /// The sensor's greatest depth; always `nil`, because there is no sensor.
  open var maximumDepth: Measurement<UnitLength>? { nil }
}
