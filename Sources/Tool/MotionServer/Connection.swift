// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxSystem
internal import Quantities
internal import Service

/// One connection, in the server's control thread.
final class Connection {
  let member: ClientSession
  /// The program's name; `nil` before its greeting.
  var program: String?
  var demand = SampleDemand.nothing
  /// True if the program requests counting of movement.
  var countsMovement = false
  /// True while its query about movement is being answered: its next request is read after that.
  var isAsking = false
  private(set) var requests: UInt64 = 0
  /// True if the current chip states must still be sent.
  var lacksChips = false
  /// True if nothing more is read from it.
  var isOver = false
  /// Replies that could not be sent yet.
  private var outbox: [[UInt8]] = []
  /// The number of requests that it may make now (a token bucket), and the time of that number.
  private var tokens: Double
  private var refilled: Timestamp

  init(_ member: ClientSession, _ policy: ServicePolicy) {
    self.member = member
    tokens = policy.mostQuestions / 4
    refilled = member.start
  }

  /// The program's name, process and user, for people.
  var name: String {
    "\(program ?? "a program") (process \(member.peer.process), user \(member.peer.user))"
  }

  /// Returns the name without characters that end a line or move the cursor, for terminals and
  /// logs.
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

  /// Returns true if the next request may be read.
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

  /// Deducts the cost of `question` beyond that of a basic request, in requests.
  func countCost(of question: ServiceQuestion) {
    switch question {
    // All programs in JSON: half a millisecond, instead of some microseconds for others.
    case .status: tokens -= 19
    // The combined demand of all programs, passed to the readers.
    case .want: tokens -= 9
    // Read from the disk, which may take any time.
    case .total, .activities: tokens -= 19
    default: break
    }
  }

  /// True while replies wait for the program to read earlier ones.
  var isFull: Bool { !outbox.isEmpty }

  /// Sends a reply, or queues it until the program has read earlier ones.
  func send(_ reply: ServiceReply, descriptors: [Int32] = []) {
    let bytes = reply.bytes
    guard outbox.isEmpty else { return outbox.append(bytes) }
    switch member.socket.send(bytes, descriptors: descriptors) {
    case .sent: break
    // A welcome, with descriptors, is the first packet, so the socket has room for it.
    case .full: outbox.append(bytes)
    case .over: isOver = true
    }
  }

  func flush() {
    while let bytes = outbox.first {
      switch member.socket.send(bytes) {
      case .sent: outbox.removeFirst()
      case .full: return
      case .over:
        isOver = true
        return
      }
    }
  }
}
