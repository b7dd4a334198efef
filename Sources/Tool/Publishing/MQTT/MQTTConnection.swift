// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One connection to a broker, which one thread uses. The connection keeps no state after its end:
/// `MQTTPublisher` keeps unacknowledged messages and sends them again.
@safe final class MQTTConnection {  // its handle is valid from init to deinit, and used there only
  enum Event: Equatable {
    case entered
    case refused(Int32)
    /// The broker has acknowledged the message with this identifier.
    case arrived(Int32)
    case lost(Int32)
    /// A message arrived for a subscription.
    case received(Message)
  }

  private let library: Mosquitto
  private let handle: Mosquitto.Handle
  private let address: MQTTAddress
  private var events: [Event] = []
  /// The last error lines that libmosquitto logged, which show why TLS failed.
  private var log: [String] = []
  /// True if the broker has accepted the login.
  private var hasEntered = false
  private let hasCertificate: Bool
  private let hasUser: Bool

  /// Creates a client with the identifier `name`, and with the will that the broker publishes if
  /// the connection is lost. Throws `.noLibrary`, or `.refused` for unusable certificates or names.
  init(
    _ address: MQTTAddress, name: String, login: MQTTLogin, will: Message, inFlight: Int
  ) throws(PublishError) {
    library = try Mosquitto.found()
    self.address = address
    hasCertificate = login.certificate != nil
    hasUser = login.user != nil
    // `deinit` destroys the handle.
    guard let handle = unsafe library.new(name, true, nil) else {
      throw .unreachable("libmosquitto cannot create a client: \(library.reason(14))")
    }
    unsafe self.handle = handle
    try check("the last will", setWill(will))
    _ = unsafe library.setInFlight(handle, UInt32(inFlight))
    if let user = login.user {
      // The library copies this string and all strings that follow.
      try check("the login", unsafe library.setLogin(handle, user, login.password))
    }
    if address.isEncrypted {
      let folder = login.authorities == nil ? "/etc/ssl/certs" : nil
      try check(
        "the certificates",
        unsafe library.setTLS(  // as above
          handle, login.authorities, folder, login.certificate, login.key, nil))
    }
    listen()
  }

  deinit { unsafe library.destroy(handle) }  // as above

  private func setWill(_ will: Message) -> Int32 {
    // libmosquitto keeps the payload only during this callback.
    unsafe will.payload.withUnsafeBytes {
      unsafe library.setWill(
        handle, will.topic, Int32($0.count), $0.baseAddress, 1, will.isRetained)
    }
  }

  private func listen() {
    // `deinit` destroys the library's client before this object is freed, so the library does not
    // use the pointer afterwards.
    unsafe library.setContext(handle, Unmanaged.passUnretained(self).toOpaque())
    unsafe library.onConnect(handle) { _, context, code in
      unsafe MQTTConnection.note(context, code == 0 ? .entered : .refused(code))
    }
    unsafe library.onDisconnect(handle) { _, context, code in
      unsafe MQTTConnection.note(context, .lost(code))
    }
    unsafe library.onPublish(handle) { _, context, number in
      unsafe MQTTConnection.note(context, .arrived(number))
    }
    unsafe library.onMessage(handle) { _, context, message in
      guard let message = unsafe message else { return }
      unsafe MQTTConnection.note(context, .received(Mosquitto.message(message)))
    }
    unsafe library.onLog(handle) { _, context, level, text in
      guard level == 8, let context = unsafe context else { return }  // MOSQ_LOG_ERR
      let connection = unsafe Unmanaged<MQTTConnection>.fromOpaque(context).takeUnretainedValue()
      if connection.log.count == 16 { connection.log.removeFirst() }
      connection.log.append(unsafe Mosquitto.line(text))
    }
  }

  @unsafe private static func note(_ context: UnsafeMutableRawPointer?, _ event: Event) {
    guard let context = unsafe context else { return }  // as above
    // `listen` has set this pointer. Callbacks come only from library calls that this object makes,
    // so the object is alive.
    unsafe Unmanaged<MQTTConnection>.fromOpaque(context).takeUnretainedValue().events.append(event)
  }

  private func check(_ what: String, _ result: Int32) throws(PublishError) {
    guard result == 0 else {
      throw .refused("\(address.broker): \(what): \(library.reason(result))")
    }
  }

  /// Starts to connect; `turn` reports the outcome. Throws `.unreachable` if the broker does not
  /// respond.
  func connect(keepAlive seconds: Int) throws(PublishError) {
    let result = unsafe library.connect(
      handle, address.host, Int32(address.port), Int32(seconds))
    guard result == 0 else {
      throw .unreachable(reason(result))
    }
  }

  /// Subscribes to a topic filter; `turn` returns the messages as events. A broker that denies the
  /// subscription sends no messages.
  func subscribe(_ filter: String) { _ = unsafe library.subscribe(handle, nil, filter, 1) }

  /// Publishes a message with at-least-once delivery. Returns the identifier for its
  /// acknowledgement; `nil` if the connection does not accept the message.
  func publish(_ message: Message) -> Int32? {
    var number: Int32 = 0
    // The library copies the payload during the call.
    let result = unsafe message.payload.withUnsafeBytes {
      unsafe library.publish(
        handle, &number, message.topic, Int32($0.count), $0.baseAddress, 1, message.isRetained)
    }
    return result == 0 ? number : nil
  }

  /// Reads and writes data. Waits for data for up to `milliseconds`. Returns the events.
  func turn(milliseconds: Int) -> [Event] {
    let result = unsafe library.loop(handle, Int32(milliseconds), 1)
    let hasLoss = events.contains { if case .lost = $0 { true } else { false } }
    if result != 0, !hasLoss { events.append(.lost(result)) }
    defer { events.removeAll() }
    if events.contains(.entered) { hasEntered = true }
    return events
  }

  func leave() { _ = unsafe library.disconnect(handle) }  // as above

  /// Returns the reason why a call or the connection failed, as a message that names the broker.
  func reason(_ number: Int32) -> String {
    // Error 15 is MOSQ_ERR_EAI, a failed name lookup.
    let text =
      number == 15
      ? "host name not found: check the spelling" : library.reason(number)
    guard !hasEntered else { return "\(address.broker): \(text)" }
    if address.isEncrypted, let cause = ConnectionFault.cause(inHandshake: log) {
      return "\(address.broker): \(cause)"
    }
    // These numbers are MOSQ_ERR_PROTOCOL, MOSQ_ERR_CONN_LOST and MOSQ_ERR_TLS; after a reset the
    // number is MOSQ_ERR_ERRNO.
    let isEnded =
      [2, 7, 8].contains(number) || number == 14 && [EPROTO, ECONNRESET, EPIPE].contains(errno)
    let cause =
      isEnded
      ? ConnectionFault.likelyCause(
        isEncrypted: address.isEncrypted, hasCertificate: hasCertificate) : text
    return "\(address.broker): \(cause)" + (log.last.map { " (\($0))" } ?? "")
  }

  func answer(_ number: Int32) -> PublishError {
    let cause =
      ConnectionFault.cause(ofAnswer: number, hasUser: hasUser) ?? library.answer(number)
    let text = "\(address.broker): \(cause)"
    return ConnectionFault.mayPass(answer: number) ? .unreachable(text) : .refused(text)
  }
}
