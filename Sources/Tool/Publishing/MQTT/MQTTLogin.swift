// SPDX-License-Identifier: Apache-2.0

/// The login at a broker, and the certificate authorities that verify the broker.
package struct MQTTLogin: Equatable, Sendable {
  package var user: String?
  package var password: String?
  /// The file of certificate authorities for the broker's certificate; `nil` for those of the
  /// system.
  package var authorities: String?
  /// The files of the client's certificate and its private key.
  package var certificate: String?
  package var key: String?

  package init() {}

  /// The files that contain credentials.
  package struct Files: Equatable, Sendable {
    package var login: String?
    package var authorities: String?
    /// The file of the client's certificate.
    package var own: String?
    package var key: String?

    package init(login: String?, authorities: String?, own: String?, key: String?) {
      (self.login, self.authorities, self.own, self.key) = (login, authorities, own, key)
    }

    /// Adds credential files that were not given: those that systemd puts into `folder` for
    /// `LoadCredential=mqtt:...`, named `mqtt_` and the file name (systemd.exec(5)).
    package mutating func complete(
      from folder: String, isEncrypted: Bool, exists: (String) -> Bool
    ) {
      func file(_ name: String) -> String? {
        let path = "\(folder)/mqtt_\(name)"
        return exists(path) ? path : nil
      }
      login = login ?? file("login")
      guard isEncrypted else { return }
      authorities = authorities ?? file("ca.pem")
      // Use a certificate only together with its key.
      if own == nil, let certificate = file("certificate.pem"), let secret = file("key.pem") {
        (own, key) = (certificate, secret)
      }
    }
  }
}
