// SPDX-License-Identifier: Apache-2.0

/// A file of the web page, embedded in the program. The file is not read from a disk, so no request
/// path can reach another file on the disk.
package struct PageFile: Sendable {
  /// The path of the file in web requests.
  package let path: String
  package let type: String
  package let bytes: [UInt8]

  package static func at(_ path: String) -> PageFile? { all.first { $0.path == path } }

  package static let all: [PageFile] = ShippedFile.page.map(PageFile.init)

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
  ]

  private init(_ file: ShippedFile) {
    let suffix = file.name.drop { $0 != "." }.dropFirst()
    path = file.name == "index.html" ? "/" : "/\(file.name)"
    type = Self.types[String(suffix)] ?? "application/octet-stream"
    bytes = file.bytes
  }
}
