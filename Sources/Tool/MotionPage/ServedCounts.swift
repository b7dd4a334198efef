// SPDX-License-Identifier: Apache-2.0
import MotionServer
import MotionViews
import WebServer

/// The server's counts since its start, and its current clients.
struct ServedCounts {
  var web: WebCounts
  /// The number of connected pages, and the number of connected Foxglove clients.
  var viewers: Int
  var clients: Int
  var frames: UInt64
  var skippedFrames: UInt64
  var messages: UInt64
  var droppedMessages: UInt64
}

extension Metrics {
  mutating func add(_ counts: ServedCounts) {
    let web = counts.web
    add("otolith_web_connections", .gauge, "Connections.", Double(web.open))
    add(
      "otolith_web_accepted_connections_total", .counter, "Connections that came.",
      Double(web.accepted))
    add(
      "otolith_web_evicted_connections_total", .counter,
      "Connections closed to make room for others.", Double(web.evicted))
    add("otolith_web_requests_total", .counter, "Requests.", Double(web.requests))
    add(
      "otolith_web_refused_total", .counter, "Rejected requests, by reason.",
      web.refused.sorted { $0.key < $1.key }.map { ([("reason", $0.key)], Double($0.value)) })
    add("otolith_web_sent_bytes_total", .counter, "Bytes sent.", Double(web.bytesSent))
    add("otolith_web_viewers", .gauge, "Pages that watch.", Double(counts.viewers))
    add("otolith_web_frames_total", .counter, "Frames sent to pages.", Double(counts.frames))
    add(
      "otolith_web_skipped_frames_total", .counter,
      "Frames not sent, because the page had not drawn the previous ones.",
      Double(counts.skippedFrames))
    add(
      "otolith_foxglove_clients", .gauge, "Clients of Foxglove's protocol.",
      Double(counts.clients))
    add(
      "otolith_foxglove_messages_total", .counter, "Messages sent to them.",
      Double(counts.messages))
    add(
      "otolith_foxglove_dropped_messages_total", .counter,
      "Messages dropped, because the client did not read.", Double(counts.droppedMessages))
    let usage = ProcessUsage.now
    add(
      "process_cpu_seconds_total", .counter, "Processor time of the process.", usage.seconds)
    add(
      "process_resident_memory_bytes", .gauge, "Memory of the process.", Double(usage.memory))
  }
}
