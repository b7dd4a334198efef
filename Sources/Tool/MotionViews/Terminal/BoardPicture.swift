// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import Quantities

/// A picture of a board in its attitude above the circle of the horizon, drawn into a rectangle of
/// cells.
package struct BoardPicture: Sendable {
  /// The rotation from device to reference coordinates; `nil` if unknown.
  package var attitude: Quaternion?
  /// True if the x axis of the reference frame points north.
  package var isNorth: Bool

  package init(attitude: Quaternion?, isNorth: Bool) {
    self.attitude = attitude
    self.isNorth = isNorth
  }

  /// The camera for the view of the board.
  package var camera: Camera {
    Camera(
      towards: isNorth ? Vector3(1, 0, 0) : Vector3(0, 1, 0), elevation: 32 * .pi / 180,
      distance: 6)
  }

  /// The points of the compass on the horizon; x points north and y points west.
  private static let compass: [(name: Unicode.Scalar, at: Vector3)] = [
    ("N", Vector3(1, 0, 0)), ("W", Vector3(0, 1, 0)), ("S", Vector3(-1, 0, 0)),
    ("E", Vector3(0, -1, 0)),
  ]
  private static let ringRadius = 1.62

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    guard !rect.isEmpty else { return }
    var screen = Screen(camera, rect)
    let model = BoardModel.shared
    let faces = attitude.map { attitude in model.faces.map { $0.turned(by: attitude) } } ?? []
    let visible = faces.filter { $0.normal.dot(camera.eye - $0.vertices[0]) > 0 }
    screen.ring(Self.ringRadius, behind: visible)
    if let attitude {
      screen.fill(visible, on: &canvas)
      for stroke in model.strokes {
        screen.line(
          attitude.rotate(stroke.from), attitude.rotate(stroke.to), stroke.style, behind: visible)
      }
    }
    screen.dots.draw(on: &canvas, in: rect)
    if isNorth {
      for (name, direction) in Self.compass {
        screen.label(name, direction * Self.ringRadius, .faint, behind: visible, on: &canvas)
      }
    }
    guard let attitude else { return }
    for (name, place, style) in model.labels {
      screen.label(name, attitude.rotate(place), style, behind: visible, on: &canvas)
    }
  }
}

/// The dots of a rectangle of cells, as seen by a camera.
private struct Screen {
  let camera: Camera
  let rect: CellRect
  /// The number of dots per unit of length.
  let scale: Double
  var dots: DotField

  init(_ camera: Camera, _ rect: CellRect) {
    self.camera = camera
    self.rect = rect
    dots = DotField(columns: rect.columns, rows: rect.rows)
    // Perspective enlarges near points. This is the largest distance from the picture's centre at
    // which a point within `radius` can appear.
    let reach = BoardModel.radius / (1 - pow(BoardModel.radius / camera.distance, 2)).squareRoot()
    scale = max(Double(min(dots.width, dots.height)) / 2 - 1, 1) / reach
  }

  func place(_ point: Vector3) -> (x: Int, y: Int) {
    let seen = camera.project(point)
    return (
      Int(saturating: (Double(dots.width) / 2 + seen.x * scale).rounded(.down)),
      Int(saturating: (Double(dots.height) / 2 - seen.y * scale).rounded(.down))
    )
  }

  /// Returns true if one of `faces` is in front of `point`. A face does not hide its own points.
  func isHidden(_ point: Vector3, behind faces: [Face]) -> Bool {
    let direction = point - camera.eye
    return faces.contains { face in
      face.hit(from: camera.eye, direction).map { $0 < 1 - 2e-3 } ?? false
    }
  }

  /// Draws those dots of a line that no face hides.
  mutating func line(_ a: Vector3, _ b: Vector3, _ style: TextStyle, behind faces: [Face]) {
    let (start, end) = (place(a), place(b))
    let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
    for step in 0...steps {
      let point = a + (b - a) * (Double(step) / Double(steps))
      guard !isHidden(point, behind: faces) else { continue }
      let dot = place(point)
      dots.set(dot.x, dot.y, style)
    }
  }

  /// Draws the horizon as a dotted circle.
  mutating func ring(_ radius: Double, behind faces: [Face]) {
    let count = max(Int(scale * radius * 2), 24)
    for index in 0..<count {
      let angle = 2 * Double.pi * Double(index) / Double(count)
      let point = Vector3(cos(angle), sin(angle), 0) * radius
      guard !isHidden(point, behind: faces) else { continue }
      let dot = place(point)
      dots.set(dot.x, dot.y, .faint)
    }
  }

  /// Colours the cells whose centre is covered by a face.
  func fill(_ faces: [Face], on canvas: inout Canvas) {
    let corners = faces.flatMap { $0.vertices.map(place) }
    guard let left = corners.map(\.x).min(), let right = corners.map(\.x).max(),
      let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max()
    else { return }
    for row in stride(from: max(top / 4, 0), to: min(bottom / 4 + 1, rect.rows), by: 1) {
      for column in stride(from: max(left / 2, 0), to: min(right / 2 + 1, rect.columns), by: 1) {
        let ray = camera.ray(
          x: (Double(column * 2 + 1) - Double(dots.width) / 2) / scale,
          y: (Double(dots.height) / 2 - Double(row * 4 + 2)) / scale)
        var nearest: (way: Double, face: Face)?
        for face in faces {
          guard let way = face.hit(from: camera.eye, ray), way < nearest?.way ?? .infinity else {
            continue
          }
          nearest = (way, face)
        }
        guard let face = nearest?.face else { continue }
        canvas[rect.column + column, rect.row + row].surface = Self.surface(of: face)
      }
    }
  }

  /// Returns the background for a face. It is brighter if the face points up, because light comes
  /// from above.
  private static func surface(of face: Face) -> Surface {
    switch face.surface {
    case .chip: return .chip
    case .side: return .side
    case .under: return .under
    case .top:
      let light = face.normal.z
      return light > 0.85 ? .top2 : light > 0.5 ? .top1 : .top0
    }
  }

  func label(
    _ name: Unicode.Scalar, _ point: Vector3, _ style: TextStyle, behind faces: [Face],
    on canvas: inout Canvas
  ) {
    guard !isHidden(point, behind: faces) else { return }
    let dot = place(point)
    // Move labels outside the rectangle to its edge.
    let column = min(max(dot.x / 2, 0), rect.columns - 1)
    let row = min(max(dot.y / 4, 0), rect.rows - 1)
    canvas[rect.column + column, rect.row + row].scalar = name
    canvas[rect.column + column, rect.row + row].style = style
  }
}
