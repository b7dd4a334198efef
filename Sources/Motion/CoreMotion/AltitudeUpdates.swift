// SPDX-License-Identifier: Apache-2.0
internal import Otolith
internal import Synchronization

/// One of the two update streams of an altimeter. It receives samples from the hub while it is
/// active; each start restarts it.
final class AltitudeUpdates<Item: AnyObject>: MotionReceiver {
  private let stream = UpdateStream<Item>()
  private let hub: MotionHub
  /// Makes the item for an altitude from the previous item; returns `nil` if nothing has changed.
  private let make: @Sendable (Altitude, Item?) -> Item?
  /// The reason why the board can never provide these altitudes; `nil` if it can.
  private let refusal: @Sendable (any MotionSource, MotionHub) -> NSError?
  private let recognition: Mutex<AltitudeRecognition?>
  private let listening = Mutex<PatientListening?>(nil)
  private let wasSilent = Mutex(false)

  init(
    _ hub: MotionHub,
    unless refusal: @escaping @Sendable (any MotionSource, MotionHub) -> NSError? = { _, _ in nil },
    _ make: @escaping @Sendable (Altitude, Item?) -> Item?
  ) {
    self.hub = hub
    self.make = make
    self.refusal = { source, hub in
      source.has(.pressure)
        ? refusal(source, hub) : SessionError.missing(.pressure, source: source.name).motionError
    }
    recognition = Mutex(nil)
    // No interval is needed: at any sample rate, the recogniser provides one altitude per second.
    _ = stream.setInterval(0) { 0 }
  }

  /// Starts the stream, or restarts it with another handler. If the board can never provide these
  /// altitudes, the handler receives that error and nothing else. If the board cannot be opened
  /// yet, the handler receives the error once.
  func start(to queue: OperationQueue, _ handler: @escaping (Item?, (any Error)?) -> Void) {
    leave()
    wasSilent.withLock { $0 = false }
    let error = hub.source.flatMap { refusal($0, hub) }
    stream.start(to: queue, handler, refusing: error)
    guard error == nil else { return }
    let new = PatientListening { [weak self] () throws(SessionError) -> Listening in
      guard let self else { throw .noBoard([]) }
      return try self.listen()
    }
    let old = listening.withLock { listening in
      defer { listening = new }
      return listening
    }
    old?.stop()
    if let error = new.begin() { stream.offer(nil, error.motionError) }
    // Another thread may have called `stop()` in the meantime.
    if !stream.isActive { leave() }
  }

  private func listen() throws(SessionError) -> Listening {
    // Create the recogniser before the first sample, for the current board.
    recognition.withLock { $0 = AltitudeRecognition(hub) }
    let listening = try hub.listen(self)
    if let error = refusal(listening.source, hub) { stream.refuse(error) }
    return listening
  }

  func stop() {
    _ = stream.stop()
    leave()
  }

  /// Releases the chips, so that they can sleep. Stopping waits for the receiver, so stop outside
  /// the lock.
  private func leave() {
    let old = listening.withLock { listening in
      defer { listening = nil }
      return listening
    }
    old?.stop()
  }

  func receive(_ sourced: SourcedSample) {
    guard sourced.sample.channels.contains(.pressure),
      let altitude = recognition.withLock({ $0?.update(sourced.sample) }),
      let item = make(altitude, stream.latest), stream.wants(at: altitude.timestamp.seconds)
    else { return }
    stream.offer(item)
  }

  func receive(_ motion: MotionSample) {}

  func missed(_ count: UInt64) {}

  /// Every pressure sample is needed, because each altitude is the mean over a second.
  var demand: SampleDemand { SampleDemand(.pressure) }

  func chipsChanged(_ chips: [ChipState]) {
    guard let source = hub.source else { return }
    var complaint: String?
    for (index, chip) in chips.enumerated() {
      guard case .failed(let error) = chip, source.channels(ofChip: index).contains(.pressure)
      else { continue }
      complaint = source.sentence(for: error, ofChip: index)
    }
    let isNews = wasSilent.withLock { wasSilent in
      defer { wasSilent = complaint != nil }
      return !wasSilent
    }
    // Report one error when the barometer stops responding; altitudes continue when it responds
    // again.
    if let complaint, isNews { stream.offer(nil, motionError(CMErrorNotAvailable, complaint)) }
  }
}
