// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxBus
internal import Quantities
internal import Service

/// One connection, as the server's control thread sees it.
final class Connection {
  let member: Member
  /// The program's name; `nil` before its greeting.
  var program: String?
  var demand = SampleDemand.nothing
  /// True where it wants movement to be counted.
  var countsMovement = false
  /// A question about movement of its is being answered: the next one comes after that.
  var isAsking = false
  private(set) var requests: UInt64 = 0
  /// True where it has not been told the chips' states.
  var lacksChips = false
  /// Nothing more is read from it.
  var isOver = false
  /// Replies that could not be sent yet.
  private var outbox: [[UInt8]] = []
  /// Questions that it may ask now, and since when that is so.
  private var tokens: Double
  private var refilled: Timestamp

  init(_ member: Member, _ policy: ServicePolicy) {
    self.member = member
    tokens = policy.mostQuestions / 4
    refilled = member.start
  }

  /// For people.
  var name: String {
    "\(program ?? "a program") (process \(member.peer.process), user \(member.peer.user))"
  }

  /// A name that a terminal and a log can show: nothing that ends a line or moves the cursor.
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

  /// Returns true where the next question may be read.
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

  /// Takes off the cost of `question` beyond that of any other, in questions.
  func countCost(of question: ServiceQuestion) {
    switch question {
    // All programs in JSON: half a millisecond, where others take some microseconds.
    case .status: tokens -= 19
    // The demand of all programs together, told to the readers.
    case .want: tokens -= 9
    // Read from the disk, as long as that takes.
    case .movement(.total), .movement(.activities): tokens -= 19
    default: break
    }
  }

  /// True where something waits until the program takes what came before.
  var isFull: Bool { !outbox.isEmpty }

  /// Sends a reply, or keeps it until the program takes it.
  func send(_ reply: ServiceReply, descriptors: [Int32] = []) {
    let bytes = reply.bytes
    guard outbox.isEmpty else { return outbox.append(bytes) }
    switch member.socket.send(bytes, descriptors: descriptors) {
    case .sent: break
    // A welcome is the first packet of all: there is room for it.
    case .full: outbox.append(bytes)
    case .over: isOver = true
    }
  }

  /// Sends what has waited.
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
