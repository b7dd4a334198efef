// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Fusion
internal import Quantities

/// A file with the values that a board learned while running.
public struct LearnedFile: Sendable, Equatable {
  /// The `fingerprint` of the board that learned the values.
  public var board: String
  /// The time at which the file was written, in seconds since 1970.
  public var written: Double
  /// The learned values, in device axes.
  public var memory: FusionMemory

  public init(board: String, written: Double, memory: FusionMemory) {
    self.board = board
    self.written = written
    self.memory = memory
  }

  /// Loads the file at `path` and leaves out implausible values; `nil` if there is no such file.
  /// Links are not followed. Throws if the file cannot be read or is of another kind; such a file
  /// must not be overwritten.
  public static func load(path: String) throws(BoardErrors) -> LearnedFile? {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
    if let type = type as? FileAttributeType, type != .typeRegular, type != .typeDirectory {
      let found = type == .typeSymbolicLink ? "is a link" : "is not a regular file"
      throw BoardErrors(BoardError(file: path, line: 0, column: 0, found: found))
    }
    switch TextFile.read(path) {
    case .text(let text): return try parse(text, file: path)
    case .problem("no such file"): return nil
    case .tooLarge(let most):
      throw BoardErrors(
        BoardError(
          file: path, line: 1, column: 1, found: "the file has more than \(most) bytes",
          hint: "is this a learned file?"))
    case .problem(let problem):
      throw BoardErrors(BoardError(file: path, line: 0, column: 0, found: problem))
    }
  }

  /// Parses the text of a file with learned values. Error messages contain `file` as the file's
  /// name.
  public static func parse(_ text: String, file: String) throws(BoardErrors) -> LearnedFile {
    var source = YAMLSource(text, file: file)
    let tree = source.tree() ?? YAMLTree(content: .scalar("", plain: true), position: .start)
    var reader = CalibrationReader(file: file, errors: source.errors)
    let learned = reader.learned(tree)
    guard reader.errors.isEmpty, let learned else { throw BoardErrors(reader.errors) }
    return learned
  }

  /// The text of the file. Parsing this text gives equal learned values.
  public var text: String {
    var lines = [
      "# Values that otolith learned while running, for its next run. May be deleted at any time.",
      "# In device axes, on top of what a calibration file takes away.",
      "otolith-learned: 1",
      "board: \(YAMLText.quoted(board))",
      "written-unix-s: \(YAMLText.number(written))",
    ]
    if let gyro = memory.gyroscope {
      lines += [
        "gyroscope:",
        "  bias-rad-s: \(YAMLText.vector(gyro.bias))",
        "  sigma-rad-s: \(YAMLText.number(gyro.sigma))",
      ]
      if let temperature = gyro.temperature {
        lines.append("  temperature-c: \(YAMLText.number(temperature))")
      }
    }
    if let magnet = memory.magnetometer {
      lines += [
        "magnetometer:",
        "  hard-iron-ut: \(YAMLText.vector(magnet.hardIron))",
        "  soft-iron-matrix: \(YAMLText.matrix(magnet.softIron))",
        "  sigma-ut: \(YAMLText.number(magnet.sigma))",
        "  field-norm-ut: \(YAMLText.number(magnet.fieldNorm))",
        "  field-dip-rad: \(YAMLText.number(magnet.fieldDip))",
      ]
    }
    if let gyro = memory.gyroscopeMatrix {
      let sigma = gyro.sigma
      lines += [
        "gyroscope-matrix:",
        "  matrix: \(YAMLText.matrix(gyro.matrix))",
        "  x-sigma: \(YAMLText.vector(Vector3(sigma.m11, sigma.m12, sigma.m13)))",
        "  y-sigma: \(YAMLText.vector(Vector3(sigma.m21, sigma.m22, sigma.m23)))",
        "  z-sigma: \(YAMLText.vector(Vector3(sigma.m31, sigma.m32, sigma.m33)))",
      ]
    }
    if let accelerometer = memory.accelerometer {
      lines += [
        "accelerometer:",
        "  offset-g: \(YAMLText.vector(accelerometer.offset))",
        "  offset-sigma-g: \(YAMLText.vector(accelerometer.offsetSigma))",
        "  scale: \(YAMLText.vector(accelerometer.scale))",
        "  scale-sigma: \(YAMLText.vector(accelerometer.scaleSigma))",
      ]
    }
    if let magnet = memory.magneticDelay {
      lines += [
        "magnetometer-delay:",
        "  delay-s: \(YAMLText.number(magnet.delay))",
        "  sigma-s: \(YAMLText.number(magnet.sigma))",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CalibrationReader {
  fileprivate mutating func learned(_ tree: YAMLTree) -> LearnedFile? {
    guard let top = reader.topLevel(tree, BoardFormat.learned) else { return nil }
    var learned = LearnedFile(
      board: reader.text(top, "board") ?? "", written: reader.number(top, "written-unix-s") ?? 0,
      memory: FusionMemory())
    if let field = top["gyroscope"],
      let fields = reader.fields(
        field.value, BoardFormat.learnedGyroscope, owner: "'gyroscope'", at: field.keyPosition)
    {
      learned.memory.gyroscope = FusionMemory.Gyroscope(
        bias: reader.vector(fields, "bias-rad-s"), sigma: reader.number(fields, "sigma-rad-s") ?? 0,
        temperature: reader.number(fields, "temperature-c"))
    }
    if let field = top["magnetometer"],
      let fields = reader.fields(
        field.value, BoardFormat.learnedMagnetometer, owner: "'magnetometer'",
        at: field.keyPosition)
    {
      learned.memory.magnetometer = FusionMemory.Magnetometer(
        hardIron: reader.vector(fields, "hard-iron-ut"),
        softIron: reader.correction(fields, "soft-iron-matrix"),
        sigma: reader.number(fields, "sigma-ut") ?? 0,
        fieldNorm: reader.number(fields, "field-norm-ut") ?? 0,
        fieldDip: reader.number(fields, "field-dip-rad") ?? 0)
    }
    if let field = top["gyroscope-matrix"],
      let fields = reader.fields(
        field.value, BoardFormat.learnedGyroscopeMatrix, owner: "'gyroscope-matrix'",
        at: field.keyPosition)
    {
      learned.memory.gyroscopeMatrix = FusionMemory.GyroscopeMatrix(
        matrix: reader.correction(fields, "matrix"),
        sigma: Matrix3(
          rows: reader.vector(fields, "x-sigma"), reader.vector(fields, "y-sigma"),
          reader.vector(fields, "z-sigma")))
    }
    if let field = top["accelerometer"],
      let fields = reader.fields(
        field.value, BoardFormat.learnedAccelerometer, owner: "'accelerometer'",
        at: field.keyPosition)
    {
      learned.memory.accelerometer = FusionMemory.Accelerometer(
        offset: reader.vector(fields, "offset-g"),
        offsetSigma: reader.vector(fields, "offset-sigma-g"),
        scale: reader.vector(fields, "scale"), scaleSigma: reader.vector(fields, "scale-sigma"))
    }
    if let field = top["magnetometer-delay"],
      let fields = reader.fields(
        field.value, BoardFormat.learnedMagnetometerDelay, owner: "'magnetometer-delay'",
        at: field.keyPosition)
    {
      learned.memory.magneticDelay = FusionMemory.MagneticDelay(
        delay: reader.number(fields, "delay-s") ?? 0, sigma: reader.number(fields, "sigma-s") ?? 0)
    }
    learned.memory = learned.memory.plausible
    return learned
  }
}
