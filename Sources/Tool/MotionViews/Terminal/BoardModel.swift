// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A flat, convex face of a body. Seen from outside, its vertices are in counter-clockwise order.
struct Face: Sendable {
  var vertices: [Vector3]
  var normal: Vector3
  var surface: SurfaceKind

  enum SurfaceKind: Sendable { case top, under, side, chip }

  init(_ vertices: [Vector3], _ normal: Vector3, _ surface: SurfaceKind) {
    self.vertices = vertices
    self.normal = normal
    self.surface = surface
  }

  func turned(by attitude: Quaternion) -> Face {
    Face(vertices.map(attitude.rotate), attitude.rotate(normal), surface)
  }

  /// Returns the distance along the ray from `eye` to this face, in units of the length of
  /// `direction`; `nil` if the ray misses the face or hits it from behind.
  func hit(from eye: Vector3, _ direction: Vector3) -> Double? {
    let fall = normal.dot(direction)
    guard fall < -1e-9 else { return nil }
    let way = normal.dot(vertices[0] - eye) / fall
    guard way > 0 else { return nil }
    let point = eye + direction * way
    for index in vertices.indices {
      let start = vertices[index]
      let end = vertices[index + 1 < vertices.count ? index + 1 : 0]
      if (end - start).cross(point - start).dot(normal) < -1e-9 { return nil }
    }
    return way
  }
}

/// A line drawn on or near a body.
struct Stroke: Sendable {
  var from: Vector3
  var to: Vector3
  var style: TextStyle
}

/// The drawing of a board in device axes: a plate with a chip in its middle, pin holes along its
/// left edge, an arrow to its top edge, and the axes. The plate has a height of 2. Only the letters
/// are farther than `radius` from the middle.
struct BoardModel: Sendable {
  var faces: [Face] = []
  var strokes: [Stroke] = []
  /// The positions of the axis names.
  let labels: [(name: Unicode.Scalar, at: Vector3, style: TextStyle)] = [
    ("x", Vector3(1.2, 0, 0), .x), ("y", Vector3(0, 1.36, 0), .y), ("z", Vector3(0, 0, 0.86), .z),
  ]

  static let radius = 1.28
  private static let plate = Vector3(0.78, 1, 0.07)
  private static let chip = (half: 0.26, top: 0.2)

  static let shared = BoardModel()

  private init() {
    let (plate, chip) = (Self.plate, Self.chip)
    addBox(
      low: plate * -1, high: plate, side: .side, top: .top, under: .under, .board)
    addBox(
      low: Vector3(-chip.half, -chip.half, plate.z), high: Vector3(chip.half, chip.half, chip.top),
      side: .chip, top: .chip, under: .chip, .chip)
    // The ring marks pin 1 of the chip.
    addRing(at: Vector3(-chip.half + 0.09, chip.half - 0.09, chip.top), radius: 0.035, .chip)
    for pin in 0..<8 {
      addRing(at: Vector3(-0.64, -0.8 + 0.22 * Double(pin), plate.z), radius: 0.05, .board)
    }
    // The arrow goes from the chip to the top edge.
    let height = plate.z
    strokes.append(
      Stroke(from: Vector3(0, chip.half, height), to: Vector3(0, 0.9, height), style: .arrow))
    for side in [-1.0, 1] {
      strokes.append(
        Stroke(from: Vector3(0, 0.9, height), to: Vector3(0.16 * side, 0.68, height), style: .arrow)
      )
    }
    strokes += [
      Stroke(from: Vector3(plate.x, 0, 0), to: Vector3(1.1, 0, 0), style: .x),
      Stroke(from: Vector3(0, plate.y, 0), to: Vector3(0, 1.26, 0), style: .y),
      Stroke(from: Vector3(0, 0, chip.top), to: Vector3(0, 0, 0.74), style: .z),
    ]
  }

  private mutating func addBox(
    low: Vector3, high: Vector3, side: Face.SurfaceKind, top: Face.SurfaceKind,
    under: Face.SurfaceKind, _ style: TextStyle
  ) {
    func corner(_ x: Int, _ y: Int, _ z: Int) -> Vector3 {
      Vector3(x > 0 ? high.x : low.x, y > 0 ? high.y : low.y, z > 0 ? high.z : low.z)
    }
    func face(_ corners: [(Int, Int, Int)], _ normal: Vector3, _ surface: Face.SurfaceKind) {
      faces.append(Face(corners.map { corner($0.0, $0.1, $0.2) }, normal, surface))
    }
    face([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], Vector3(0, 0, 1), top)
    face([(0, 1, 0), (1, 1, 0), (1, 0, 0), (0, 0, 0)], Vector3(0, 0, -1), under)
    face([(1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)], Vector3(1, 0, 0), side)
    face([(0, 1, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1)], Vector3(-1, 0, 0), side)
    face([(1, 1, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)], Vector3(0, 1, 0), side)
    face([(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)], Vector3(0, -1, 0), side)
    for z in 0...1 {
      let around = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
      for (a, b) in zip(around, around.dropFirst()) {
        strokes.append(Stroke(from: corner(a.0, a.1, z), to: corner(b.0, b.1, z), style: style))
      }
    }
    for (x, y) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
      strokes.append(Stroke(from: corner(x, y, 0), to: corner(x, y, 1), style: style))
    }
  }

  /// Adds a small square hole on the upper side.
  private mutating func addRing(at middle: Vector3, radius: Double, _ style: TextStyle) {
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)].map {
      middle + Vector3($0.0, $0.1, 0) * radius
    }
    for (a, b) in zip(corners, corners.dropFirst()) {
      strokes.append(Stroke(from: a, to: b, style: style))
    }
  }
}
