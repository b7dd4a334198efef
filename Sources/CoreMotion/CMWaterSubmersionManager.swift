// SPDX-License-Identifier: Apache-2.0

/// A delegate that is told of submersion, on the main queue.
public protocol CMWaterSubmersionManagerDelegate: NSObjectProtocol {
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent)

  func manager(
    _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement)

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature)

  /// Reports an error of `CMErrorDomain`.
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error)
}

/// A manager of the device's submersion. No board measures that: it is never available, and a
/// delegate gets `CMErrorNotAvailable` once.
open class CMWaterSubmersionManager: NSObject {
  public override init() { super.init() }

  open class var waterSubmersionAvailable: Bool { false }

  /// The permission of this program to read the board.
  open class var authorizationStatus: CMAuthorizationStatus { currentAuthorization() }

  /// The delegate. Setting one starts the updates, setting `nil` stops them. Its methods are called
  /// on the main queue.
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

  /// The greatest depth; always `nil`, since there is no sensor whose limit it could be.
  open var maximumDepth: Measurement<UnitLength>? { nil }
}
