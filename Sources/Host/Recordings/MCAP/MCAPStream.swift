// SPDX-License-Identifier: Apache-2.0

/// The bytes of an MCAP file that is written from start to end.
package struct MCAPStream: Sendable {
  private var summary: MCAPSummary
  private var chunk = MCAPChunk()
  private var written = 0

  /// Begins an MCAP file with `channels` in `buffer`.
  package init(channels: [MCAPChannel], to buffer: inout [UInt8]) {
    summary = MCAPSummary(channels: channels)
    let definitions = summary.definitions
    add(MCAPRecord.beginning + definitions.schemas + definitions.channels, to: &buffer)
  }

  /// Appends the bytes of `message` to `buffer`.
  package mutating func append(_ message: MCAPMessage, to buffer: inout [UInt8]) {
    chunk.add(message, sequence: summary.count(message))
    if chunk.isLong { endChunk(to: &buffer) }
  }

  /// Appends the end of the MCAP file to `buffer`.
  package mutating func finish(to buffer: inout [UInt8]) {
    if chunk.count > 0 { endChunk(to: &buffer) }
    add(summary.end(at: written), to: &buffer)
  }

  private mutating func endChunk(to buffer: inout [UInt8]) {
    let (bytes, index) = chunk.written(at: written)
    add(bytes, to: &buffer)
    summary.add(chunk, index: index)
    chunk = MCAPChunk()
  }

  private mutating func add(_ bytes: [UInt8], to buffer: inout [UInt8]) {
    buffer += bytes
    written += bytes.count
  }
}
