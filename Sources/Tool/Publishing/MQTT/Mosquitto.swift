// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The functions of libmosquitto that a publisher needs. They are loaded when they are first used,
/// so that programs need not link the library.
@safe struct Mosquitto: Sendable {  // its pointers are functions of a library that stays loaded
  typealias Handle = OpaquePointer
  typealias Answer = @convention(c) (Handle?, UnsafeMutableRawPointer?, Int32) -> Void
  typealias SetAnswer = @convention(c) (Handle, Answer?) -> Void
  typealias Text = UnsafePointer<CChar>
  typealias ReceiveFunction =
    @convention(c) (Handle?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void
  typealias LogFunction =
    @convention(c) (Handle?, UnsafeMutableRawPointer?, Int32, Text?) -> Void
  typealias SetReceive = @convention(c) (Handle, ReceiveFunction?) -> Void
  typealias SetLog = @convention(c) (Handle, LogFunction?) -> Void
  typealias SubscribeFunction =
    @convention(c) (Handle, UnsafeMutablePointer<Int32>?, Text, Int32) -> Int32
  typealias SetContextFunction =
    @convention(c) (Handle, UnsafeMutableRawPointer?) -> Void
  private typealias TextOfAnswerFunction =
    @convention(c) (Int32) -> Text?
  private typealias TextOfErrorFunction =
    @convention(c) (Int32) -> Text?
  typealias LoopFunction =
    @convention(c) (Handle, Int32, Int32) -> Int32
  typealias PublishFunction =
    @convention(c) (
      Handle, UnsafeMutablePointer<Int32>?, Text, Int32, UnsafeRawPointer?, Int32, Bool
    ) -> Int32
  typealias DisconnectFunction =
    @convention(c) (Handle) -> Int32
  typealias ConnectFunction =
    @convention(c) (Handle, Text, Int32, Int32) -> Int32
  typealias SetInFlightFunction =
    @convention(c) (Handle, UInt32) -> Int32
  typealias SetTLSFunction =
    @convention(c) (Handle, Text?, Text?, Text?, Text?, UnsafeRawPointer?) -> Int32
  typealias SetLoginFunction =
    @convention(c) (Handle, Text?, Text?) -> Int32
  typealias SetWillFunction =
    @convention(c) (Handle, Text, Int32, UnsafeRawPointer?, Int32, Bool) -> Int32
  typealias DestroyFunction =
    @convention(c) (Handle) -> Void
  typealias NewFunction =
    @convention(c) (Text?, Bool, UnsafeMutableRawPointer?) -> Handle?

  let new: NewFunction
  let destroy: DestroyFunction
  let setWill: SetWillFunction
  let setLogin: SetLoginFunction
  let setTLS: SetTLSFunction
  let setInFlight: SetInFlightFunction
  let connect: ConnectFunction
  let disconnect: DisconnectFunction
  let publish: PublishFunction
  let loop: LoopFunction
  let setContext: SetContextFunction
  let onConnect: SetAnswer
  let onDisconnect: SetAnswer
  let onPublish: SetAnswer
  let onMessage: SetReceive
  let onLog: SetLog
  let subscribe: SubscribeFunction
  private let textOfError: TextOfErrorFunction
  private let textOfAnswer: TextOfAnswerFunction

  /// The library; `nil` if it is not installed.
  static let shared = Mosquitto()

  /// Returns the library. Throws `.noLibrary` if it is not installed.
  static func found() throws(PublishError) -> Mosquitto {
    guard let shared else {
      throw .noLibrary("libmosquitto.so.1", for: "MQTT", package: "libmosquitto1")
    }
    return shared
  }

  private init?() {
    // Never close the library, because its functions are used until the process ends.
    guard let library = unsafe dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL) else {
      return nil
    }
    let names = [
      "lib_init", "new", "destroy", "will_set", "username_pw_set", "tls_set",
      "max_inflight_messages_set", "connect", "disconnect", "publish", "loop",
      "connect_callback_set", "disconnect_callback_set", "publish_callback_set", "strerror",
      "connack_string", "user_data_set", "message_callback_set", "log_callback_set", "subscribe",
    ]
    let found = unsafe names.compactMap { unsafe dlsym(library, "mosquitto_" + $0) }  // as above
    guard unsafe found.count == names.count else { return nil }  // as above
    // The signatures are from mosquitto.h 1.6 and 2.0, in the order of `names`.
    unsafe new = unsafeBitCast(found[1], to: NewFunction.self)
    unsafe destroy = unsafeBitCast(found[2], to: DestroyFunction.self)
    unsafe setWill = unsafeBitCast(found[3], to: SetWillFunction.self)
    unsafe setLogin = unsafeBitCast(found[4], to: SetLoginFunction.self)
    unsafe setTLS = unsafeBitCast(found[5], to: SetTLSFunction.self)
    unsafe setInFlight = unsafeBitCast(found[6], to: SetInFlightFunction.self)
    unsafe connect = unsafeBitCast(found[7], to: ConnectFunction.self)
    unsafe disconnect = unsafeBitCast(found[8], to: DisconnectFunction.self)
    unsafe publish = unsafeBitCast(found[9], to: PublishFunction.self)
    unsafe loop = unsafeBitCast(found[10], to: LoopFunction.self)
    unsafe onConnect = unsafeBitCast(found[11], to: SetAnswer.self)
    unsafe onDisconnect = unsafeBitCast(found[12], to: SetAnswer.self)
    unsafe onPublish = unsafeBitCast(found[13], to: SetAnswer.self)
    unsafe textOfError = unsafeBitCast(found[14], to: TextOfErrorFunction.self)
    unsafe textOfAnswer = unsafeBitCast(found[15], to: TextOfAnswerFunction.self)
    unsafe setContext = unsafeBitCast(found[16], to: SetContextFunction.self)
    unsafe onMessage = unsafeBitCast(found[17], to: SetReceive.self)
    unsafe onLog = unsafeBitCast(found[18], to: SetLog.self)
    unsafe subscribe = unsafeBitCast(found[19], to: SubscribeFunction.self)
    let begin = unsafe unsafeBitCast(found[0], to: (@convention(c) () -> Int32).self)
    guard begin() == 0 else { return nil }
  }

  /// Returns the text for a library error. For MOSQ_ERR_ERRNO this is the text for `errno`.
  func reason(_ number: Int32) -> String {
    if number == 14 {  // MOSQ_ERR_ERRNO
      return unsafe Self.copy(strerror(errno))
    }
    return unsafe Self.copy(textOfError(number))
  }

  /// Returns the text for the return code in a broker's answer to a login.
  func answer(_ number: Int32) -> String { unsafe Self.copy(textOfAnswer(number)) }

  /// The fields of `struct mosquitto_message` in mosquitto.h 1.6 and 2.0, with C's layout.
  @unsafe private struct Received {
    var number: Int32
    var topic: UnsafePointer<CChar>?
    var payload: UnsafeRawPointer?
    var length: Int32
    var quality: Int32
    var isRetained: Bool
  }

  /// Returns a copy of the message that a callback received.
  @unsafe static func message(_ pointer: UnsafeRawPointer) -> Message {
    // libmosquitto passes a pointer of this type, which is valid during the callback.
    let received = unsafe pointer.load(as: Received.self)
    let bytes = unsafe UnsafeRawBufferPointer(
      start: received.payload, count: max(0, Int(received.length)))
    return unsafe Message(
      topic: copy(received.topic), payload: Array(bytes), isRetained: received.isRetained)
  }

  /// Returns a copy of the log line that a callback received.
  @unsafe static func line(_ text: Text?) -> String { unsafe copy(text) }  // alive within it

  @unsafe private static func copy(_ text: UnsafePointer<CChar>?) -> String {
    // The library's error texts are static.
    var text = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    while text.last == "." { text.removeLast() }
    return text
  }
}
