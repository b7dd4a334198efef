// SPDX-License-Identifier: Apache-2.0

/// Credentials for a broker, and the authorities for verifying its certificate.
package struct MQTTLogin: Equatable, Sendable {
  package var user: String?
  package var password: String?
  /// The file of certificate authorities for the broker; `nil` for the system's.
  package var authorities: String?
  /// The client's certificate and key.
  package var certificate: String?
  package var key: String?

  package init() {}

  /// The files with credentials.
  package struct Files: Equatable, Sendable {
    package var login: String?
    package var authorities: String?
    /// The client's certificate.
    package var own: String?
    package var key: String?

    package init(login: String?, authorities: String?, own: String?, key: String?) {
      (self.login, self.authorities, self.own, self.key) = (login, authorities, own, key)
    }

    /// Adds the files that systemd puts into `folder` for `LoadCredential=mqtt:...`, named `mqtt_`
    /// and the file name (systemd.exec(5)), where none was given.
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
      // A certificate is used only with its key.
      if own == nil, let certificate = file("certificate.pem"), let secret = file("key.pem") {
        (own, key) = (certificate, secret)
      }
    }
  }
}
