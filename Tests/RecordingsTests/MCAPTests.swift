// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
@testable import Recordings
import Testing

/// MCAP files with messages of ROS 2. Other programs read them in `make test KIND=third-party`.
@Suite struct MCAPTests {
  static let rates: ChannelSet = [.acceleration, .rotationRate]

  @Test func `the checksum is zlib's`() {
    #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
    #expect(CRC32.of([UInt8]()) == 0)
  }

  /// The size and checksum (zlib) of the files in ros2/common_interfaces, ros2/rcl_interfaces and
  /// ros2/geometry2.
  @Test(arguments: [
    ("builtin_interfaces/msg/Time", 245, 0x2DC3_0386), ("tf2_msgs/msg/TFMessage", 44, 0xF46C_F3A5),
    ("std_msgs/msg/Header", 322, 0xA1BD_DEFA), ("geometry_msgs/msg/Vector3", 251, 0xFB8A_5145),
    ("geometry_msgs/msg/Quaternion", 116, 0x9EB2_EF81),
    ("geometry_msgs/msg/Transform", 118, 0xF330_0740),
    ("geometry_msgs/msg/TransformStamped", 748, 0x458C_CACE),
    ("sensor_msgs/msg/Imu", 1211, 0x878C_4D03),
    ("sensor_msgs/msg/MagneticField", 1183, 0x531A_3844),
    ("sensor_msgs/msg/FluidPressure", 525, 0x9AD3_CDA7),
    ("sensor_msgs/msg/Temperature", 343, 0x85A3_CA84),
    ("sensor_msgs/msg/RelativeHumidity", 626, 0x54C7_B8EE),
    ("sensor_msgs/msg/Illuminance", 994, 0x7EC5_1518),
    ("sensor_msgs/msg/Range", 2124, 0xA250_0D3E),
    ("diagnostic_msgs/msg/KeyValue", 95, 0x429B_3EAC),
    ("diagnostic_msgs/msg/DiagnosticStatus", 428, 0x3647_EAD2),
    ("diagnostic_msgs/msg/DiagnosticArray", 192, 0xDFEA_F956),
  ])
  func `definitions are those of ROS 2, byte for byte`(
    _ name: String, _ count: Int, _ sum: UInt32
  ) throws {
    let message = try #require(ROSMessage.allCases.first { $0.typeName == name })
    #expect(message.definition.utf8.count == count)
    #expect(CRC32.of(message.definition.utf8) == sum)
    #expect(ROSMessage.allCases.count == 17)
  }

  @Test func `a schema has each definition that it needs once`() {
    let schema = ROSMessage.diagnosticArray.schema
    let parts = schema.components(separatedBy: String(repeating: "=", count: 80) + "\nMSG: ")
    #expect(
      parts.dropFirst().map { $0.prefix { $0 != "\n" } } == [
        "std_msgs/Header", "diagnostic_msgs/DiagnosticStatus", "builtin_interfaces/Time",
        "diagnostic_msgs/KeyValue",
      ])
  }

  /// The length and checksum of the same message written by Python's struct.
  @Test func `an IMU's message has the bytes that CDR gives it`() throws {
    var sample = Sample(timestamp: .zero, channels: Self.rates)
    sample.acceleration = Vector3(0.1, -0.2, -0.97)
    sample.rotationRate = Vector3(0.5, -0.25, 1)
    let messages = ROSEncoder().messages(sample, stamp: 1_700_000_000_250_000_000)
    let message = try #require(messages.first)
    #expect(messages.count == 1 && message.topic == .rawIMU)
    #expect(message.bytes.count == 324 && CRC32.of(message.bytes) == 0x3033_86FC)
    #expect(
      message.bytes.prefix(32) == [
        0, 1, 0, 0, 0x00, 0xF1, 0x53, 0x65, 0x80, 0xB2, 0xE6, 0x0E, 9, 0, 0, 0, 0x69, 0x6D, 0x75,
        0x5F, 0x6C, 0x69, 0x6E, 0x6B, 0, 0, 0, 0, 0, 0, 0, 0,
      ])
  }

  /// Seconds and nanoseconds from `date -u -d @N`: 2038-01-19T03:14:07Z is the last second.
  @Test(arguments: [
    (1_700_000_000_250_000_000, 1_700_000_000, 250_000_000), (0, 0, 0), (-1, 0, 0),
    (Int64.min, 0, 0), (2_147_483_647_999_999_999, 2_147_483_647, 999_999_999),
    (2_147_483_648_000_000_000, 2_147_483_647, 999_999_999),
    (4_294_967_296_500_000_000, 2_147_483_647, 999_999_999),
    (Int64.max, 2_147_483_647, 999_999_999),
  ]) func `a stamp is held where ROS's clock ends`(
    _ stamp: Int64, _ seconds: Int32, _ nanoseconds: UInt32
  ) throws {
    var sample = Sample(timestamp: .zero, channels: [.temperature])
    sample.scalars[.temperature] = 20
    let message = try #require(ROSEncoder().messages(sample, stamp: stamp).first)
    var reader = try #require(CDRReader(message.bytes[...]))
    let stamped = (reader.integer(Int32.self), reader.integer(UInt32.self))
    #expect(stamped.0 == seconds && stamped.1 == nanoseconds)
  }

  /// Tokens as defined by design.ros2.org: letters, digits and '_', and no leading digit.
  @Test func `chips that measure the same have topics that ROS has`() {
    let names = ["b", "imu-b", "imu_b", "9dof"]
    let columns = ChipColumns(
      names.enumerated().map {
        ChipColumns.Chip(source: $0 + 1, name: $1, channels: [.acceleration, .temperature])
      })
    let chips = ROSChip.all(of: columns)
    #expect(chips.map(\.source) == [1, 2, 3, 4])
    #expect(
      chips.map { $0.channels.map(\.topic) } == [
        ["/b/imu/data_raw", "/b/temperature"], ["/imu_b/imu/data_raw", "/imu_b/temperature"],
        ["/imu_b_2/imu/data_raw", "/imu_b_2/temperature"],
        ["/chip_9dof/imu/data_raw", "/chip_9dof/temperature"],
      ])
    let ids = chips.flatMap(\.channels).map(\.id) + ROSTopic.allCases.map(\.rawValue)
    #expect(Set(ids).count == 8 + 10)
    #expect(
      chips[0].channels.map(\.id) == [chips[0].channel(.rawIMU), chips[0].channel(.temperature)])
  }

  @Test func `an attitude is turned from north and west to east and north`() throws {
    var row = MotionRow(timestamp: .zero)
    // The device's x axis points east, which is -y in Core Motion's frame.
    row.attitude = Quaternion(angle: -.pi / 2, axis: Vector3(0, 0, 1))
    let messages = ROSEncoder().messages(
      row, sigmas: (0.01, 0.1, nil), isNorth: true, stamp: 1_700_000_000_250_000_000)
    #expect(messages.map(\.topic) == [.imu, .transform])
    #expect(messages[1].bytes.count == 100)
    // In ROS x is east, so there is no rotation; the last eight bytes are w.
    var reader = try #require(CDRReader(messages[1].bytes[...]))
    let numbers = [
      reader.integer(UInt32.self), reader.integer(UInt32.self), reader.integer(UInt32.self),
    ]
    #expect(numbers == [1, 1_700_000_000, 250_000_000])
    let names = [reader.text(), reader.text()]
    #expect(names == ["map", "imu_link"])
    let seven = reader.doubles(7)
    let values = try #require(seven)
    #expect(abs(values[6] - 1) < 1e-12 && values[..<6].allSatisfy { abs($0) < 1e-12 })
  }

  /// The beginning and the end of a file with one message, typed from `mcap.dev/spec`.
  @Test func `a file begins and ends as the specification says`() throws {
    try inFolder { folder in
      let path = folder + "/a.mcap"
      let file = try MCAPFile(path: path, replaces: false, channels: [MCAPChannel(.temperature)])
      // The file is complete before any message: magic, header, schema, channel, end.
      func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path))) }
      let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
      var shortEnd: [UInt8] = [
        0x0F, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 20, 0, 0, 0, 0, 0, 0, 0,
      ]
      shortEnd += [UInt8](repeating: 0, count: 20) + magic
      #expect(try Array(bytes().suffix(50)) == shortEnd)
      let header: [UInt8] = [
        0x01, 19, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0x72, 0x6F, 0x73, 0x32, 7, 0, 0, 0, 0x6F, 0x74,
        0x6F, 0x6C, 0x69, 0x74, 0x68,
      ]
      #expect(try Array(bytes().prefix(36)) == magic + header)
      file.append(MCAPMessage(channel: 5, time: 7, data: [1, 2, 3]))
      try file.finish()
      let end = try bytes()
      #expect(Array(end.suffix(8)) == magic)
      let footer = Array(end.suffix(37).prefix(29))
      #expect(footer[0] == 2 && footer[1] == 20)
      let summary = footer[9..<17].reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(end[summary] == 3, "the summary begins with the schema")
      #expect(end[summary - 13] == 0x0F, "behind the end of the data")
      let sum = CRC32.of(end[summary..<(end.count - 12)])
      #expect(footer.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } == sum)
    }
  }

  /// At any size the file has its end within one page, after all earlier data.
  @Test func `a file is whole after every write, and its end lies in one page`() throws {
    try inFolder { folder in
      let path = folder + "/a.mcap"
      let file = try MCAPFile(path: path, replaces: false, channels: [MCAPChannel(.temperature)])
      for number in 0..<400 {
        file.append(
          MCAPMessage(
            channel: 5, time: Int64(number),
            data: [UInt8](repeating: UInt8(number % 251), count: number * 13 % 97)))
        try file.flush()
        let bytes = try Array(Data(contentsOf: URL(filePath: path)))
        #expect((bytes.count - 1) / 4096 == (bytes.count - 50) / 4096)
        var count = 0
        var faults = MCAPFaults()
        let input = MCAPInput(bytes, file: path)
        let end = try MCAPEnd(input, faults: &faults)
        var messages = MCAPMessages(input, end)
        while let step = try messages.next() {
          guard case .message(let message) = step else { continue }
          #expect(message.time == Int64(count))
          #expect(message.data.count == count * 13 % 97)
          count += 1
        }
        #expect(count == number + 1)
        #expect(faults.isEmpty && messages.faults.isEmpty)
      }
    }
  }

  @Test func `what was recorded comes back, in g and microtesla`() throws {
    try inFolder { folder in
      let path = folder + "/a.mcap"
      let file = try MCAPFile(
        path: path, replaces: false, channels: ROSTopic.allCases.map { MCAPChannel($0) })
      let channels: ChannelSet = [
        .acceleration, .rotationRate, .magneticField, .pressure, .temperature, .humidity,
        .illuminance,
      ]
      var written: [Sample] = []
      for number in 0..<50 {
        let x = Double(number) / 64
        var sample = Sample(
          timestamp: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(number) * 5_000_000),
          channels: channels)
        sample.acceleration = Vector3(x, -x, 1 - x)
        sample.rotationRate = Vector3(-x, 2 * x, 0.1)
        sample.magneticField = Vector3(20 + x, -5, -42)
        for (index, channel) in Channel.allCases.enumerated()
        where channels.contains(channel) && !channel.isVector {
          sample.scalars[channel] = Double(index) + x
        }
        written.append(sample)
        for message in ROSEncoder().messages(sample, stamp: sample.timestamp.nanoseconds) {
          file.append(
            MCAPMessage(
              channel: message.topic.rawValue, time: sample.timestamp.nanoseconds,
              data: message.bytes))
        }
      }
      try file.finish()
      var reader = try RecordingReader(path: path)
      #expect(reader.channels == channels)
      var seen = ChannelSet()
      var count = 0
      while let sample = try reader.next() {
        count += 1
        let truth = try #require(written.first { $0.timestamp == sample.timestamp })
        for channel in Channel.allCases where sample.channels.contains(channel) {
          #expect((sample[channel] - truth[channel]).norm < 1e-13 * max(1, truth[channel].norm))
          seen.formUnion(ChannelSet(channel))
        }
      }
      #expect(seen == channels && count == 50 * 6)
    }
  }

  @Test func `an unreadable file is reported with the next step`() throws {
    func problem(_ bytes: [UInt8]) throws -> String {
      var text = ""
      try inFolder { folder in
        try Data(bytes).write(to: URL(filePath: folder + "/a.mcap"))
        let error = #expect(throws: RecordingError.self) {
          _ = try RecordingReader(path: folder + "/a.mcap")
        }
        text = (error?.description ?? "").replacing(folder + "/", with: "")
      }
      return text
    }
    let magic = MCAPRecord.magic
    func chunk(_ packing: String) -> [UInt8] {
      var content = [UInt8](repeating: 0, count: 28)
      content.append(counted: packing)
      content.append(littleEndian: UInt64(4))
      return magic + MCAPRecord.chunk.bytes(content + [1, 2, 3, 4])
    }
    #expect(try problem(magic).contains("there are no messages in it"))
    let packed = try problem(chunk("lz4"))
    #expect(
      packed.contains("its chunks are compressed with lz4") && packed.contains("mcap compress"))
    #expect(try problem(chunk("zstd")).contains("the chunk at byte 8 cannot be decompressed"))
    #expect(try problem(chunk("")).contains("the record at byte 8 is damaged"))
    #expect(
      try problem(magic + MCAPRecord.message.bytes([1, 0])).contains(
        "the record at byte 8 is damaged"))
  }
}
