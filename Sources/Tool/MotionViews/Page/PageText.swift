// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities
package import Text

/// A converter from a scene to JSON: for the page with each frame, and for scripts on request.
package enum PageText {
  /// Returns the values that change with each motion. `number` is the frame number, for a page.
  package static func motion(_ scene: MonitorScene, number: UInt64? = nil) -> JSON {
    var members: [JSON.Member] = []
    if let number {
      members += [.init("type", .text("frame")), .init("number", .count(number))]
    } else {
      members.append(.init("origin", .text(scene.origin.rawValue)))
    }
    if let playback = scene.playback {
      members.append(.init("position", .rounded(playback.position, 2)))
      members.append(.init("length", .rounded(playback.length, 2)))
    }
    guard let motion = scene.motion else {
      return .object(members + [.init("timestamp", .null)])
    }
    members.append(.init("timestamp", .rounded(motion.timestamp.seconds, 6)))
    members.append(.init("age", .rounded(scene.age?.lowerBound, 4)))
    if let attitude = scene.attitude {
      members.append(
        .init(
          "attitude",
          .list([attitude.w, attitude.x, attitude.y, attitude.z].map { .rounded($0, 6) })
        ))
      let angles = EulerAngles(attitude)
      for (name, angle) in [("roll", angles.roll), ("pitch", angles.pitch), ("yaw", angles.yaw)] {
        members.append(.init(name, .rounded(degrees(fromRadians: angle), 3)))
      }
      members.append(.init("gravity", vector(motion.gravity, 5)))
      members.append(.init("userAcceleration", vector(motion.userAcceleration, 5)))
      members.append(
        .init("inclinationSigma", .rounded(degrees(fromRadians: motion.inclinationSigma), 2)))
    }
    if motion.contents.contains(.rotationRate) {
      members.append(.init("rotationRate", vector(motion.rotationRate, 5)))
    }
    if motion.contents.contains(.magneticField) {
      members.append(.init("magneticField", vector(motion.magneticField, 3)))
    }
    if let heading = heading(scene, motion) {
      members.append(.init("heading", .rounded(heading, 2)))
      members.append(.init("headingSigma", .rounded(degrees(fromRadians: motion.headingSigma), 2)))
    }
    members += scalars(scene).map { JSON.Member($0.name, .rounded($0.value, 4)) }
    members.append(.init("relativeAltitude", .rounded(scene.relativeAltitude, 3)))
    members.append(.init("isAtRest", .flag(motion.isAtRest)))
    members.append(.init("isCoasting", .flag(scene.isCoasting)))
    return .object(members)
  }

  /// Returns the heading in degrees from magnetic north, as in Core Motion; `nil` if unknown.
  private static func heading(_ scene: MonitorScene, _ motion: MotionSample) -> Double? {
    motion.contents.contains(.heading) ? headingDegrees(of: motion.attitude9) : nil
  }

  /// Returns the scalar values that are known, with the names of their channels.
  static func scalars(_ scene: MonitorScene) -> [(name: String, value: Double)] {
    var values = scene.readings
    if let motion = scene.motion {
      if motion.contents.contains(.pressure) { values[.pressure] = motion.pressure }
      if motion.contents.contains(.temperature) { values[.temperature] = motion.temperature }
    }
    return Channel.allCases.compactMap { channel in
      values[channel].map { ("\(channel.row.name)", $0) }
    }
  }

  /// A source that the user of a page can choose.
  package struct Choice: Sendable {
    package var id: String
    package var label: String
    /// The kind of source: `board`, `service`, `recording` or `trace`.
    package var kind: String

    package init(id: String, label: String, kind: String) {
      (self.id, self.label, self.kind) = (id, label, kind)
    }
  }

  /// Returns the description of the source, which is the first message to a page.
  package static func source(
    _ scene: MonitorScene, _ choices: [Choice], current: String, isForPage: Bool = false
  ) -> JSON {
    var members: [JSON.Member] = isForPage ? [.init("type", .text("source"))] : []
    members += [
      .init("name", .text(scene.board)), .init("origin", .text(scene.origin.rawValue)),
      .init("reason", .text(scene.reason)),
      .init(
        "channels",
        .texts(
          Channel.allCases.filter { scene.channels.contains(ChannelSet($0)) }.map {
            "\($0.row.name)"
          })
      ), .init("frame", .text(scene.frame)), .init("isNorth", .flag(scene.isNorth)),
      .init("current", .text(current)),
      .init(
        "choices",
        .list(
          choices.map { choice in
            .object([
              .init("id", .text(choice.id)), .init("label", .text(choice.label)),
              .init("kind", .text(choice.kind)),
            ])
          })
      ),
    ]
    return .object(members)
  }

  static func vector(_ value: Vector3, _ places: Int) -> JSON {
    .list([value.x, value.y, value.z].map { .rounded($0, places) })
  }

}
