// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Logging

/// The log of a command in a terminal: each line contains only the message, like other lines on
/// standard error. The service uses another handler, which adds time and level.
struct CommandLog: LogHandler {
  var logLevel = Logger.Level.warning
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { Terminal.complain(event.message.description) }
}
