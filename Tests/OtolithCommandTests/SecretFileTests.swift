// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Files with a secret that other users of the machine can read.
@Suite(.timeLimit(.minutes(1))) struct SecretFileTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write("a-token-of-more-than-16-characters\n", to: "secret")
    try scratch.write("none\n", to: "certificate.pem")
  }

  // Nothing listens at port 1.
  private static let publish =
    "publish mqtts://127.0.0.1:1/t --certificate certificate.pem --key secret --spool spool "
    + "--board simulated -d 0.1"

  @Test func `a key that others can read is reported with the way to close it`() throws {
    func lines(mode: Int) throws -> [String] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: scratch.path + "/secret")
      let ending = try Tool.shell("OTOLITH_SOCKET= \"$OTOLITH\" \(Self.publish)", in: scratch)
      return ending.errorLines.filter { $0.hasPrefix("secret: ") }
    }
    #expect(try lines(mode: 0o644) == ["secret: others can read the key; chmod 600 secret"])
    #expect(try lines(mode: 0o600).isEmpty)
  }

  @Test(arguments: ["a/+", "#", "$SYS"])
  func `a prefix that nobody may publish to is refused before the first message`(_ prefix: String)
    throws
  {
    let ending = try Tool.shell(
      "\"$OTOLITH\" publish mqtt://127.0.0.1:1/t --discovery-prefix '\(prefix)'", in: scratch)
    #expect(ending.status == 64)
    #expect(ending.errors.hasPrefix("--discovery-prefix '\(prefix)': "), "\(ending.errors)")
  }
}
