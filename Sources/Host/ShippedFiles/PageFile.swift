// SPDX-License-Identifier: Apache-2.0

/// A file of the web page, embedded in the program. The file is not read from a disk, so no request
/// path can reach another file on the disk.
package struct PageFile: Sendable {
  /// The path of the file in web requests.
  package let path: String
  package let type: String
  package let bytes: [UInt8]

  package static func at(_ path: String) -> PageFile? { all.first { $0.path == path } }

  package static let all: [PageFile] = [
    PageFile(
      path: "/", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    PageFile(
      path: "/style.css", type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
    PageFile(
      path: "/page.js", type: "text/javascript; charset=utf-8", bytes: PackageResources.page_js),
    PageFile(
      path: "/board.js", type: "text/javascript; charset=utf-8", bytes: PackageResources.board_js),
    PageFile(
      path: "/charts.js", type: "text/javascript; charset=utf-8",
      bytes: PackageResources.charts_js),
    PageFile(
      path: "/task.js", type: "text/javascript; charset=utf-8", bytes: PackageResources.task_js),
    PageFile(path: "/icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
    PageFile(
      path: "/openapi.json", type: "application/json", bytes: PackageResources.openapi_json),
  ]
}
