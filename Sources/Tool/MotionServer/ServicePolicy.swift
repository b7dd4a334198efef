// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import Runtime
internal import Service

/// The users who may use a service, and the limits for clients.
package struct ServicePolicy: Sendable {
  /// The group whose members may read; `nil` for every user who may connect to the socket.
  package var group: UInt32?
  /// The user who may change the configuration, in addition to root.
  package var owner: UInt32
  /// The largest number of connected clients.
  package var mostClients = 64
  /// The largest number of clients of one user. The limit leaves room for other users; root has no
  /// such limit.
  package var mostOfOneUser = 48
  /// The largest mean number of requests per second from one client; further requests wait. A
  /// status request counts as twenty requests, a change of demand as ten.
  package var mostQuestions = 2000.0
  /// The time within which a client must send its greeting, in seconds.
  package var greetingTimeout = 5.0

  package init(group: UInt32?, owner: UInt32) {
    self.group = group
    self.owner = owner
  }

  /// Returns true if the user of `peer` may read.
  func admits(_ peer: Peer) -> Bool {
    guard let group else { return true }
    return peer.user == 0 || peer.user == owner || peer.isMember(of: group)
  }

  /// Returns true if the user of `peer` may make changes that affect other clients.
  func obeys(_ peer: Peer) -> Bool { peer.user == 0 || peer.user == owner }

  /// The reason why a user is rejected, for the client's error message.
  var refusal: ServiceRefusal {
    guard let group, group != 0 else {
      return ServiceRefusal(
        .forbidden, "the otolith service serves only root; \(SocketAccess.stepBeyondRoot)")
    }
    let name = SocketAccess.name(ofGroup: group)
    return ServiceRefusal(
      .forbidden,
      "the otolith service serves only group \(name); run: sudo usermod -aG \(name) $USER, then "
        + "log in again"
    )
  }
}
