// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import Service

/// The users who may use a service, and how much of it.
public struct ServicePolicy: Sendable {
  /// The group whose members may read; `nil`: every user whom the socket's file lets connect.
  public var group: UInt32?
  /// The user who may reconfigure, besides root.
  public var owner: UInt32
  /// So many programs at once.
  public var mostClients = 64
  /// The largest number of programs of one user, so that another user finds room. Root has no such
  /// limit.
  public var mostOfOneUser = 48
  /// Questions of one program in a second, over a while; a program that asks more waits. One for
  /// the status counts as twenty, what it wants as ten.
  public var mostQuestions = 2000.0
  /// The time that a connection may take to send its greeting, in seconds.
  public var patience = 5.0

  public init(group: UInt32?, owner: UInt32) {
    self.group = group
    self.owner = owner
  }

  /// Returns true where `peer` may read.
  func admits(_ peer: Peer) -> Bool {
    guard let group else { return true }
    return peer.user == 0 || peer.user == owner || peer.isMember(of: group)
  }

  /// Returns true where `peer` may change what others see.
  func obeys(_ peer: Peer) -> Bool { peer.user == 0 || peer.user == owner }

  /// The reason that keeps `peer` out, for people.
  var refusal: ServiceRefusal {
    guard let group, group != 0 else {
      return ServiceRefusal(
        .forbidden, "the otolith service serves root alone; \(SocketAccess.stepBeyondRoot)")
    }
    let name = SocketAccess.name(ofGroup: group)
    return ServiceRefusal(
      .forbidden,
      "the otolith service serves group \(name) alone; run: sudo usermod -aG \(name) $USER, then log in again"
    )
  }
}
