// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxSystem
internal import Quantities
internal import Service

/// One client connection, as the server's control thread uses it.
final class Connection {
  let client: ClientSession
  /// The index of the connection's descriptor in the server's poller.
  let slot: Int
  /// The client program's name; `nil` before its greeting.
  var program: String?
  var demand = SampleDemand.nothing
  /// True if the client has requested that steps and activities are counted.
  var countsMovement = false
  /// True while the client's query about movement is being answered. The client's next request is
  /// read after the answer.
  var isAsking = false
  private(set) var requests: UInt64 = 0
  /// True if the current chip states still have to be sent to the client.
  var lacksChips = false
  /// The chip states that were sent to the client; `nil` before the first.
  var chips: ChipStates?
  /// True if no more data is read from the client.
  var isOver = false
  /// The replies that could not be sent yet.
  private var outbox: [[UInt8]] = []
  /// The number of requests that the client may make now (a token bucket), and the time at which
  /// this number was computed.
  private var tokens: Double
  private var refilled: Timestamp

  init(_ client: ClientSession, _ policy: ServicePolicy, slot: Int) {
    self.client = client
    self.slot = slot
    tokens = policy.mostQuestions / 4
    refilled = client.start
  }

  /// The client program's name, process and user, for logs.
  var name: String {
    "\(program ?? "a program") (process \(client.peer.process), user \(client.peer.user))"
  }

  /// Returns `name` without characters that end a line or move the cursor, for terminals and logs.
  static func printable(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: break
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  /// Returns true if the client's next request may be read now.
  func mayAsk(_ policy: ServicePolicy, at now: Timestamp) -> Bool {
    let most = policy.mostQuestions / 4
    tokens = min(most, tokens + (now - refilled).seconds * policy.mostQuestions)
    refilled = now
    return outbox.isEmpty && tokens >= 1 && !isAsking
  }

  func countRequest() {
    requests += 1
    tokens -= 1
  }

  /// Deducts the cost of `question` beyond the cost of a basic request. The unit is one request.
  func countCost(of question: ServiceQuestion) {
    switch question {
    // A status describes all clients in JSON, which takes 0.5 ms of computation. A basic request
    // takes microseconds.
    case .status: tokens -= 19
    // A change of demand is combined with the demands of all clients and passed to the readers.
    case .want: tokens -= 9
    // Queries about movement read from the disk, which can be slow.
    case .total, .activities: tokens -= 19
    default: break
    }
  }

  /// True while replies are queued because the client has not read earlier ones.
  var isFull: Bool { !outbox.isEmpty }

  /// Sends a reply, or queues it until the client has read earlier replies.
  func send(_ reply: ServiceReply, descriptors: [Int32] = []) {
    let bytes = reply.bytes
    guard outbox.isEmpty else { return outbox.append(bytes) }
    switch client.socket.send(bytes, descriptors: descriptors) {
    case .sent: break
    // Replies with descriptors are never queued. Only the welcome has descriptors, and the socket
    // has room for this first packet.
    case .full: outbox.append(bytes)
    case .over: isOver = true
    }
  }

  func flush() {
    while let bytes = outbox.first {
      switch client.socket.send(bytes) {
      case .sent: outbox.removeFirst()
      case .full: return
      case .over:
        isOver = true
        return
      }
    }
  }
}
