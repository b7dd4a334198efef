// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Runtime
internal import LinuxSystem
internal import Quantities
internal import Service
internal import Synchronization

/// The state of a service, for monitoring.
package struct ServiceHealth: Equatable, Sendable {
  package var programs: Int
  /// True while the chips run for a client.
  package var isRunning: Bool
}

extension MotionServer {
  /// The status as JSON. If not all clients fit into a packet, the newest clients are omitted.
  var shortStatus: [UInt8] {
    var status = status
    var json = status.json
    while json.count > ServiceReply.mostBytes - 16, !status.clients.isEmpty {
      status.clients.removeLast((status.clients.count + 1) / 2)
      json = status.json
    }
    return json
  }

  private var status: ServiceStatus {
    let now = monotonicNow()
    var status = ServiceStatus(
      socket: path, group: policy.group.map { SocketAccess.name(ofGroup: $0) } ?? "",
      uptime: (now - start).seconds, board: source.name, process: getpid(), user: geteuid())
    status.isRunning = source.pipeline.isInUse
    status.wants = source.pipeline.demand.wants
    let chips = source.pipeline.chips
    status.chips = source.report.enumerated().map { index, report in
      var sentence = ""
      if chips.indices.contains(index), case .failed(let error) = chips[index] {
        sentence = source.failure(error, ofChip: index, chips)
      }
      return ServiceStatus.Chip(report, sentence: sentence)
    }
    status.clients = connections.map { connection in
      let client = connection.client
      return ServiceStatus.Client(
        program: connection.program ?? "", process: client.peer.process, user: client.peer.user,
        age: (now - client.start).seconds, wants: connection.demand.wants,
        requests: connection.requests, wakes: client.wakes.load(ordering: .relaxed),
        missed: client.page.missed)
    }
    status.take(source.pipeline.faults)
    status.samples = source.pipeline.samples.count
    status.motions = source.pipeline.motions.count
    status.dropped = dropped
    status.refused = refused
    status.sharedMemory = (rings + [chipSamples].compactMap(\.self)).reduce(0) {
      $0 + UInt64($1.count)
    }
    (status.residentMemory, status.processorTime) = ProcessUsage.now
    return status
  }
}
