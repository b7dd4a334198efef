// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Glibc
internal import Runtime
internal import LinuxSystem
internal import Quantities

/// A connection to the service, with the shared memory received over it.
final class ServiceConnection: Sendable {
  let path: String
  let socket: PacketSocket
  let source: ServedSource
  let samples: BroadcastRing<SourcedSample>
  let motions: BroadcastRing<MotionSample>
  let detections: BroadcastRing<SourcedDetection>
  /// The samples of each single chip, if motion combines chips or does not use all of them;
  /// otherwise `nil`.
  let chipSamples: BroadcastRing<SourcedSample>?
  let page: ClientPage

  /// The time within which the service must send its greeting.
  static let greeting = TimeSpan.seconds(2)
  /// The time within which the service must answer a request.
  static let timeout = TimeSpan.seconds(10)

  /// Connects to the service at `path`, and sends this program's name. Connecting is cancelled if
  /// `wakeEvent` is signalled and `isOver` returns true.
  init(
    _ path: String, _ wakeEvent: WakeEvent? = nil, unless isOver: () -> Bool = { false }
  ) throws(ServiceFailure) {
    self.path = path
    let socket: PacketSocket
    do throws(SystemError) { socket = try PacketSocket(connectingTo: path) } catch {
      throw ServiceFailure(connecting: error.errno, path)
    }
    let hello = ServiceRequest.hello(
      newest: ServiceVersion.newest, oldest: ServiceVersion.oldest,
      program: ProcessInfo.processInfo.processName)
    // A service that rejects this program sends the reason before it closes the connection, so
    // ignore send errors and read first.
    _ = socket.send(hello.bytes)
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    let deadline = monotonicNow() + Self.greeting
    var poller = Poller()
    poller.add(socket.rawValue)
    if let wakeEvent { poller.add(wakeEvent.fileDescriptor) }
    while true {
      switch socket.receive(into: &buffer) {
      case .packet(let count, var descriptors):
        switch Self.reply(buffer[..<count]) {
        case .welcome(_, let source):
          guard let samples = Self.samples(descriptors.take(), source.layout),
            let motions: BroadcastRing<MotionSample> = Self.ring(descriptors.take()),
            let detections: BroadcastRing<SourcedDetection> = Self.ring(descriptors.take()),
            let page = Self.page(descriptors.take())
          else { throw .garbled(path) }
          chipSamples = Self.samples(descriptors.take(), source.layout)
          self.source = source
          self.samples = samples
          self.motions = motions
          self.detections = detections
          self.page = page
          self.socket = socket
          return
        case .farewell(let refusal): throw ServiceFailure(refusal)
        default: throw .garbled(path)
        }
      case .nothing:
        guard monotonicNow() < deadline, !isOver() else { throw .silent(path) }
        _ = try? poller.wait(until: deadline)
        wakeEvent?.drain()
      case .end: throw .closed(path)
      case .over: throw .closed(path)
      case .tooLong: throw .garbled(path)
      }
    }
  }

  /// The time of the newest sample or motion in the rings.
  var newest: Timestamp {
    max(samples.newest?.sample.timestamp ?? .zero, motions.newest?.timestamp ?? .zero)
  }

  static func reply(_ bytes: ArraySlice<UInt8>) -> ServiceReply? {
    do throws(MalformedPacket) { return try ServiceReply(bytes) } catch { return nil }
  }

  /// Returns the ring of samples, read with the service's layout, because a service of another
  /// release may have other channels.
  private static func samples(
    _ descriptor: consuming OwnedDescriptor?, _ layout: SampleLayout
  ) -> BroadcastRing<SourcedSample>? {
    guard layout != .own else { return ring(descriptor.take()) }
    guard let memory = memory(descriptor.take()) else { return nil }
    return BroadcastRing(following: memory, elementSize: layout.size) { layout.sample($0) }
  }

  private static func ring<Element>(
    _ descriptor: consuming OwnedDescriptor?
  ) -> BroadcastRing<Element>? {
    guard let memory = memory(descriptor.take()) else { return nil }
    return BroadcastRing(following: memory)
  }

  private static func memory(_ descriptor: consuming OwnedDescriptor?) -> RingMemory? {
    guard let descriptor = descriptor.take(),
      let memory = try? SharedMemory(mapping: descriptor)
    else { return nil }
    // The memory has this number of bytes, and the ring retains it.
    return unsafe RingMemory(at: memory.address, count: memory.count / 8, of: memory)
  }

  private static func page(_ descriptor: consuming OwnedDescriptor?) -> ClientPage? {
    guard let descriptor = descriptor.take(),
      let memory = try? SharedMemory(
        mapping: descriptor, count: ClientPage.bytes, writing: true)
    else { return nil }
    return ClientPage(memory)
  }
}

extension ServiceFailure {
  /// Creates the failure for an error number of connect(2).
  init(connecting number: Int32, _ path: String) {
    switch number {
    case EACCES, EPERM:
      let reason =
        switch SocketAccess(of: path)?.group {
        case nil: "its folder may not be looked into"
        case 0: "it serves only root; \(SocketAccess.stepBeyondRoot)"
        case let group?:
          "your user is not in group \(SocketAccess.name(ofGroup: group)); run: sudo usermod -aG "
            + "\(SocketAccess.name(ofGroup: group)) $USER, then log in again"
        }
      self.init(.denied, "no permission to use the otolith service at \(path): \(reason)")
    case ENOENT, ECONNREFUSED:
      self.init(
        .absent,
        "no otolith service listens at \(path): start it (sudo systemctl start otolith, or otolith service)"
      )
    case EPROTOTYPE:
      self.init(.unavailable, "\(path) is a socket that does not belong to the otolith service")
    default:
      self.init(
        .unavailable,
        "cannot connect to the otolith service at \(path): \(SystemError(errno: number))")
    }
  }

  init(_ refusal: ServiceRefusal) {
    let kind: Kind =
      switch refusal.reason {
      case .denied, .forbidden: .denied
      case .taken: .taken
      case .unavailable, .full, .version, .malformed, .ending: .unavailable
      }
    self.init(kind, refusal.description)
  }

  static func gone(_ path: String) -> ServiceFailure {
    ServiceFailure(
      .absent,
      "the otolith service at \(path) has stopped; waiting for it to return (sudo systemctl status "
        + "otolith)")
  }

  /// Creates the failure for a connection that the service closed before the greeting.
  static func closed(_ path: String) -> ServiceFailure {
    ServiceFailure(
      .absent,
      "the otolith service at \(path) closed the connection: see its log (journalctl -u otolith), "
        + "then try again")
  }

  static func silent(_ path: String) -> ServiceFailure {
    ServiceFailure(
      .unavailable,
      "the otolith service at \(path) does not answer: see its log, or restart it")
  }

  static func garbled(_ path: String) -> ServiceFailure {
    ServiceFailure(
      .unavailable,
      "the otolith service at \(path) uses another protocol: install the same release of both")
  }
}
