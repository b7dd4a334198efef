// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// A source of edges of a chip's interrupt line: the kernel's GPIO, or a model. Used from the
/// reader's thread.
public protocol EdgeSource: AnyObject {
  /// Returns the edges since the last call.
  func takeEdges() -> Event
  /// The time of the next edge, where it is predictable: in a simulation.
  var nextEdge: Timestamp? { get }
}
