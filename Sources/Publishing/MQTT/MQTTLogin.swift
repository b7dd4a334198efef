// SPDX-License-Identifier: Apache-2.0

/// The means by which a broker is entered.
package struct MQTTLogin: Equatable, Sendable {
  package var user: String?
  package var password: String?
  /// Of the authorities that a broker's certificate is believed of; `nil`: those of the system.
  package var authorities: String?
  /// The client's own certificate and its key.
  package var certificate: String?
  package var key: String?

  package init() {}
}
