// SPDX-License-Identifier: Apache-2.0
import Foundation
import ShippedFiles
import Testing

/// The page's own files: all are present, and none is loaded from elsewhere.
@Suite struct PageFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Host/CShippedFiles/Page")

  @Test func `each file is served byte for byte, and no other path is`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    #expect(names.count == PageFile.all.count)
    for name in names {
      let path = name == "index.html" ? "/" : "/\(name)"
      let file = try #require(PageFile.at(path), "\(name)")
      #expect(try Data(contentsOf: Self.folder.appending(path: name)) == Data(file.bytes))
    }
    for path in ["/index.html", "//", "/../page.js", "/page.js/", "/%70age.js", "/etc/passwd", ""] {
      #expect(PageFile.at(path) == nil, "\(path)")
    }
  }

  /// Returns what the content security policy of the responses would block.
  @Test func `no script or style is inline, and nothing comes from another host`() {
    for file in PageFile.all where !file.type.contains("json") {
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(!text.contains(/\son[a-z]+\s*=\s*"/), "\(file.path)")
      #expect(!text.contains(/<[^>]*\sstyle\s*=/) && !text.contains("<style"), "\(file.path)")
      #expect(!text.contains(/<script(?![^>]*\ssrc=)/), "\(file.path)")
      #expect(!text.contains("eval(") && !text.contains("innerHTML"), "\(file.path)")
      let hosts = text.matches(of: /(https?|wss?):\/\/[^$\s"']+/).map { String($0.0) }
      #expect(hosts.allSatisfy { $0 == "http://www.w3.org/2000/svg" }, "\(file.path): \(hosts)")
    }
  }

  /// Each element that the script looks up exists in the page.
  @Test func `each element that the script writes to is there`() throws {
    func text(_ path: String) throws -> String {
      String(decoding: try #require(PageFile.at(path)).bytes, as: UTF8.self)
    }
    let page = try text("/")
    let ids = Set(page.matches(of: /\sid="([^"]+)"/).map { String($0.1) })
    let script = try text("/page.js") + text("/task.js")
    let named = script.matches(of: /(?:byId|show|hide)\("([a-z-]+)"/).map { String($0.1) }
    #expect(named.count > 80)
    for id in named { #expect(ids.contains(id), "\(id)") }
  }
}
