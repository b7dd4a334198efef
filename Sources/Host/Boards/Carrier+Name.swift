// SPDX-License-Identifier: Apache-2.0
public import Fusion

extension Carrier {
  /// Creates the carrier (a hand, a person, a vehicle) that has this name in board files and
  /// commands.
  public init?(name: String) {
    guard let carrier = Carrier.allCases.first(where: { $0.name == name }) else { return nil }
    self = carrier
  }

  /// The carrier's name in board files and commands.
  public var name: String {
    switch self {
    case .hand: "hand"
    case .body: "body"
    case .wheels: "wheels"
    case .air: "air"
    case .water: "water"
    }
  }
}
