// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// Takes an altitude, or `nil` and an error of `CMErrorDomain`, on the queue that was given with
/// it.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void
/// Takes an altitude, or `nil` and an error of `CMErrorDomain`, on the queue that was given with
/// it.
public typealias CMAbsoluteAltitudeHandler = (CMAbsoluteAltitudeData?, (any Error)?) -> Void

/// An altimeter that derives the device's altitude from the pressure of the air.
///
/// Any number of altimeters may be used at once. Updates come about once a second, whatever the
/// barometer's rate: each is the mean of a second, and its timestamp the middle of that. A
/// barometer that falls silent is reported as one `CMErrorNotAvailable`; updates go on when it is
/// back. Every start should have its stop, also after an error.
open class CMAltimeter: NSObject {
  private let relative: AltitudeUpdates<CMAltitudeData>
  private let absolute: AltitudeUpdates<CMAbsoluteAltitudeData>

  public override init() {
    relative = AltitudeUpdates(.shared, Self.relative)
    absolute = AltitudeUpdates(.shared, unless: Self.heightUnknown, Self.absolute)
    super.init()
  }

  /// Creates an altimeter of another source than the process's own.
  package init(hub: MotionHub) {
    relative = AltitudeUpdates(hub, Self.relative)
    absolute = AltitudeUpdates(hub, unless: Self.heightUnknown, Self.absolute)
    super.init()
  }

  @Sendable private static func relative(_ altitude: Altitude, _ last: CMAltitudeData?)
    -> CMAltitudeData?
  {
    CMAltitudeData(
      metres: altitude.relativeAltitude, kilopascals: altitude.pressure,
      timestamp: altitude.timestamp.seconds)
  }

  @Sendable private static func absolute(_ altitude: Altitude, _ last: CMAbsoluteAltitudeData?)
    -> CMAbsoluteAltitudeData?
  {
    guard let absolute = altitude.absolute else { return nil }
    // On changes of elevation: what is within the noise is none.
    if let last, abs(absolute.altitude - last.altitude) < altitude.precision { return nil }
    return CMAbsoluteAltitudeData(
      metres: absolute.altitude, accuracy: absolute.accuracy, precision: altitude.precision,
      timestamp: altitude.timestamp.seconds)
  }

  @Sendable private static func heightUnknown(_ source: any MotionSource, _ hub: MotionHub)
    -> NSError?
  {
    guard hub.altitudeReference == nil else { return nil }
    return motionError(
      CMErrorNotAvailable,
      "the height of \(source.name) is not known: give 'sea-level-pressure-hpa' or 'height-m' in "
        + "the board file's location")
  }

  deinit {
    relative.stop()
    absolute.stop()
  }

  /// Returns true where the board has a barometer.
  open class func isRelativeAltitudeAvailable() -> Bool { hasBarometer(.shared) }

  /// Returns true where the board has a barometer and a reference that turns its pressure into an
  /// altitude is known: the board file's location, or the program's `MotionHub.altitudeReference`.
  open class func isAbsoluteAltitudeAvailable() -> Bool {
    hasBarometer(.shared) && MotionHub.shared.altitudeReference != nil
  }

  private class func hasBarometer(_ hub: MotionHub) -> Bool {
    hub.presentChannels?.contains(.pressure) ?? false
  }

  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Starts relative altitudes, which begin with 0 about a second later. A second start begins anew
  /// with 0, for the new handler. Without a barometer the handler is given one error, and nothing
  /// follows; where the board cannot be opened, one error, and altitudes when it can.
  open func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAltitudeHandler
  ) {
    relative.start(to: queue, handler)
  }

  /// Stops relative altitudes: no handler begins any more. May be called by the handler.
  open func stopRelativeAltitudeUpdates() { relative.stop() }

  /// Starts absolute altitudes: the first about a second later, then one whenever the altitude has
  /// changed by more than its noise. A second start replaces the handler. Without a barometer or a
  /// reference (`isAbsoluteAltitudeAvailable`) the handler is given one error, and nothing follows;
  /// where the board cannot be opened, one error, and altitudes when it can.
  open func startAbsoluteAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAbsoluteAltitudeHandler
  ) {
    absolute.start(to: queue, handler)
  }

  /// Stops absolute altitudes: no handler begins any more. May be called by the handler.
  open func stopAbsoluteAltitudeUpdates() { absolute.stop() }
}
