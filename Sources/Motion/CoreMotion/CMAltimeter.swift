// SPDX-License-Identifier: Apache-2.0
package import Otolith
internal import Synchronization

/// A handler that receives an altitude, or `nil` and an error of `CMErrorDomain`, on the queue
/// given at the start.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void
/// A handler that receives an altitude, or `nil` and an error of `CMErrorDomain`, on the queue
/// given at the start.
public typealias CMAbsoluteAltitudeHandler = (CMAbsoluteAltitudeData?, (any Error)?) -> Void

/// An altimeter that derives the device's altitude from the air pressure.
///
/// Any number of altimeters may be used at once. Updates arrive about once per second, whatever the
/// barometer's rate: each is the mean over a second, with the middle of that second as its
/// timestamp. A barometer that stops answering is reported by one `CMErrorNotAvailable`; updates
/// continue when it answers again. Balance every start with a stop, also after an error.
open class CMAltimeter: NSObject {
  private let hub: MotionHub
  private let relative = UpdateStream<CMAltitudeData>()
  private let absolute = UpdateStream<CMAbsoluteAltitudeData>()

  public override init() {
    hub = .shared
    super.init()
  }

  /// Creates an altimeter for a source other than the process's shared one.
  package init(hub: MotionHub) {
    self.hub = hub
    super.init()
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

  /// Starts relative altitudes. The first, which is 0, arrives about a second later. A second start
  /// restarts at 0 with the new handler. Without a barometer the handler receives one error and
  /// nothing else. If the board cannot be opened, the handler receives one error, and altitudes
  /// once the board can be opened.
  open func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAltitudeHandler
  ) {
    start(relative, to: queue, handler, unless: { _, _ in nil }) { altitude, _ in
      CMAltitudeData(
        metres: altitude.relativeAltitude, kilopascals: altitude.pressure,
        timestamp: altitude.timestamp.seconds)
    }
  }

  /// Stops relative altitudes: no handler call begins after this function returns. A handler may
  /// call this function.
  open func stopRelativeAltitudeUpdates() { relative.stop() }

  /// Starts absolute altitudes. The first arrives about a second later, and another whenever the
  /// altitude has changed by more than its noise. A second start replaces the handler. Without a
  /// barometer or a reference (`isAbsoluteAltitudeAvailable`) the handler receives one error and
  /// nothing else. If the board cannot be opened, the handler receives one error, and altitudes
  /// once the board can be opened.
  open func startAbsoluteAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAbsoluteAltitudeHandler
  ) {
    start(absolute, to: queue, handler, unless: heightUnknown) { altitude, last in
      guard let absolute = altitude.absolute else { return nil }
      // Report only changes; a difference within the noise is not a change.
      if let last, abs(absolute.altitude - last.altitude) < altitude.precision { return nil }
      return CMAbsoluteAltitudeData(
        metres: absolute.altitude, accuracy: absolute.accuracy, precision: altitude.precision,
        timestamp: altitude.timestamp.seconds)
    }
  }

  /// Stops absolute altitudes: no handler call begins after this function returns. A handler may
  /// call this function.
  open func stopAbsoluteAltitudeUpdates() { absolute.stop() }

  /// Starts a stream, or restarts it with another handler. `make` makes the item for an altitude
  /// from the previous item. If the board has no barometer, or `refusal` returns an error, the
  /// handler receives that error and nothing else. If the board cannot be opened yet, the handler
  /// receives the error once.
  private func start<Item: AnyObject>(
    _ stream: UpdateStream<Item>, to queue: OperationQueue,
    _ handler: @escaping (Item?, (any Error)?) -> Void,
    unless refusal: @escaping @Sendable (any MotionSource, MotionHub) -> NSError?,
    _ make: @escaping @Sendable (Altitude, Item?) -> Item?
  ) {
    let refused: @Sendable (any MotionSource) -> NSError? = { [hub] source in
      source.has(.pressure)
        ? refusal(source, hub) : SessionError.missing(.pressure, source: source.name).motionError
    }
    stream.start(to: queue, handler, refusing: hub.source.flatMap(refused)) { [hub] sink in
      let wasSilent = Mutex(false)
      let receiver = RecognitionReceiver(AltitudeRecognition(hub)) { chips in
        guard let source = hub.source else { return }
        let silence = source.silence(of: chips, needed: .pressure)
        let isNew = wasSilent.withLock { wasSilent in
          defer { wasSilent = silence != nil }
          return !wasSilent
        }
        // Report one error when the barometer stops responding; altitudes continue when it responds
        // again.
        if let silence, isNew { sink(nil, motionError(CMErrorNotAvailable, silence.description)) }
      } sink: { [weak stream] altitude in
        if let item = make(altitude, stream?.latest) { sink(item, nil) }
      }
      let listening = RetriedListening { [weak stream] () throws(SessionError) -> Listening in
        let listening = try hub.listen(receiver)
        if let error = refused(listening.source) { stream?.refuse(error) }
        return listening
      }
      if let error = listening.begin() { sink(nil, error.motionError) }
      return { listening.stop() }
    }
  }
}

@Sendable private func heightUnknown(_ source: any MotionSource, _ hub: MotionHub) -> NSError? {
  guard hub.altitudeReference == nil else { return nil }
  return motionError(
    CMErrorNotAvailable,
    "the height of \(source.name) is unknown: give 'sea-level-pressure-hpa' or 'height-m' in the "
      + "board file's location")
}
