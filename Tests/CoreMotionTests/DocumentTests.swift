// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The documents compared with the library.
@Suite struct DocumentTests {
  private static let root =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: Self.root + path, encoding: .utf8)
  }

  /// Returns the classes in a topic of a DocC page.
  private func topic(_ title: String, of page: String) throws -> Set<String> {
    let part = try #require(page.components(separatedBy: "### \(title)\n").last)
    let own = try #require(part.components(separatedBy: "\n### ").first)
    return Set(own.matches(of: /``(\w+)``/).map { String($0.1) })
  }

  /// docs/core-motion.md states for each class whether it works; `isAvailable` is tested elsewhere.
  @Test func `what no board senses is the same in both documents`() throws {
    let rows = try text("docs/core-motion.md").split(separator: "\n").filter {
      $0.hasPrefix("| `CM")
    }
    let declared = rows.filter { $0.contains("| declared |") && $0.contains("Manager") }
      .flatMap { $0.matches(of: /`(CM\w+Manager)`/).map { String($0.1) } }
    let page = try text("Sources/Motion/CoreMotion/CoreMotion.docc/CoreMotion.md")
    let managers = try topic("What no board senses", of: page).filter { $0.hasSuffix("Manager") }
    #expect(managers == Set(declared) && managers.count == 4, "\(managers)")
    #expect(try topic("Falls", of: page).contains("CMFallDetectionManager"))
    let moving = try text("Sources/Motion/CoreMotion/CoreMotion.docc/FromIOSToLinux.md")
    let senses = try #require(moving.components(separatedBy: "## What no board can sense").last)
    #expect(
      !senses.contains("falls and movement") && senses.contains("``CMFallDetectionManager`` works"))
  }

  /// These are the first lines that a program's author types. A default trait with another name
  /// would fetch other packages.
  @Test func `the manifest is one, and its traits are those of the package`() throws {
    let package = try text("Package.swift")
    let match = try #require(package.firstMatch(of: /\.default\(enabledTraits: \["(\w+)"\]\)/))
    #expect(try text("docs/microcontrollers.md").contains("in place of `\(match.1)`, the default"))
    let readme = try text("README.md")
    let page = try text("Sources/Motion/CoreMotion/CoreMotion.docc/FromIOSToLinux.md")
    for text in [readme, page] {
      #expect(text.contains("`// swift-tools-version: 6.1` or later"))
      #expect(text.contains(#".package(name: "otolith", path: "../otolith", traits: ["Host"])"#))
    }
    #expect(package.contains(#"name: "Host""#))
  }
}
