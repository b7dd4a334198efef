// SPDX-License-Identifier: Apache-2.0

/// The credentials for a broker, and the authorities that its certificate is checked against.
package struct MQTTLogin: Equatable, Sendable {
  package var user: String?
  package var password: String?
  /// The file of the authorities that may sign the broker's certificate; `nil`: the system's.
  package var authorities: String?
  /// The client's own certificate and its key.
  package var certificate: String?
  package var key: String?

  package init() {}

  /// The files that credentials are read from.
  package struct Files: Equatable, Sendable {
    package var login: String?
    package var authorities: String?
    /// The client's own certificate.
    package var own: String?
    package var key: String?

    package init(login: String?, authorities: String?, own: String?, key: String?) {
      (self.login, self.authorities, self.own, self.key) = (login, authorities, own, key)
    }

    /// Adds the files that systemd puts into `folder` for `LoadCredential=mqtt:...`, named
    /// `mqtt_` and the file's own name (systemd.exec(5)), where none was given.
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
      // A certificate and its key are one.
      if own == nil, let certificate = file("certificate.pem"), let secret = file("key.pem") {
        (own, key) = (certificate, secret)
      }
    }
  }
}
