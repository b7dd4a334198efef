// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import Quantities

/// One client connection: its channel, its stage (request, WebSocket, ending), and the
/// start of its current timeout.
final class WebConnection {
  enum Stage {
    case request
    case webSocket
    /// The last bytes are being sent. Closing waits for the client, because the client might
    /// otherwise lose these bytes.
    case ending
  }

  let number: ConnectionNumber
  let channel: any NIOCore.Channel
  var stage = Stage.request
  /// The handler for deferred responses; `nil` after the last request.
  weak var handler: HTTPHandler?
  /// True from a request until its response.
  var isAwaited = false
  /// True while a response is partly sent.
  var isSending = false
  /// True if a request has begun.
  var hasBegun = false
  /// True if a request was answered.
  var wasServed = false
  /// The start of the timeout of the current stage.
  var since: Timestamp
  /// The time when the last bytes from the client arrived.
  var lastActivity: Timestamp
  var wasPinged = false
  /// The number of messages in the current period of ten seconds, and its start.
  var messages = (since: Timestamp.zero, count: 0)
  /// The number of frames that the client has not received yet.
  var frames = 0
  private var unsent = 0

  /// The memory that NIO needs for a queued frame in addition to the frame's bytes, rounded up.
  private static let frameOverhead = 512

  init(_ number: ConnectionNumber, _ channel: any NIOCore.Channel, at now: Timestamp) {
    self.number = number
    self.channel = channel
    since = now
    lastActivity = now
  }

  /// The client's IP address, as users read it.
  var peer: String { channel.remoteAddress?.ipAddress ?? "?" }

  /// True if the connection is idle, so that it can be closed in favour of another connection.
  var isEvictable: Bool {
    switch stage {
    case .request: !isAwaited
    case .ending: true
    case .webSocket: false
    }
  }

  /// The memory that everything queued for the client uses, in bytes. NIO's overhead for each frame
  /// counts too, because many small frames may be queued for a client.
  var backlog: Int {
    guard let options = channel.syncOptions else { return 0 }
    let bytes = (try? options.getOption(.bufferedWritableBytes)) ?? 0
    return bytes + frames * Self.frameOverhead
  }

  /// Restarts the timeout if the client has received bytes since the last call.
  func noteProgress(at now: Timestamp) {
    let rest = backlog
    if rest < unsent { since = now }
    unsent = rest
  }
}

/// A handler that counts the bytes of a connection, and detects when a request begins.
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
    server.noteActivity(of: connection)
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    server.counts.bytesSent += UInt64(unwrapOutboundIn(data).readableBytes)
    context.write(data, promise: promise)
  }
}
