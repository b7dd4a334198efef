// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The notes of every command about a board that delivers samples: chips that fusion does not use,
/// and chips that are different parts from those in the board file.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BoardNotesTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.twoIMUs, to: "two.yaml")
    try scratch.write(Self.weather, to: "weather.yaml")
  }

  static let twoIMUs = """
    otolith-board: 1
    name: Two IMUs
    buses: { i2c: { simulated: i2c } }
    chips:
      a: { chip: "invensense,mpu6050", on: i2c, address: 0x68, rate-hz: 50 }
      b: { chip: "bosch,bmi160", on: i2c, address: 0x69, rate-hz: 100 }

    """

  /// 0x58 is the identity of a BMP280, 0x60 that of a BME280 (BST-BMP280-DS001, 4.3.1;
  /// BST-BME280-DS002, 5.4.1).
  static let weather = """
    otolith-board: 1
    name: Weather
    buses: { i2c: { simulated: i2c } }
    chips: { air: { chip: "bosch,bme280", on: i2c, address: 0x76, rate-hz: 25 } }
    simulation: { faults: [{ fault: wrong-chip, identity: 0x58, chip: air }] }

    """

  private static let combined =
    "motion combines acceleration and rotation rate of a and b; otolith record writes each"
  private static let other =
    "air: the chip identifies as BMP280 (identity 0x58), which gives no humidity; the board file "
    + "says BME280: write 'chip: \"bosch,bmp280\"' in weather.yaml"

  private func run(_ arguments: String) throws -> Tool.Ending {
    try Tool.shell("\"$OTOLITH\" \(arguments)", in: scratch)
  }

  private func rows(_ name: String) throws -> [[String]] {
    try scratch.text(name).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  // MARK: Two chips that measure the same

  @Test(arguments: [
    "run two.yaml -d 0.2", "record two.yaml -d 0.2 --instant -o r.csv", "steps two.yaml -d 0.2",
    "monitor two.yaml -d 0.5 --snapshot 132x40", "serve two.yaml -d 0.3 --port 0",
    "bringup two.yaml -d 0.5 --no-report", "selftest two.yaml",
  ])
  func `the chips that motion combines are named`(_ command: String) throws {
    let ending = try run(command)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errorLines.filter { $0 == Self.combined }.count == 1, "\(ending.errors)")
  }

  @Test func `a chip that motion does not use is named`() throws {
    try scratch.write(
      Self.twoIMUs.replacing("rate-hz: 100", with: "rate-hz: 100, uses: [acceleration]"),
      to: "part.yaml")
    let part = try run("run part.yaml -d 0.2")
    #expect(
      part.errorLines.filter { $0.contains("otolith record") } == [
        "motion combines acceleration of a and b; otolith record writes each",
        "b: fusion uses rotation rate from a, not from this chip; otolith record writes each",
      ], "\(part.errors)")
  }

  @Test func `one of two chips can be chosen`() throws {
    let one = try run("record two.yaml --only a -d 2 --instant -o r.csv")
    #expect(one.status == 0, "\(one.errors)")
    #expect(
      one.errorLines.contains(
        "b: fusion uses acceleration and rotation rate from a, not from this chip; otolith record "
          + "writes each"), "\(one.errors)")
    #expect(try rows("r.csv")[0].contains("b.acceleration.x"))
    #expect(!(try rows("r.csv")[0].contains("a.acceleration.x")))
    let wrong = try run("run two.yaml --only c -d 0.2")
    #expect(wrong.status == 64)
    #expect(wrong.errors == "two.yaml has no chip 'c'; did you mean 'a'?\n")
  }

  // MARK: One of two chips fails

  @Test(arguments: [("a", "b"), ("b", "a")])
  func `motion goes on with the other chip, and both ends are said once`(
    _ dead: String, _ other: String
  ) throws {
    let ending = try run(
      "run two.yaml -d 4 --format csv --fault 'nack chip=\(dead) at-s=1 for-s=1'")
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = ending.errorLines.filter { $0.hasPrefix("\(dead): ") }
    #expect(lines.filter { $0.contains(": no ") }.count == 1, "\(ending.errors)")
    #expect(lines.first?.hasPrefix("\(dead): no answer at 0x6") == true)
    #expect(lines.first?.hasSuffix("; motion goes on with \(other)") == true)
    #expect(lines.filter { $0 == "\(dead): delivers samples again" }.count == 1)
    #expect(ending.lines.count > 180, "\(ending.lines.count)")
  }

  @Test func `a board of which fusion uses all is silent`() throws {
    let ending = try run("run simulated -d 0.2")
    #expect(ending.errorLines.count == 2, "\(ending.errors)")
  }

  @Test func `a recording has every sample of both`() throws {
    #expect(try run("record two.yaml -d 2 --instant -o r.csv").status == 0)
    let rows = try rows("r.csv")
    #expect(
      rows[0] == [
        "timestamp", "utc", "acceleration.x", "acceleration.y", "acceleration.z",
        "rotationRate.x", "rotationRate.y", "rotationRate.z", "temperature", "a.acceleration.x",
        "a.acceleration.y", "a.acceleration.z", "a.rotationRate.x", "a.rotationRate.y",
        "a.rotationRate.z", "b.acceleration.x", "b.acceleration.y", "b.acceleration.z",
        "b.rotationRate.x", "b.rotationRate.y", "b.rotationRate.z", "b.temperature", "lost",
      ])
    let ofA = rows.dropFirst().filter { !$0[9].isEmpty }
    let ofB = rows.dropFirst().filter { !$0[15].isEmpty }
    #expect((90...101).contains(ofA.count) && (190...201).contains(ofB.count))
    #expect(ofA.count + ofB.count == rows.count - 1)
    // Both chips are on one board, so they measure the same force within their noise.
    for row in ofB.suffix(50) {
      let force = try row[15...17].map { try #require(Double($0)) }
      #expect(abs(force.reduce(0) { $0 + $1 * $1 }.squareRoot() - 1) < 0.2)
    }
    #expect(try run("record two.yaml -d 0.5 --instant -o r.jsonl").status == 0)
    let objects = try scratch.text("r.jsonl").split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(objects.contains { $0["b.acceleration.z"] as? Double != nil })
    #expect(objects.contains { $0["acceleration.z"] as? Double != nil })
  }

  /// A recording has one temperature, because nearly every chip measures its own.
  @Test func `a board whose chips share a temperature alone has no further columns`() throws {
    #expect(try run("record simulated -d 0.5 --instant -o r.csv").status == 0)
    #expect(try #require(try rows("r.csv").first).allSatisfy { !$0.hasPrefix("compass.") })
  }

  @Test func `a replay reads the samples of motion, or those of one chip`() throws {
    #expect(try run("record two.yaml -d 2 --instant -o r.csv").status == 0)
    let usual = try run("replay r.csv")
    #expect(usual.status == 0)
    #expect(
      usual.errors == "r.csv: skipped, because another chip has the same quantity: a.acceleration, "
        + "a.rotationRate, b.acceleration, b.rotationRate, b.temperature; to read those of a "
        + "instead: --columns acceleration=a.acceleration,rotationRate=a.rotationRate\n")
    let chosen = try run(
      "replay r.csv --columns acceleration=a.acceleration,rotationRate=a.rotationRate")
    #expect(chosen.status == 0)
    // One motion per sample: those of motion have the times of the faster chip.
    #expect((190...202).contains(usual.lines.count) && (90...102).contains(chosen.lines.count))
  }

  /// The topics are in the summary at the end of the file, which is not compressed.
  @Test func `in an MCAP file each chip has its topics, and a replay reads those of motion`() throws
  {
    let ending = try run("record two.yaml -d 2 --instant -o r.mcap")
    #expect(ending.status == 0 && !ending.errors.contains("not in the MCAP file"))
    let data = try Data(contentsOf: URL(filePath: scratch.path + "/r.mcap"))
    let text = String(decoding: data, as: UTF8.self)
    for topic in [
      "/imu/data_raw", "/a/imu/data_raw", "/b/imu/data_raw", "/b/temperature", "/tf",
    ] {
      #expect(text.contains(topic))
    }
    #expect(!text.contains("/b/imu/data\0") && !text.contains("/a/temperature"))
    let usual = try run("replay r.mcap")
    #expect(usual.status == 0)
    #expect(
      usual.errors
        == "r.mcap: skipped, because another chip has the same quantity: /a/imu/data_raw, "
        + "/b/imu/data_raw, /b/temperature\n")
    #expect((190...202).contains(usual.lines.count), "\(usual.lines.count)")
  }

  // MARK: Another part than the board file says

  @Test(arguments: [
    "run weather.yaml -d 0.5 --format csv", "record weather.yaml -d 0.5 -o r.csv",
    "record weather.yaml -d 0.5 --instant -o r.csv", "serve weather.yaml -d 1 --port 0",
  ])
  func `a chip that is another part than in the board file is reported once`(_ command: String)
    throws
  {
    let ending = try run(command)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errorLines.filter { $0 == Self.other }.count == 1, "\(ending.errors)")
  }

  @Test func `the monitor shows it`() throws {
    let ending = try run("monitor weather.yaml -d 1 --snapshot 132x40")
    #expect(ending.output.contains("air: the chip identifies as BMP280"))
  }

  @Test func `a board file that says what is there is silent`() throws {
    try scratch.write(
      Self.weather.replacing("bosch,bme280", with: "bosch,bmp280"), to: "right.yaml")
    let ending = try run("run right.yaml -d 0.5 --format csv")
    #expect(ending.errorLines.count == 2, "\(ending.errors)")
    // The same identity is treated as the other part on purpose.
    try scratch.write(
      Self.weather.replacing("0x58", with: "0x55")
        .replacing("rate-hz: 25", with: "rate-hz: 25, treat-as: \"bosch,bme280\""),
      to: "treated.yaml")
    let treated = try run("run treated.yaml -d 0.5 --format csv")
    #expect(treated.errorLines.count == 2, "\(treated.errors)")
  }

  /// RM-MPU-9250A-00, 4.38: 0x71; an MPU-6500 has 0x70 (RM-MPU-6500A-00, 4.27).
  @Test func `a GY-9250 without its magnetometer is reported, with what to write where`() throws {
    let ending = try run(
      "run raspberry-pi-gy9250 --simulate --fault 'wrong-chip identity=0x70' -d 0.5 --format csv")
    #expect(ending.status == 0)
    let line: String =
      "imu: the chip identifies as MPU-6500 (identity 0x70), which gives no magnetic field; the "
      + "board file says MPU-9250 (also MPU-9255): write 'chip: \"invensense,mpu6500\"' and "
      + "remove 'magnetometer' in a file of your own (otolith boards new FILE --like "
      + "raspberry-pi-gy9250)"
    #expect(ending.errorLines.contains(line), "\(ending.errors)")
  }

  @Test func `the service says it in its log, and to the programs that follow it`() throws {
    let service = try RunningService("--board", "weather.yaml", in: scratch)
    let ending = try Tool.run(
      "run", "-d", "1", "--format", "csv", in: scratch,
      environment: ["OTOLITH_SOCKET": service.socket])
    #expect(ending.status == 0 && ending.errorLines.contains(Self.other), "\(ending.errors)")
    #expect(service.end() == 0)
  }
}
