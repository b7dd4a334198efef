// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Logging

/// The log of a command in a terminal: a line contains only the message, like all others on
/// standard error. The service, whose log is stored, logs with time and level.
struct CommandLog: LogHandler {
  var logLevel = Logger.Level.warning
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { Terminal.complain(event.message.description) }
}
