// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One connection to a broker, from its beginning to its end; used by one thread. Nothing of it
/// outlives it: what was not acknowledged is sent anew by the courier, which keeps it.
@safe final class MQTTConnection {  // its handle lives from init to deinit, and is used there alone
  enum Event: Equatable {
    case entered
    case refused(Int32)
    /// The broker has taken the message of this number.
    case arrived(Int32)
    case lost(Int32)
  }

  private let library: Mosquitto
  private let handle: Mosquitto.Handle
  private let address: MQTTAddress
  private var events: [Event] = []

  /// Makes a client of this name, with the message that the broker sends when it is gone. Throws
  /// `.noLibrary`, or `.refused` where certificates or names are of no use.
  init(
    _ address: MQTTAddress, name: String, login: MQTTLogin, will: Message, inFlight: Int
  ) throws(PublishError) {
    library = try Mosquitto.found()
    self.address = address
    // What is made here is destroyed in deinit.
    guard let handle = unsafe library.new(name, true, nil) else {
      throw .unreachable("libmosquitto makes no client: \(library.reason(14))")
    }
    unsafe self.handle = handle
    try check("the last will", setWill(will))
    _ = unsafe library.setInFlight(handle, UInt32(inFlight))
    if let user = login.user {
      // Copied by the library, as everything that follows.
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
    // The payload lives for the call alone.
    unsafe will.payload.withUnsafeBytes {
      unsafe library.setWill(
        handle, will.topic, Int32($0.count), $0.baseAddress, 1, will.isRetained)
    }
  }

  private func listen() {
    // Not kept beyond deinit, which destroys the client first.
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
  }

  @unsafe private static func note(_ context: UnsafeMutableRawPointer?, _ event: Event) {
    guard let context = unsafe context else { return }  // as above
    // Set by `listen`, for calls of the library that this object makes itself, and is alive in.
    unsafe Unmanaged<MQTTConnection>.fromOpaque(context).takeUnretainedValue().events.append(event)
  }

  private func check(_ what: String, _ result: Int32) throws(PublishError) {
    guard result == 0 else {
      throw .refused("\(address.broker): \(what): \(library.reason(result))")
    }
  }

  /// Begins to connect; `turn` tells how that ends. Throws `.unreachable` where nothing answers.
  func connect(keepAlive seconds: Int) throws(PublishError) {
    let result = unsafe library.connect(
      handle, address.host, Int32(address.port), Int32(seconds))
    guard result == 0 else {
      throw .unreachable("\(address.broker): \(library.reason(result))")
    }
  }

  /// Hands over a message, to be delivered once at least. Returns the number that its arrival has;
  /// `nil` where the connection takes it not.
  func publish(_ message: Message) -> Int32? {
    var number: Int32 = 0
    // Copied by the library within the call.
    let result = unsafe message.payload.withUnsafeBytes {
      unsafe library.publish(
        handle, &number, message.topic, Int32($0.count), $0.baseAddress, 1, message.isRetained)
    }
    return result == 0 ? number : nil
  }

  /// Reads and writes, and waits for so long where there is nothing to. Returns what happened.
  func turn(milliseconds: Int) -> [Event] {
    let result = unsafe library.loop(handle, Int32(milliseconds), 1)
    let isTold = events.contains { if case .lost = $0 { true } else { false } }
    if result != 0, !isTold { events.append(.lost(result)) }
    defer { events.removeAll() }
    return events
  }

  func leave() { _ = unsafe library.disconnect(handle) }  // as above

  func reason(_ number: Int32) -> String { "\(address.broker): \(library.reason(number))" }

  func answer(_ number: Int32) -> String { "\(address.broker): \(library.answer(number))" }
}
