// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The functions of libsystemd's sd-bus that a D-Bus service needs. They are loaded when they are
/// first used, so that programs need not link the library.
@safe struct SystemdBus: Sendable {  // its pointers are functions of a library that stays loaded
  typealias Bus = OpaquePointer
  typealias Note = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias KindFunction =
    @convention(c) (Note, UnsafeMutablePointer<UInt8>) -> Int32
  typealias ReadFunction =
    @convention(c) (Note, CChar, UnsafeMutableRawPointer) -> Int32
  typealias EndFunction =
    @convention(c) (Note) -> Int32
  typealias OpenFunction =
    @convention(c) (Note, CChar, Text) -> Int32
  typealias AppendFunction =
    @convention(c) (Note, CChar, UnsafeRawPointer) -> Int32
  typealias SendToFunction =
    @convention(c) (Bus, Note, Text, UnsafeMutablePointer<UInt64>?) -> Int32
  typealias SendFunction =
    @convention(c) (Bus, Note, UnsafeMutablePointer<UInt64>?) -> Int32
  typealias ReleaseFunction =
    @convention(c) (Note) -> Note?
  typealias NewErrorFunction =
    @convention(c) (Note, UnsafeMutablePointer<Note?>, UnsafeRawPointer) -> Int32
  typealias NewReturnFunction =
    @convention(c) (Note, UnsafeMutablePointer<Note?>) -> Int32
  typealias NewSignalFunction =
    @convention(c) (Bus, UnsafeMutablePointer<Note?>, Text, Text, Text) -> Int32
  typealias AddMatchFunction =
    @convention(c) (Bus, UnsafeMutableRawPointer?, Text, Answer?, UnsafeMutableRawPointer?) -> Int32
  typealias RequestNameFunction =
    @convention(c) (Bus, Text, UInt64) -> Int32
  typealias ProcessFunction =
    @convention(c) (Bus, UnsafeMutablePointer<Note?>) -> Int32
  typealias CloseFunction =
    @convention(c) (Bus) -> Bus?
  typealias SetClientFunction =
    @convention(c) (Bus, Int32) -> Int32
  typealias SetAddressFunction =
    @convention(c) (Bus, Text) -> Int32
  typealias Answer =
    @convention(c) (Note?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
  typealias NewBus = @convention(c) (UnsafeMutablePointer<Bus?>) -> Int32
  typealias OfBus = @convention(c) (Bus) -> Int32
  typealias TextOf = @convention(c) (Note) -> Text?

  let openSystem: NewBus
  let new: NewBus
  let setAddress: SetAddressFunction
  let setClient: SetClientFunction
  let start: OfBus
  let close: CloseFunction
  let descriptor: OfBus
  let process: ProcessFunction
  let flush: OfBus
  let requestName: RequestNameFunction
  let addMatch: AddMatchFunction
  let newSignal: NewSignalFunction
  let newReturn: NewReturnFunction
  let newError: NewErrorFunction
  let release: ReleaseFunction
  let send: SendFunction
  let sendTo: SendToFunction
  let append: AppendFunction
  let open: OpenFunction
  let end: EndFunction
  let read: ReadFunction
  let kind: KindFunction
  let path: TextOf
  let interface: TextOf
  let member: TextOf
  let sender: TextOf

  /// The library; `nil` if it is not installed.
  static let shared = SystemdBus()

  /// Returns the library. Throws `.noLibrary` if it is not installed.
  static func found() throws(PublishError) -> SystemdBus {
    guard let shared else {
      throw .noLibrary("libsystemd.so.0", for: "D-Bus", package: "libsystemd0")
    }
    return shared
  }

  private init?() {
    // Never close the library, because its functions are used until the process ends.
    guard let library = unsafe dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL) else {
      return nil
    }
    let names = [
      "open_system", "new", "set_address", "set_bus_client", "start", "flush_close_unref",
      "get_fd", "process", "flush", "request_name", "add_match", "message_new_signal",
      "message_new_method_return", "message_new_method_error", "message_unref", "send", "send_to",
      "message_append_basic", "message_open_container", "message_close_container",
      "message_read_basic", "message_get_type", "message_get_path", "message_get_interface",
      "message_get_member", "message_get_sender",
    ]
    let found = unsafe names.compactMap { unsafe dlsym(library, "sd_bus_" + $0) }  // as above
    guard unsafe found.count == names.count else { return nil }  // as above
    // The signatures are from sd-bus.h since systemd 237, in the order of `names`.
    unsafe openSystem = unsafeBitCast(found[0], to: NewBus.self)
    unsafe new = unsafeBitCast(found[1], to: NewBus.self)
    unsafe setAddress = unsafeBitCast(found[2], to: SetAddressFunction.self)
    unsafe setClient = unsafeBitCast(found[3], to: SetClientFunction.self)
    unsafe start = unsafeBitCast(found[4], to: OfBus.self)
    unsafe close = unsafeBitCast(found[5], to: CloseFunction.self)
    unsafe descriptor = unsafeBitCast(found[6], to: OfBus.self)
    unsafe process = unsafeBitCast(found[7], to: ProcessFunction.self)
    unsafe flush = unsafeBitCast(found[8], to: OfBus.self)
    unsafe requestName = unsafeBitCast(found[9], to: RequestNameFunction.self)
    unsafe addMatch = unsafeBitCast(found[10], to: AddMatchFunction.self)
    unsafe newSignal = unsafeBitCast(found[11], to: NewSignalFunction.self)
    unsafe newReturn = unsafeBitCast(found[12], to: NewReturnFunction.self)
    unsafe newError = unsafeBitCast(found[13], to: NewErrorFunction.self)
    unsafe release = unsafeBitCast(found[14], to: ReleaseFunction.self)
    unsafe send = unsafeBitCast(found[15], to: SendFunction.self)
    unsafe sendTo = unsafeBitCast(found[16], to: SendToFunction.self)
    unsafe append = unsafeBitCast(found[17], to: AppendFunction.self)
    unsafe open = unsafeBitCast(found[18], to: OpenFunction.self)
    unsafe end = unsafeBitCast(found[19], to: EndFunction.self)
    unsafe read = unsafeBitCast(found[20], to: ReadFunction.self)
    unsafe kind = unsafeBitCast(found[21], to: KindFunction.self)
    unsafe path = unsafeBitCast(found[22], to: TextOf.self)
    unsafe interface = unsafeBitCast(found[23], to: TextOf.self)
    unsafe member = unsafeBitCast(found[24], to: TextOf.self)
    unsafe sender = unsafeBitCast(found[25], to: TextOf.self)
  }
}
