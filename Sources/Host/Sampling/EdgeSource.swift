// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// A source of the edges of a chip's interrupt line: the kernel's GPIO, or a model. Only the
/// reader's thread uses it.
public protocol EdgeSource: AnyObject {
  /// Returns the edges of the line since the last call of this function.
  func takeEdges() -> Event
  /// The time of the next edge if that time can be predicted, as in a simulation; otherwise `nil`.
  var nextEdge: Timestamp? { get }
}
