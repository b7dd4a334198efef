// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import Boards
import Otolith
import Publishing
import Text

/// A quantity to publish and its number of messages per second, such as `motion=10` or
/// `pressure=0.1`.
struct RateOption: TypedArgument {
  /// The channel; `nil` for motion.
  let channel: Channel?
  /// The number of messages per second; 0 turns the quantity off.
  let rate: Double

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let rate = Double(parts[1]), rate >= 0, rate <= 10_000 else {
      return nil
    }
    let channel = Channel.allCases.first { "\($0.row.name)" == parts[0] }
    guard channel != nil || parts[0] == "motion" else { return nil }
    self.channel = channel
    self.rate = rate
  }

  static func wrong(_ text: String) -> WrongValue {
    let names = ["motion"] + Channel.allCases.map { "\($0.row.name)" }
    let form =
      "a quantity (\(names.joined(separator: ", "))), = and a number of messages a second from 0 "
      + "to 10000"
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard let nearest = parts.first.flatMap({ NearestWord.to($0, among: names) }), parts.count == 2,
      RateOption(argument: "\(nearest)=\(parts[1])") != nil
    else { return WrongValue(form, example: "motion=10") }
    return WrongValue(form, meant: ["\(nearest)=\(parts[1])"], example: "")
  }
}

/// Options for the broker's user, password and TLS certificates.
struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the user name in its first line and the password in its second.",
      discussion:
        "Without it OTOLITH_MQTT_USER and OTOLITH_MQTT_PASSWORD are used. There is no option for "
        + "the password, because all users of the machine can read command lines. In a systemd "
        + "unit with LoadCredential=mqtt:FOLDER, the files login, ca.pem, certificate.pem and "
        + "key.pem of that folder replace missing options.", valueName: "file"))
  var loginFile: String?

  @Option(
    help: ArgumentHelp(
      "The CA certificate for the broker. (default: the system's)",
      valueName: "file.pem"))
  var caFile: String?

  @Option(help: ArgumentHelp("The client certificate.", valueName: "file.pem"))
  var certificate: String?

  @Option(help: ArgumentHelp("The key of the client certificate.", valueName: "file.pem"))
  var key: String?

  func validate() throws {
    if (certificate == nil) != (key == nil) {
      throw ValidationError("--certificate and --key belong together")
    }
  }

  func login(_ address: MQTTAddress) throws(Failure) -> MQTTLogin {
    let environment = ProcessInfo.processInfo.environment
    var files = MQTTLogin.Files(login: loginFile, authorities: caFile, own: certificate, key: key)
    if let folder = environment["CREDENTIALS_DIRECTORY"] {
      guard FileManager.default.isReadableFile(atPath: folder) else {
        throw Failure(
          "\(folder), where systemd puts the unit's credentials, cannot be read", Failure.noInput)
      }
      files.complete(from: folder, isEncrypted: address.isEncrypted) {
        FileManager.default.fileExists(atPath: $0)
      }
    }
    var login = MQTTLogin()
    login.user = environment["OTOLITH_MQTT_USER"]
    login.password = environment["OTOLITH_MQTT_PASSWORD"]
    if let file = files.login {
      let text = try SecretFile.text(of: file, content: "the user and the password")
      let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
      guard let user = lines.first, !user.isEmpty else {
        throw Failure("\(file): its first line is not a user name", Failure.badData)
      }
      login.user = user
      login.password = lines.dropFirst().first
    }
    if !address.isEncrypted {
      guard caFile == nil, certificate == nil else {
        throw Failure(
          "certificates need mqtts://, and the connection to \(address.broker) is unencrypted",
          Failure.usage)
      }
      if login.password != nil, !["localhost", "127.0.0.1", "::1"].contains(address.host) {
        Terminal.complain("the password is sent to \(address.broker) unencrypted; use mqtts://")
      }
    }
    for file in [files.authorities, files.own, files.key].compactMap(\.self)
    where !FileManager.default.isReadableFile(atPath: file) {
      throw Failure("\(file): cannot be read", Failure.noInput)
    }
    if let key = files.key { SecretFile.warn(about: key, content: "the key") }
    login.authorities = files.authorities
    login.certificate = files.own
    login.key = files.key
    return login
  }
}

/// Options for storing messages while the broker is unreachable.
struct SpoolOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder for messages while the broker is unreachable. (default: a folder named after the "
        + "topic in $STATE_DIRECTORY, else in ~/.local/state/otolith)", valueName: "folder"))
  var spool: String?

  @Option(
    help: ArgumentHelp(
      "The maximum size of the folder (kB, MB, GB); beyond it the oldest messages are dropped and "
        + "counted. (default: 64 MB)",
      valueName: "64MB"), transform: RotateOption.readSize)
  var spoolLimit: RotateOption?

  var limit: Int { if case .size(let bytes) = spoolLimit { bytes } else { 64_000_000 } }

  func folder(_ address: MQTTAddress) -> String {
    if let spool { return spool }
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? "/var/lib"
    let state =
      environment["STATE_DIRECTORY"]
      ?? (environment["XDG_STATE_HOME"] ?? home + "/.local/state") + "/otolith"
    return state + "/publish/" + Discovery.word(address.broker + "_" + address.topic)
  }
}
