// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities
internal import Recordings

/// Runs the fusion engine over a recording, in variants:
/// `FusionAblation mechanisms | numbers | RECORDING VARIANT...`
///
/// With `mechanisms` or `numbers` it prints the names that variants take. A variant is `=`, the
/// defaults; `-MECHANISM`, that mechanism switched off; or `FACTOR*NUMBER`, a number times a factor.
/// Standard input has the times in seconds, ascending, one a line. For each variant, and in it for
/// each time, a line has the newest estimate at or before it: `attitude9` as w, x, y, z, its
/// covariance's xx, xy, yy in rad^2, and `headingSigma` in rad; `nan` before the first.
@main
struct FusionAblation {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments {
    case ["mechanisms"]: for mechanism in Mechanism.all { print(mechanism.name) }
    case ["numbers"]: for number in ChosenNumber.all { print(number.name) }
    default:
      guard arguments.count > 1 else { stop("mechanisms | numbers | RECORDING VARIANT...") }
      try run(recording: arguments[0], variants: arguments.dropFirst())
    }
  }

  private static func run(recording: String, variants: ArraySlice<String>) throws {
    let params = variants.map { variant in
      guard let params = parameters(of: variant) else { stop("no variant \(variant)") }
      return params
    }
    var times: [Timestamp] = []
    while let line = readLine() {
      guard let seconds = Double(line) else { stop("no time: \(line)") }
      times.append(Timestamp(seconds: seconds))
    }
    var reader = try RecordingReader(path: recording)
    let channels = reader.channels
    var samples: [Sample] = []
    while let sample = try reader.next() { samples.append(sample) }
    for params in params {
      var estimator = MotionEstimator(channels: channels, params: params)
      var answered = 0
      var hasAttitude = false
      for sample in samples {
        while answered < times.count, times[answered] < sample.timestamp {
          print(hasAttitude ? line(estimator.engine) : unknown)
          answered += 1
        }
        if let motion = estimator.update(sample) {
          hasAttitude = motion.contents.contains(.attitude)
        }
      }
      for _ in answered..<times.count { print(line(estimator.engine)) }
    }
  }

  /// Returns the parameters of a variant; `nil` if no variant has this name.
  private static func parameters(of variant: String) -> FusionEngine.Params? {
    var params = FusionEngine.Params()
    if variant == "=" { return params }
    if variant.hasPrefix("-") {
      guard let mechanism = Mechanism.all.first(where: { "-\($0.name)" == variant }) else {
        return nil
      }
      mechanism.off(&params)
      // One that changes nothing would be counted as one that helps nowhere.
      if params == FusionEngine.Params() { stop("\(mechanism.name) is off by default") }
      return params
    }
    let parts = variant.split(separator: "*")
    guard parts.count == 2, let factor = Double(parts[0]),
      let number = ChosenNumber.all.first(where: { $0.name == parts[1] })
    else { return nil }
    params[keyPath: number.parameter] *= factor
    return params
  }

  private static let unknown = Array(repeating: "nan", count: 8).joined(separator: " ")

  private static func line(_ engine: FusionEngine) -> String {
    let (q, p) = (engine.attitude9, engine.attitudeCovariance)
    return "\(q.w) \(q.x) \(q.y) \(q.z) \(p.m11) \(p.m12) \(p.m22) \(engine.headingSigma)"
  }

  private static func stop(_ text: String) -> Never {
    FileHandle.standardError.write(Data("FusionAblation: \(text)\n".utf8))
    exit(64)  // EX_USAGE
  }
}
