// SPDX-License-Identifier: Apache-2.0
import Publishing
import Testing

/// The causes of failed TLS connections. The lines are from logs of libmosquitto 2.0.11 with
/// OpenSSL 3.0 against brokers with these faults.
@Suite struct ConnectionFaultTests {
  static let lines: [(String, String)] = [
    (
      "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed",
      "its certificate is not trusted: name the authority that signed it with --ca-file, and check "
        + "the certificate's expiry and this machine's date"
    ),
    (
      "OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number",
      "it does not seem to use TLS on this port: use its TLS port, usually 8883, or mqtt:// "
        + "without TLS"
    ),
    (
      "OpenSSL Error[0]: error:0A000126:SSL routines::unexpected eof while reading",
      "it does not seem to use TLS on this port: use its TLS port, usually 8883, or mqtt:// "
        + "without TLS"
    ),
    (
      "OpenSSL Error[0]: error:0A00045C:SSL routines::tlsv13 alert certificate required",
      "it requires a client certificate: name one with --certificate and --key"
    ),
    (
      "OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca",
      "it rejects the client certificate of --certificate: it has expired, or is not signed by an "
        + "authority that the broker trusts"
    ),
    (
      "Error: Unable to load CA certificates, check cafile \"ca.pem\".",
      "the file of --ca-file holds no certificates in PEM"
    ),
    (
      "Error: Unable to load client certificate \"me.pem\".",
      "the file of --certificate holds no certificate in PEM"
    ),
    (
      "Error: Unable to load client key file \"me.key\".",
      "the file of --key holds no key in PEM, or not that of --certificate"
    ),
  ]

  @Test(arguments: lines)
  func `the line of the library has its sentence`(_ line: String, _ sentence: String) {
    #expect(ConnectionFault.cause(inHandshake: ["Error: first", line]) == sentence)
  }

  /// The return codes of MQTT 3.1.1, table 3.1, with and without a login.
  @Test(
    arguments: [
      (1, true, "it does not speak MQTT 3.1.1"), (2, true, "it rejects the client identifier"),
      (3, true, "it is temporarily unavailable"),
      (
        4, true,
        "it rejects the user name or the password: see --login-file, OTOLITH_MQTT_USER and "
          + "OTOLITH_MQTT_PASSWORD"
      ),
      (5, false, "it requires a user name and a password: name them with --login-file"),
      (6, true, nil),
    ] as [(Int32, Bool, String?)])
  func `each answer to a login has its next step`(_ code: Int32, _ hasUser: Bool, _ said: String?) {
    #expect(ConnectionFault.cause(ofAnswer: code, hasUser: hasUser) == said)
    #expect(ConnectionFault.mayPass(answer: code) == (code == 3))
  }

  /// OpenSSL logs a failed verification after libmosquitto has logged the reason.
  @Test func `a certificate for another name is not called untrusted`() {
    let log = [
      "Error: host name verification failed.",
      "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed",
    ]
    #expect(
      ConnectionFault.cause(inHandshake: log)
        == "its certificate has another name: connect to the name in the certificate")
  }

  @Test func `a line without a known cause has none`() {
    #expect(ConnectionFault.cause(inHandshake: []) == nil)
    #expect(ConnectionFault.cause(inHandshake: ["Error: something else."]) == nil)
  }
}
