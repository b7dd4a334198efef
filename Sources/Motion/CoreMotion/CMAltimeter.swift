// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// Receives an altitude, or `nil` and an error of `CMErrorDomain`, on the queue given at the start.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void
/// Receives an altitude, or `nil` and an error of `CMErrorDomain`, on the queue given at the start.
public typealias CMAbsoluteAltitudeHandler = (CMAbsoluteAltitudeData?, (any Error)?) -> Void

/// An altimeter that derives the device's altitude from the air pressure.
///
/// Any number of altimeters may be used at once. Updates arrive about once per second at any
/// barometer rate: each is the mean over a second, and its timestamp the middle of that second. A
/// barometer that stops answering is reported as one `CMErrorNotAvailable`; updates continue when
/// it answers again. Balance every start with a stop, also after an error.
open class CMAltimeter: NSObject {
  private let relative: AltitudeUpdates<CMAltitudeData>
  private let absolute: AltitudeUpdates<CMAbsoluteAltitudeData>

  public override init() {
    relative = AltitudeUpdates(.shared, Self.relative)
    absolute = AltitudeUpdates(.shared, unless: Self.heightUnknown, Self.absolute)
    super.init()
  }

  /// Creates an altimeter for a source other than the process's shared one.
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
    // Report only changes; a difference within the noise is not a change.
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
      "the height of \(source.name) is unknown: give 'sea-level-pressure-hpa' or 'height-m' in the "
        + "board file's location")
  }

  deinit {
    relative.stop()
    absolute.stop()
  }

  /// Returns true if the board has a barometer.
  open class func isRelativeAltitudeAvailable() -> Bool { hasBarometer(.shared) }

  /// Returns true if the board has a barometer and a reference for converting its pressure to an
  /// altitude is known: the board file's location, or the program's `MotionHub.altitudeReference`.
  open class func isAbsoluteAltitudeAvailable() -> Bool {
    hasBarometer(.shared) && MotionHub.shared.altitudeReference != nil
  }

  private class func hasBarometer(_ hub: MotionHub) -> Bool {
    hub.presentChannels?.contains(.pressure) ?? false
  }

  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Starts relative altitudes; the first, which is 0, arrives about a second later. A second start
  /// restarts at 0 with the new handler. Without a barometer the handler receives one error and
  /// nothing else; if the board cannot be opened, it receives one error, and altitudes once the
  /// board can be opened.
  open func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAltitudeHandler
  ) {
    relative.start(to: queue, handler)
  }

  /// Stops relative altitudes: no handler call begins after this. The handler may call it.
  open func stopRelativeAltitudeUpdates() { relative.stop() }

  /// Starts absolute altitudes: the first about a second later, then one whenever the altitude has
  /// changed by more than its noise. A second start replaces the handler. Without a barometer or a
  /// reference (`isAbsoluteAltitudeAvailable`) the handler receives one error and nothing else; if
  /// the board cannot be opened, it receives one error, and altitudes once the board can be opened.
  open func startAbsoluteAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAbsoluteAltitudeHandler
  ) {
    absolute.start(to: queue, handler)
  }

  /// Stops absolute altitudes: no handler call begins after this. The handler may call it.
  open func stopAbsoluteAltitudeUpdates() { absolute.stop() }
}
