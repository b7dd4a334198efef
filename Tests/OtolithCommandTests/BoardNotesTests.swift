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

  private static let unused =
    "b: fusion uses acceleration and rotation rate from a, not from this chip; otolith record "
    + "writes both"
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
  func `the chip that fusion does not use is named`(_ command: String) throws {
    let ending = try run(command)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errorLines.filter { $0 == Self.unused }.count == 1, "\(ending.errors)")
  }

  @Test func `a board of which fusion uses all is silent`() throws {
    let ending = try run("run simulated -d 0.2")
    #expect(ending.errorLines.count == 2, "\(ending.errors)")
  }

  /// Without these columns, samples of the second chip would be discarded: there would be 100 rows.
  @Test func `a recording has every sample of both`() throws {
    #expect(try run("record two.yaml -d 2 --instant -o r.csv").status == 0)
    let rows = try rows("r.csv")
    #expect(
      rows[0] == [
        "timestamp", "utc", "acceleration.x", "acceleration.y", "acceleration.z",
        "rotationRate.x", "rotationRate.y", "rotationRate.z", "temperature", "b.acceleration.x",
        "b.acceleration.y", "b.acceleration.z", "b.rotationRate.x", "b.rotationRate.y",
        "b.rotationRate.z", "b.temperature", "lost",
      ])
    let ofA = rows.dropFirst().filter { !$0[2].isEmpty }
    let ofB = rows.dropFirst().filter { !$0[9].isEmpty }
    #expect((90...101).contains(ofA.count) && (190...201).contains(ofB.count))
    #expect(ofA.count + ofB.count == rows.count - 1)
    // Both chips are on one board, so they measure the same force within their noise.
    for row in ofB.suffix(50) {
      let force = try row[9...11].map { try #require(Double($0)) }
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

  @Test func `a replay reads one chip and says which it leaves out`() throws {
    #expect(try run("record two.yaml -d 2 --instant -o r.csv").status == 0)
    let usual = try run("replay r.csv")
    #expect(usual.status == 0)
    let columns =
      "acceleration=b.acceleration,rotationRate=b.rotationRate,temperature=b.temperature"
    #expect(
      usual.errors == "r.csv: skipped, because another chip has the same quantity: b.acceleration, "
        + "b.rotationRate, b.temperature; to read those of b instead: --columns \(columns)\n")
    let chosen = try run("replay r.csv --columns \(columns)")
    #expect(chosen.status == 0 && chosen.errors.isEmpty, "\(chosen.errors)")
    // One motion per sample: 50 and 100 per second.
    #expect((90...102).contains(usual.lines.count) && (190...202).contains(chosen.lines.count))
  }

  /// The topics are in the summary at the end of the file, which is not compressed.
  @Test func `in an MCAP file each chip has its topics, and a replay reads one chip`() throws {
    let ending = try run("record two.yaml -d 2 --instant -o r.mcap")
    #expect(ending.status == 0 && !ending.errors.contains("not in the MCAP file"))
    let data = try Data(contentsOf: URL(filePath: scratch.path + "/r.mcap"))
    let text = String(decoding: data, as: UTF8.self)
    for topic in ["/imu/data_raw", "/b/imu/data_raw", "/b/temperature", "/tf"] {
      #expect(text.contains(topic))
    }
    #expect(!text.contains("/b/imu/data\0") && !text.contains("/a/imu"))
    let usual = try run("replay r.mcap")
    #expect(usual.status == 0)
    #expect(
      usual.errors
        == "r.mcap: skipped, because another chip has the same quantity: /b/imu/data_raw, "
        + "/b/temperature\n")
    #expect((90...102).contains(usual.lines.count), "\(usual.lines.count)")
  }

  // MARK: Another part than the board file says

  @Test(arguments: [
    "run weather.yaml -d 0.5 --format csv", "record weather.yaml -d 0.5 -o r.csv",
    "record weather.yaml -d 0.5 --instant -o r.csv", "serve weather.yaml -d 1 --port 0",
  ])
  func `a chip that is another part than the board file says is told once`(_ command: String) throws
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
  @Test func `a GY-9250 without its magnetometer is told, with what to write where`() throws {
    let ending = try run(
      "run raspberry-pi-gy9250 --simulate --fault 'wrong-chip identity=0x70' -d 0.5 --format csv")
    #expect(ending.status == 0)
    #expect(
      ending.errorLines.contains(
        "imu: the chip identifies as MPU-6500 (identity 0x70), which gives no magnetic field; the "
          + "board file says MPU-9250 (also MPU-9255): write 'chip: \"invensense,mpu6500\"' and "
          + "remove 'magnetometer' in a file of your own (otolith boards new FILE --like "
          + "raspberry-pi-gy9250)"), "\(ending.errors)")
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
