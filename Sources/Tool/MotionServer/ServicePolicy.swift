// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import Runtime
internal import Service

/// The users who may use a service, and their limits.
package struct ServicePolicy: Sendable {
  /// The group whose members may read; `nil` for every user whom the socket's file permissions
  /// allow to connect.
  package var group: UInt32?
  /// The user who may reconfigure, in addition to root.
  package var owner: UInt32
  /// The largest number of connected programs.
  package var mostClients = 64
  /// The largest number of programs of one user, which leaves room for other users. Root has no
  /// such limit.
  package var mostOfOneUser = 48
  /// The largest number of requests per second from one program, averaged over a short time;
  /// further requests wait. A status request counts as twenty, a change of demand as ten.
  package var mostQuestions = 2000.0
  /// The timeout for a connection's greeting, in seconds.
  package var patience = 5.0

  package init(group: UInt32?, owner: UInt32) {
    self.group = group
    self.owner = owner
  }

  /// Returns true if `peer` may read.
  func admits(_ peer: Peer) -> Bool {
    guard let group else { return true }
    return peer.user == 0 || peer.user == owner || peer.isMember(of: group)
  }

  /// Returns true if `peer` may make changes that affect other programs.
  func obeys(_ peer: Peer) -> Bool { peer.user == 0 || peer.user == owner }

  /// The reason for rejecting a user, for people.
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
