// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A D-Bus connection, which one thread uses.
@safe package final class BusConnection {  // its handle lives from init to deinit
  private let library: SystemdBus
  private let bus: SystemdBus.Bus

  /// Connects to the system bus, or to the bus at `address`, such as `unix:path=...`.
  package init(address: String? = nil) throws(PublishError) {
    library = try SystemdBus.found()
    var made: SystemdBus.Bus?
    var result: Int32
    // `deinit` closes the handle.
    if let address {
      result = unsafe library.new(&made)
      if result >= 0, let made = unsafe made {
        result = unsafe library.setAddress(made, address)
        if result >= 0 { result = unsafe library.setClient(made, 1) }
        if result >= 0 { result = unsafe library.start(made) }
      }
    } else {
      result = unsafe library.openSystem(&made)
    }
    guard result >= 0, let bus = unsafe made else {
      throw .unreachable("D-Bus\(address.map { " at \($0)" } ?? ""): \(Self.reason(result))")
    }
    unsafe self.bus = bus
  }

  deinit { _ = unsafe library.close(bus) }

  private static func reason(_ result: Int32) -> String {
    // `strerror` returns a string that belongs to the C library, so copy it here.
    unsafe String(cString: strerror(-result))
  }

  /// The descriptor of the connection. It is readable if there is data to process.
  package var fileDescriptor: Int32 { unsafe library.descriptor(bus) }

  /// Requests a bus name, by which clients can find this program.
  package func own(_ name: String) throws(PublishError) {
    let result = unsafe library.requestName(bus, name, 0)
    switch -result {
    case EEXIST: throw .refused("\(name) already has an owner on this bus")
    case EACCES, EPERM: throw .refused("the bus does not allow this user to own \(name)")
    default: if result < 0 { throw .unreachable("\(name): \(Self.reason(result))") }
    }
  }

  /// Subscribes to the signals that match `rule`.
  package func listen(_ rule: String) throws(PublishError) {
    // `serve` reads the signals, so this callback does nothing.
    let result = unsafe library.addMatch(bus, nil, rule, { _, _, _ in 0 }, nil)
    guard result >= 0 else { throw .unreachable("D-Bus, \(rule): \(Self.reason(result))") }
  }

  /// Answers pending calls with the result of `answer`, and passes received signals to `answer`.
  /// Throws if the connection is lost.
  package func serve(
    _ answer: (BusMessage) -> BusAnswer?
  ) throws(PublishError) {
    while true {
      var note: SystemdBus.Note?
      let result = unsafe library.process(bus, &note)  // as above
      guard result >= 0 else { throw .unreachable("D-Bus: \(Self.reason(result))") }
      if let note = unsafe note {  // as above
        // The message that sd-bus passed is released once, here.
        defer { _ = unsafe library.release(note) }
        if let message = unsafe read(note), let reply = answer(message), message.isCall {
          unsafe send(reply, to: note)
        }
      }
      if result == 0 { break }
    }
    _ = unsafe library.flush(bus)  // as above
  }

  /// Sends a signal to one client of the bus.
  package func signal(
    _ path: String, _ interface: String, _ member: String, _ values: [BusValue], to client: String
  ) {
    var note: SystemdBus.Note?
    guard unsafe library.newSignal(bus, &note, path, interface, member) >= 0,  // as above
      let note = unsafe note  // as above
    else { return }
    // The message is released once, here; sd-bus holds its own reference while sending.
    defer { _ = unsafe library.release(note) }
    for value in values { unsafe append(value, to: note) }
    _ = unsafe library.sendTo(bus, note, client, nil)
    _ = unsafe library.flush(bus)
  }

  @unsafe private func read(_ note: SystemdBus.Note) -> BusMessage? {
    var kind: UInt8 = 0
    // The functions of sd-bus write to these variables only during the call.
    guard unsafe library.kind(note, &kind) >= 0, kind == 1 || kind == 4 else { return nil }
    func text(_ text: UnsafePointer<CChar>?) -> String {
      unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
    var message = unsafe BusMessage(
      isCall: kind == 1, sender: text(library.sender(note)), path: text(library.path(note)),
      interface: text(library.interface(note)), member: text(library.member(note)))
    var word: UnsafePointer<CChar>?
    while message.texts.count < 8,
      unsafe library.read(note, CChar(UInt8(ascii: "s")), &word) > 0  // as above
    {
      message.texts.append(unsafe text(word))  // as above
    }
    return message
  }

  @unsafe private func send(_ answer: BusAnswer, to call: SystemdBus.Note) {
    var note: SystemdBus.Note?
    let result: Int32
    switch answer {
    case .values: result = unsafe library.newReturn(call, &note)  // as above
    case .error(let name, let text):
      // This tuple has the layout of `sd_bus_error`: two strings, and a flag that says whether to
      // free them. sd-bus copies the tuple during the call.
      result = unsafe name.withCString { name in
        unsafe text.withCString { text in
          var error = unsafe (name, text, Int32(0))
          return unsafe library.newError(call, &note, &error)
        }
      }
    }
    guard result >= 0, let note = unsafe note else { return }  // as above
    defer { _ = unsafe library.release(note) }  // as above
    if case .values(let values) = answer {
      for value in values { unsafe append(value, to: note) }  // as above
    }
    _ = unsafe library.send(bus, note, nil)  // as above
  }

  @unsafe private func append(_ value: BusValue, to note: SystemdBus.Note) {
    func basic(_ type: Unicode.Scalar, _ pointer: UnsafeRawPointer) {
      _ = unsafe library.append(note, CChar(UInt8(ascii: type)), pointer)  // as above
    }
    func container(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Void) {
      _ = unsafe library.open(note, CChar(UInt8(ascii: type)), contents)  // as above
      body()
      _ = unsafe library.end(note)  // as above
    }
    switch value {
    case .flag(let flag):
      var number: Int32 = flag ? 1 : 0
      unsafe basic("b", &number)  // as above
    case .number(var number): unsafe basic("d", &number)  // as above
    // sd-bus copies the string during the call.
    case .text(let text): unsafe text.withCString { unsafe basic("s", $0) }
    case .texts(let texts):
      container("a", "s") { for text in texts { unsafe append(.text(text), to: note) } }
    case .variant(let value):
      container("v", value.signature) { unsafe append(value, to: note) }
    case .properties(let properties):
      container("a", "{sv}") {
        for property in properties {
          container("e", "sv") {
            unsafe append(.text(property.name), to: note)  // as above
            unsafe append(.variant(property.value), to: note)  // as above
          }
        }
      }
    }
  }
}
