// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import Quantities

/// One connection: its channel, its stage and the start of its timeouts.
final class WebConnection {
  enum Stage {
    case request
    case webSocket
    /// The last bytes are sent; closing waits for the client, which might otherwise lose them.
    case ending
  }

  let number: ConnectionNumber
  let channel: any NIOCore.Channel
  var stage = Stage.request
  /// The handler that gives deferred responses; `nil` behind the last request.
  weak var handler: HTTPHandler?
  /// True from a request to its response.
  var isAwaited = false
  /// True if a response is not sent whole.
  var isSending = false
  /// True if a request has begun.
  var hasBegun = false
  /// True if a request was answered.
  var wasServed = false
  /// The start of the stage's timeout.
  var since: Timestamp
  /// The time of the last bytes from the client.
  var heard: Timestamp
  var wasPinged = false
  /// The messages in the current ten seconds.
  var messages = (since: Timestamp.zero, count: 0)
  /// The frames that the client has not taken.
  var frames = 0
  private var unsent = 0

  /// The memory that NIO takes for a queued frame besides its bytes, rounded up.
  private static let frameOverhead = 512

  init(_ number: ConnectionNumber, _ channel: any NIOCore.Channel, at now: Timestamp) {
    self.number = number
    self.channel = channel
    since = now
    heard = now
  }

  /// The peer's address, for users.
  var peer: String { channel.remoteAddress?.ipAddress ?? "?" }

  /// True if the connection is idle, so that it can be closed in favour of another.
  var isEvictable: Bool {
    switch stage {
    case .request: !isAwaited
    case .ending: true
    case .webSocket: false
    }
  }

  /// The memory used by what is queued for the client, in bytes. Small frames count with what NIO
  /// needs for each: a client could have many queued.
  var backlog: Int {
    guard let options = channel.syncOptions else { return 0 }
    let bytes = (try? options.getOption(.bufferedWritableBytes)) ?? 0
    return bytes + frames * Self.frameOverhead
  }

  /// Restarts the timeout where the client has taken bytes since the last call.
  func noteProgress(at now: Timestamp) {
    let rest = backlog
    if rest < unsent { since = now }
    unsent = rest
  }
}

/// Counts the bytes of a connection, and notes when a request begins.
final class ByteCounter: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let server: WebServer
  private let connection: WebConnection

  init(_ server: WebServer, _ connection: WebConnection) {
    self.server = server
    self.connection = connection
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    server.heard(connection)
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    server.counts.bytesSent += UInt64(unwrapOutboundIn(data).readableBytes)
    context.write(data, promise: promise)
  }
}
