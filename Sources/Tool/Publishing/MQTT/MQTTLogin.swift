// SPDX-License-Identifier: Apache-2.0

/// The login for a broker, and the certificate authorities that verify the broker.
package struct MQTTLogin: Equatable, Sendable {
  package var user: String?
  package var password: String?
  /// The file with the certificate authorities for the broker's certificate; `nil` for the system's
  /// authorities.
  package var authorities: String?
  /// The files with the client's certificate and its private key.
  package var certificate: String?
  package var key: String?

  package init() {}

  /// The files that contain credentials.
  package struct Files: Equatable, Sendable {
    package var login: String?
    package var authorities: String?
    /// The file with the client's certificate.
    package var own: String?
    package var key: String?

    package init(login: String?, authorities: String?, own: String?, key: String?) {
      (self.login, self.authorities, self.own, self.key) = (login, authorities, own, key)
    }

    /// Adds credential files that the user has not given. For `LoadCredential=mqtt:...` systemd
    /// puts them into `folder`; their names are `mqtt_` and the file name (systemd.exec(5)).
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
