// SPDX-License-Identifier: Apache-2.0
package import Boards
package import ChipCatalog
internal import Foundation

extension ChipPlacement {
  /// The folders that are searched for firmware: those kernel folders that do not depend on the
  /// kernel's version (Documentation/driver-api/firmware/fw_search_path.rst), and /etc/firmware.
  private static let firmwareFolders = [
    "/lib/firmware/updates", "/lib/firmware", "/usr/lib/firmware", "/etc/firmware",
  ]

  /// Returns the firmware for a chip on a real bus, from the file that the board file names or from
  /// the first firmware folder that contains a file of the right size. The result is empty if the
  /// chip needs no firmware, or if no file has the right size; the chip's driver then reports that.
  package func firmwareBytes(of entry: CatalogEntry) -> [UInt8] {
    guard let wanted = entry.description.firmware else { return [] }
    let paths = firmware.map { [$0] } ?? Self.firmwareFolders.map { $0 + "/" + wanted.file }
    for path in paths {
      // Read only regular files, because other kinds, such as a pipe, could block.
      let file = URL(filePath: path).resolvingSymlinksInPath().path
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      guard attributes?[.type] as? FileAttributeType == .typeRegular,
        let data = try? FileHandle(forReadingAtPath: file)?.read(upToCount: wanted.size + 1),
        data.count == wanted.size
      else { continue }
      return [UInt8](data)
    }
    return []
  }
}
