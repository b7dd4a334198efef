// SPDX-License-Identifier: Apache-2.0

/// The cause of a failed TLS connection. It is found in the logs of libmosquitto and OpenSSL,
/// because the error number does not distinguish the causes.
package enum ConnectionFault {
  /// The patterns for log lines in lower case, each with the message text that follows the broker's
  /// name. The first match is used. The texts are from libmosquitto's net_mosq.c and tls_mosq.c and
  /// from OpenSSL's ssl_err.c, versions 1.1.1 and 3.
  private static let causes: [(signs: [String], sentence: String)] = [
    (
      ["host name verification failed"],
      "its certificate has another name: connect to the name in the certificate"
    ),
    (
      ["certificate verify failed"],
      "its certificate is not trusted: name the authority that signed it with --ca-file, and check "
        + "the certificate's expiry and this machine's date"
    ),
    (
      [
        "wrong version number", "packet length too long", "unknown protocol", "http request",
        "unexpected eof",
      ],
      "it does not seem to use TLS on this port: use its TLS port, usually 8883, or mqtt:// "
        + "without TLS"
    ),
    (
      ["alert certificate required", "peer did not return a certificate"],
      "it requires a client certificate: name one with --certificate and --key"
    ),
    (
      ["alert unknown ca", "alert bad certificate", "alert certificate expired"],
      "it rejects the client certificate of --certificate: it has expired, or is not signed by an "
        + "authority that the broker trusts"
    ),
    (
      ["alert handshake failure"],
      "it rejects the TLS handshake: it may require a client certificate (--certificate and --key)"
    ),
    (
      ["unable to load ca certificates"],
      "the file of --ca-file holds no certificates in PEM"
    ),
    (
      ["unable to load client certificate"],
      "the file of --certificate holds no certificate in PEM"
    ),
    (
      ["unable to load client key", "key values mismatch", "certificate/key are inconsistent"],
      "the file of --key holds no key in PEM, or not that of --certificate"
    ),
  ]

  /// Returns the cause found in the log of a TLS handshake, as a message about the broker; `nil` if
  /// no pattern matches.
  package static func cause(inHandshake log: [String]) -> String? {
    let text = log.joined(separator: "\n").lowercased()
    return causes.first { $0.signs.contains { text.contains($0) } }?.sentence
  }

  /// Returns the meaning of the broker's return code for a login, as a message about the broker;
  /// `nil` for a code that MQTT 3.1.1 does not define (3.2.2.3).
  package static func cause(ofAnswer code: Int32, hasUser: Bool) -> String? {
    switch code {
    case 1: "it does not speak MQTT 3.1.1"
    case 2: "it rejects the client identifier"
    case 3: "it is temporarily unavailable"
    case 4, 5:
      hasUser
        ? "it rejects the user name or the password: see --login-file, OTOLITH_MQTT_USER and "
          + "OTOLITH_MQTT_PASSWORD"
        : "it requires a user name and a password: name them with --login-file"
    default: nil
    }
  }

  /// Returns true if the broker may accept this login later, because it is starting or overloaded.
  package static func mayPass(answer code: Int32) -> Bool { code == 3 }

  /// Returns the likely cause if a broker ended the connection before it answered the login. If the
  /// broker resets the connection, a TLS alert with the cause is lost.
  package static func likelyCause(isEncrypted: Bool, hasCertificate: Bool) -> String {
    switch (isEncrypted, hasCertificate) {
    case (false, _):
      "it ended the connection without an answer: if this is a TLS port, use mqtts://"
    case (true, false):
      "it ended the connection in the TLS handshake: it may require a client certificate "
        + "(--certificate and --key)"
    case (true, true):
      "it ended the connection in the TLS handshake: it may reject the client certificate of "
        + "--certificate, which has expired or is not signed by an authority that the broker trusts"
    }
  }
}
