// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Foundation
import LinuxBus
import Quantities
import Runtime
import Sensors
import Testing

extension KernelBenchTests.OracleTests {
  /// A pressure sensor of the kernel is already compensated: kilopascal, thousandths of a degree
  /// and of a percent.
  @Test(arguments: [
    ("bosch,bmp280", "bmp280", Oracle.Place.i2c(0x76)), ("bosch,bme280", "bme280", .i2c(0x77)),
    ("bosch,bmp280", "bmp280", .spi(4)),
  ])
  func `pressure and humidity are the kernel's`(chip: String, driver: String, place: Oracle.Place)
    throws
  {
    let oracle = Oracle(chip: chip, driver: driver, place: place, quantities: [])
    try BenchServer.serve(Boards.all, hold: Self.held)
    // otolith's configuration is used: more oversampling has finer steps (BST-BMP280 table 7).
    let (ours, controlMeasurement) = try oracle.onOurSide { oversampled in
      var register: UInt8 = 0
      let board = try Ours.board(oracle.placement(", rate-hz: 10"), spi: oracle.spi)
      let ours = try Ours.run(board, seconds: 1) {
        Thread.sleep(forTimeInterval: 0.5)
        register = try oversampled()
      }
      return (try #require(ours.samples.last).sample, register)
    }
    let ratios = [0.0, 1, 2, 4, 8, 16]
    let words = oracle.words()
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: driver)
      try device.set("in_temp_oversampling_ratio", "\(Int(ratios[Int(controlMeasurement >> 5)]))")
      try device.set(
        "in_pressure_oversampling_ratio", "\(Int(ratios[Int(controlMeasurement >> 2 & 7)]))")
      Thread.sleep(forTimeInterval: 0.5)
      return (
        pressure: try device.number("in_pressure_input"),
        temperature: try device.number("in_temp_input"),
        humidity: device.has("in_humidityrelative_input")
          ? try device.number("in_humidityrelative_input") : nil
      )
    }
    // Both use the manufacturer's fixed-point formula, whose last places are 1/256 Pa, 0.01 K and
    // 1/1024 percent.
    let pressure = abs(ours.pressure - theirs.pressure) * 256_000
    let temperature = abs(ours.temperature - theirs.temperature / 1000) * 100
    #expect(pressure < 1e-3, "\(ours.pressure) and \(theirs.pressure) kPa")
    #expect(temperature < 1e-3, "\(ours.temperature) and \(theirs.temperature) m degC")
    var cells =
      "pressure \(Self.digits(pressure)) of 1/256 Pa, temperature \(Self.digits(temperature)) of 0.01 K"
    if let humidity = theirs.humidity {
      // The kernel prints thousandths of a value in 1/1024.
      let difference = abs(ours.humidity - humidity / 1000) * 1024
      #expect(difference <= 1.1, "\(ours.humidity) and \(humidity)")
      cells += ", humidity \(Self.digits(difference)) of 1/1024 %"
    }
    print("oracle: | \(oracle) | environment | \(cells) |")
  }

  /// Light and proximity in counts. Linux reads proximity with 16 bits and gives it in counts of 12
  /// bits, with a fraction; otolith reads 12.
  @Test func `light and proximity have the kernel's counts`() throws {
    let oracle = Oracle(
      chip: "vishay,vcnl4040", driver: "vcnl4040", place: .i2c(0x60), quantities: [])
    try BenchServer.serve(Boards.all, hold: Self.held + ";illuminance=320.4;proximity=0.2")
    let words = oracle.words()
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: "vcnl4000")
      Thread.sleep(forTimeInterval: 0.2)
      return (
        light: try device.number("in_illuminance_raw"), near: try device.number("in_proximity_raw"),
        scale: try device.number("in_illuminance_scale")
      )
    }
    let ours = try oracle.onOurSide { _ in
      try Ours.last(try Ours.board(oracle.placement(", rate-hz: 10")))
    }
    let light = abs(ours.scalars[.illuminance] / 0.1 - theirs.light)
    let near = abs(ours.scalars[.proximity] * 4095 - theirs.near.rounded(.down))
    #expect(light < 1e-6 && near < 1e-6, "\(ours.scalars) and \(theirs)")
    #expect(theirs.scale == 0.1 && theirs.light == 3204 && theirs.near == 13107 / 16.0)
    print(
      "oracle: | \(oracle) | light, proximity | \(Self.digits(light)) and \(Self.digits(near)) LSB |"
    )
  }

  /// The die temperature in counts, and converted with scale and offset.
  @Test(arguments: [Oracle.all[0], Oracle.all[1]])
  func `the die's temperature has the kernel's counts and scale`(oracle: Oracle) throws {
    try BenchServer.serve(Boards.all, hold: Self.held)
    let words = oracle.words("irq=\(oracle.place == .spi(0) ? 14 : 0) trigger=rising")
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: oracle.driver)
      // The driver reads the temperature only together with samples.
      let scans = try device.capture { Thread.sleep(forTimeInterval: 0.5) }
      return (
        raw: Double(try #require(scans.last?.values["in_temp"])),
        scale: try device.number("in_temp_scale"), offset: try device.number("in_temp_offset")
      )
    }
    let ours = try oracle.onOurSide { _ in
      try Ours.last(try Ours.board(oracle.placement(", rate-hz: 100"), spi: oracle.spi))
    }
    // 340 counts per degree and 36.53 at zero (RM-MPU-6000A-00 section 4.18); 333.87 and 21
    // (RM-MPU-6500A-00 section 4.23).
    let (perDegree, atZero) = oracle.driver == "mpu6050" ? (340.0, 36.53) : (333.87, 21)
    let counts = (ours.temperature - atZero) * perDegree
    #expect(abs(counts - theirs.raw) < 1e-6, "\(counts) and \(theirs.raw)")
    let degrees = (theirs.raw + theirs.offset) * theirs.scale / 1000
    // The kernel's offset is a whole number of counts.
    #expect(abs(degrees - ours.temperature) < 1 / perDegree)
    print(
      "oracle: | \(oracle) | die temperature | \(Self.digits(abs(counts - theirs.raw))) LSB, "
        + "\(Self.digits(abs(degrees - ours.temperature))) K |")
  }

  /// Every rate of the kernel's driver between otolith's slowest and fastest is also one of
  /// otolith's.
  @Test(arguments: Oracle.all)
  func `every rate of the kernel's driver is one of ours`(oracle: Oracle) throws {
    let entry = try #require(ChipCatalog.entry(named: oracle.chip))
    let ours = entry.description.rates
    try BenchServer.serve(oracle.board)
    let words = oracle.words()
    try VirtualBench.with(words.new, gone: words.delete) {
      for quantity in oracle.quantities {
        guard let file = quantity.rates else { continue }
        let theirs = try IIODevice(named: quantity.device).numbers(file).filter { $0 > 0 }
        try #require(theirs.count >= 4, "\(theirs)")
        let slowest = try #require(ours.min())
        let fastest = try #require(ours.max())
        let missing = theirs.filter { rate in
          // The kernel rounds the LIS3MDL's 0.625, 1.25 and 2.5 Hz to whole numbers.
          (slowest...fastest).contains(rate)
            && !ours.contains { abs($0 / rate - 1) < 0.005 || $0.rounded(.up) == rate }
        }
        #expect(missing.isEmpty, "\(oracle): of \(theirs) not in \(ours)")
        print(
          "oracle: | \(oracle) | rates | \(theirs.count) of the kernel's, \(missing.count) not ours |"
        )
      }
    }
  }

  /// A quarter turn as the kernel's mount matrix and as otolith's mounting gives the same vector in
  /// device axes.
  @Test(arguments: [Oracle.all[0], Oracle.all[2], Oracle.all[5], Oracle.all[7]])
  func `a mount matrix turns as a mounting does`(oracle: Oracle) throws {
    try BenchServer.serve(Boards.all, hold: Self.held)
    let words = oracle.words("mount=0,1,0,-1,0,0,0,0,1")
    let quantity = oracle.quantities[0]
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: quantity.device)
      Thread.sleep(forTimeInterval: 0.2)
      let files = [
        "mount_matrix", "in_mount_matrix", "in_accel_mount_matrix", "in_magn_mount_matrix",
      ]
      let file = try #require(files.first { device.has($0) })
      // `0, 1, 0; -1, 0, 0; 0, 0, 1`: the rows convert chip axes to device axes.
      let rows = try device.text(file).split(separator: ";").map { row in
        row.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
      }
      let scale = try device.number(quantity.scale) * quantity.kernelUnit
      let raw = try quantity.channels.map { try device.number("\($0)_raw") * scale }
      return rows.map { row in zip(row, raw).map(*).reduce(0, +) }
    }
    let ours = quantity.ours(
      try Ours.last(try Ours.board(oracle.placement(", rate-hz: 80, mounting: [y, '-x', z]"))))
    for (a, b) in zip(ours, theirs) {
      // Two full scales, each rounded separately, and the printed digits of the kernel's scales.
      #expect(
        abs(a - b) < abs(b) * 2e-3 + (quantity.ranges.last?.count ?? 0),
        "\(ours) and \(theirs)")
    }
    print(
      "oracle: | \(oracle) | mount matrix | \(ours.map(Self.digits)) ours, \(theirs.map(Self.digits)) the kernel's |"
    )
  }

  static func digits(_ value: Double) -> String {
    value.formatted(.number.precision(.significantDigits(4)))
  }
}

extension Oracle {
  /// Runs `body` while otolith may use the chip: on SPI with spidev. Its argument reads CTRL_MEAS
  /// (0xF4) of a pressure sensor.
  func onOurSide<Value>(_ body: (() throws -> UInt8) throws -> Value) throws -> Value {
    switch place {
    case .i2c(let address):
      return try body {
        let bus = try LinuxI2CBus(path: VirtualBench.i2c)
        var byte: [UInt8] = [0]
        var span = byte.mutableSpan
        try bus.read(&span, after: 0xF4, from: address)
        return byte[0]
      }
    case .spi(let select):
      return try VirtualBench.withSPIDevice(select) { path in
        try body {
          let device = try LinuxSPI(path: path, mode: 0, speed: 1_000_000)
          var byte: [UInt8] = [0]
          var span = byte.mutableSpan
          try device.read(&span, after: 0xF4, dummyBytes: 0)
          return byte[0]
        }
      }
    }
  }
}
