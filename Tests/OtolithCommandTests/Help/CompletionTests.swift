// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Completion scripts, run by the shells they are for; where a shell is missing here, its script is at least printed.
@Suite struct CompletionTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell takes its script`(_ shell: String) throws {
    let folder = try Scratch()
    let script = try Tool.run("--generate-completion-script", shell, in: folder)
    #expect(script.status == 0 && script.errors.isEmpty)
    #expect(script.output.contains("otolith") && script.output.contains("boards"))
    try folder.write(script.output, to: "otolith.\(shell)")
    let check = shell == "fish" ? "--no-execute" : "-n"
    let ending = try Tool.shell(
      "command -v \(shell) > /dev/null || exit 0; \(shell) \(check) otolith.\(shell)", in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
  }

  @Test func `bash completes a command from its first letters`() throws {
    let folder = try Scratch()
    let ending = try Tool.shell(
      """
      "$OTOLITH" --generate-completion-script bash > otolith.bash
      bash -c '. ./otolith.bash
        COMP_WORDS=(otolith det) COMP_CWORD=1 COMP_LINE="otolith det" COMP_POINT=11 COMP_TYPE=9 COMP_KEY=9
        _otolith otolith det otolith; echo "${COMPREPLY[@]}"'
      """, in: folder)
    #expect(ending.output.contains("detect"), "\(ending.output) \(ending.errors)")
  }
}
