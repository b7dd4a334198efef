// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Secret files that other users of the machine can read.
@Suite(.timeLimit(.minutes(1))) struct SecretFileTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write("a-token-of-more-than-16-characters\n", to: "secret")
    try scratch.write("none\n", to: "certificate.pem")
  }

  // No server listens on port 1.
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
    #expect(try lines(mode: 0o644) == ["secret: other users can read the key; chmod 600 secret"])
    #expect(try lines(mode: 0o600).isEmpty)
  }

  @Test(arguments: [
    ("none", Int32(66), "none: no such file, to read # from"),
    ("''", 66, "'': no such file, to read # from"),
    (".", 66, ".: is a folder; name the file in it that holds #"),
    ("/dev/null", 65, "/dev/null: is empty, without #"),
    ("/dev/zero", 65, "/dev/zero: has more than 65536 bytes; is this the file that holds #?"),
    ("latin-1", 65, "latin-1: is not text in UTF-8"),
  ])
  func `a secret that cannot be read is reported with its cause`(
    _ file: String, _ status: Int32, _ line: String
  ) throws {
    try Data([0x6E, 0xF6, 0x0A]).write(to: URL(filePath: scratch.path + "/latin-1"))
    for (command, content) in [
      ("publish mqtt://127.0.0.1:1/t --login-file", "the user and the password"),
      ("serve simulated --port 0 --token-file", "the token"),
    ] {
      let ending = try Tool.shell("OTOLITH_SOCKET= \"$OTOLITH\" \(command) \(file)", in: scratch)
      #expect(ending.status == status, "\(ending.errors)")
      #expect(ending.errorLines.last == line.replacing("#", with: content))
    }
  }

  /// The converted text would name another file, to be missed or written.
  @Test func `an argument that is not UTF-8 is refused`() throws {
    try scratch.write("timestamp,pressure\n1,101\n2,101\n", to: "walk.csv")
    let ending = try Tool.shell(
      "\"$OTOLITH\" replay walk.csv -o \"$(printf 'a\\377.csv')\"", in: scratch)
    #expect(ending.status == 64)
    #expect(
      ending.errors
        == "argument 4, 'a\u{FFFD}.csv', is not UTF-8: rename the file, or use a link\n"
    )
    #expect(scratch.names.filter { $0.hasPrefix("a") }.isEmpty)
  }

  @Test(arguments: ["a/+", "#", "$SYS"])
  func `a prefix without permission to publish is refused before the first message`(
    _ prefix: String
  )
    throws
  {
    let ending = try Tool.shell(
      "\"$OTOLITH\" publish mqtt://127.0.0.1:1/t --discovery-prefix '\(prefix)'", in: scratch)
    #expect(ending.status == 64)
    #expect(ending.errors.hasPrefix("--discovery-prefix '\(prefix)': "), "\(ending.errors)")
  }
}
