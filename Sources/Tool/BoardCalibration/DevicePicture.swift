// SPDX-License-Identifier: Apache-2.0
import Otolith
import Fusion

/// A picture of the device that shows which of its sides points up. Device axes: x to the right, y
/// to the top edge, z out of the face.
struct DevicePicture {
  let up: Face
  let words: String
  let lines: [String]

  static func of(_ up: Face) -> DevicePicture { all.first { $0.up == up } ?? all[0] }

  /// Returns the picture for the side of the device nearest to `axis`, a direction in device axes.
  static func of(_ axis: Vector3) -> DevicePicture {
    let sides: [(Face, Double)] = [
      (.xUp, axis.x), (.xDown, -axis.x), (.yUp, axis.y), (.yDown, -axis.y), (.zUp, axis.z),
      (.zDown, -axis.z),
    ]
    return of(sides.max { $0.1 < $1.1 }?.0 ?? .zUp)
  }

  private static let all: [DevicePicture] = [
    DevicePicture(
      up: .zUp, words: "flat, face up",
      lines: [
        #"       ____________  "#,
        #"      /    top    /  "#,
        #"     /   (face)  /   "#,
        #"    /___________/    "#,
        #"  ================== "#,
      ]),
    DevicePicture(
      up: .zDown, words: "flat, face down",
      lines: [
        #"       ____________  "#,
        #"      /    top    /  "#,
        #"     /   (back)  /   "#,
        #"    /___________/    "#,
        #"  ================== "#,
      ]),
    DevicePicture(
      up: .yUp, words: "upright, top edge up",
      lines: [
        #"       _________     "#,
        #"      |   top   |    "#,
        #"      | (face)  |    "#,
        #"      |_________|    "#,
        #"  ================== "#,
      ]),
    DevicePicture(
      up: .yDown, words: "upside down, top edge down",
      lines: [
        #"       _________     "#,
        #"      |         |    "#,
        #"      | (face)  |    "#,
        #"      |___top___|    "#,
        #"  ================== "#,
      ]),
    DevicePicture(
      up: .xUp, words: "on its left edge, right edge up",
      lines: [
        #"       __right__     "#,
        #"      |t        |    "#,
        #"      |o (face) |    "#,
        #"      |p________|    "#,
        #"  ================== "#,
      ]),
    DevicePicture(
      up: .xDown, words: "on its right edge, left edge up",
      lines: [
        #"       __left___     "#,
        #"      |        t|    "#,
        #"      | (face) o|    "#,
        #"      |________p|    "#,
        #"  ================== "#,
      ]),
  ]
}

extension Face {
  var axis: Vector3 {
    switch self {
    case .xUp: Vector3(1, 0, 0)
    case .xDown: Vector3(-1, 0, 0)
    case .yUp: Vector3(0, 1, 0)
    case .yDown: Vector3(0, -1, 0)
    case .zUp: Vector3(0, 0, 1)
    case .zDown: Vector3(0, 0, -1)
    }
  }
}
