// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// A handler that frees a descriptor if the process has none left for a new connection. It closes
/// an idle connection. If there is no idle connection, no connection is accepted for 0.1 s.
final class AcceptHandler: ChannelDuplexHandler {
  typealias InboundIn = any NIOCore.Channel
  typealias InboundOut = any NIOCore.Channel
  typealias OutboundIn = Never

  private let server: WebServer
  private var isPaused = false
  private var isReadPending = false

  init(_ server: WebServer) { self.server = server }

  func read(context: ChannelHandlerContext) {
    if isPaused { isReadPending = true } else { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let number = (error as? IOError)?.errnoCode,
      [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number)
    else { return }  // The client disconnected.
    server.note("descriptors", "no descriptor is left")
    // After an idle connection is closed, its descriptor is free for the new connection.
    if number == EMFILE, server.evict() { return }
    isPaused = true
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) { [self] in
      isPaused = false
      if isReadPending {
        isReadPending = false
        context.read()
      }
    }
  }
}

/// A handler that sends an error to a connection beyond the limit, and closes it.
final class SurplusHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = HTTPServerResponsePart

  private let answer: HTTPAnswer

  init(_ answer: HTTPAnswer) { self.answer = answer }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(answer.head(keepsAlive: false))), promise: nil)
    let body = context.channel.allocator.buffer(bytes: answer.body)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
