// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities
internal import Sensors
public import Runtime

/// The state of the service and all its users. The JSON keys are the names of the properties; times
/// are in seconds.
public struct ServiceStatus: Codable, Equatable, Sendable {
  /// A rate requested by a program.
  public struct Want: Codable, Equatable, Sendable {
    /// A channel's name, such as `acceleration`, or `motion`.
    public var of: String
    /// The rate per second; absent for every sample.
    public var rate: Double?
  }
  public struct Client: Codable, Equatable, Sendable {
    public var program: String
    public var process: Int32
    public var user: UInt32
    /// The time since it connected.
    public var age: Double
    public var wants: [Want]
    /// The number of its requests.
    public var requests: UInt64
    /// The number of times it was woken.
    public var wakes: UInt64
    /// The samples and motions that it reports as missed, because it was stopped or too slow.
    public var missed: UInt64

    public init(
      program: String, process: Int32, user: UInt32, age: Double, wants: [Want], requests: UInt64,
      wakes: UInt64, missed: UInt64
    ) {
      self.program = program
      self.process = process
      self.user = user
      self.age = age
      self.wants = wants
      self.requests = requests
      self.wakes = wakes
      self.missed = missed
    }
  }
  /// The readings of an axis at the end of a chip's range.
  public struct Clipped: Codable, Equatable, Sendable {
    /// The axis, such as `acceleration.z`.
    public var axis: String
    /// The end of the range at which it stays, and the full scale if known, in the axis's unit.
    public var value: Double
    public var range: Double?
    public var samples: UInt64
  }
  /// A fault that fusion has detected in the samples.
  public struct Fault: Codable, Equatable, Sendable {
    /// The name, such as `gyroscopeHung`.
    public var name: String
    /// The faulty sensor: `gyroscope`, `accelerometer`, `magnetometer`.
    public var sensor: String
    /// True if it lasted for half a second, and ended less than ten seconds ago.
    public var isPresent: Bool
    /// The total duration, and the number of times it began.
    public var time: Double
    public var count: UInt64
  }
  public struct Chip: Codable, Equatable, Sendable {
    public var name: String
    public var chip: String
    /// `starting`, `delivering`, or the error message.
    public var state: String
    /// The number of frames read from the chip.
    public var received: UInt64
    /// The number of samples taken by the chip but not read.
    public var missing: UInt64
    /// The number of failed bus transactions.
    public var busErrors: UInt64
    public var overflows: UInt64
    public var missedInterrupts: UInt64
    public var misconfigurations: UInt64
    public var restarts: UInt64
    /// The number of samples delivered later than the board's limit.
    public var late: UInt64
    /// The configured rate in samples per second; 0 while it sleeps.
    public var rate: Double
    /// The number of short stops for changing the rate.
    public var rateChanges: UInt64
    /// The number of readings without a value, beyond the chip's range; absent if zero.
    public var empty: UInt64?
    /// True if the newest readings are without a value.
    public var isWithoutValue: Bool?
    public var clipped: [Clipped]?

    public init(_ report: ChipReport, sentence: String) {
      name = report.name
      chip = report.chip
      switch report.state {
      case .starting: state = "starting"
      case .delivering: state = "delivering"
      case .failed: state = sentence
      }
      received = report.health.received
      missing = report.health.missing
      busErrors = report.health.busErrors
      overflows = report.health.overflows
      missedInterrupts = report.health.missedInterrupts
      misconfigurations = report.health.misconfigurations
      restarts = report.health.restarts
      late = report.late
      rate = report.rate
      rateChanges = report.rateChanges
      let losses = report.losses
      empty = losses.empty > 0 ? losses.empty : nil
      isWithoutValue = losses.isWithoutValue ? true : nil
      clipped =
        losses.clipped.isEmpty
        ? nil
        : losses.clipped.map {
          Clipped(
            axis: $0.axis, value: $0.end.value, range: $0.range,
            samples: UInt64(clamping: $0.end.count))
        }
    }

    var losses: ReadingLosses {
      ReadingLosses(
        empty: empty ?? 0, isWithoutValue: isWithoutValue ?? false,
        clipped: (clipped ?? []).compactMap {
          ReadingLosses.Clipped(
            axis: $0.axis, value: $0.value, range: $0.range, count: $0.samples)
        })
    }
  }
  /// The version of the protocol.
  public var version: UInt16
  public var process: Int32
  public var user: UInt32
  public var socket: String
  /// The group that may connect.
  public var group: String
  /// The time since the service started.
  public var uptime: Double
  public var board: String
  /// True while the chips run.
  public var isRunning: Bool
  /// The combined rates requested from the chips.
  public var wants: [Want]
  public var chips: [Chip]
  /// The faults that fusion has detected; absent in an older service's status.
  public var faults: [Fault]?
  /// True while only the accelerometer updates the attitude, because there are no rotation rates.
  public var isCoasting: Bool?
  /// The time in that state, and the time covered by motions.
  public var coastingTime: Double?
  public var motionTime: Double?
  public var clients: [Client]
  /// The numbers of samples and motions published since the service started.
  public var samples: UInt64
  public var motions: UInt64
  /// The numbers of connections closed for invalid requests, and of connections not accepted.
  public var dropped: UInt64
  public var refused: UInt64
  /// The memory in bytes: resident, and in the rings.
  public var residentMemory: UInt64
  public var sharedMemory: UInt64
  /// The processor time of its threads.
  public var processorTime: Double

  public init(
    socket: String, group: String, uptime: Double, board: String, process: Int32, user: UInt32
  ) {
    version = ServiceVersion.newest
    self.process = process
    self.user = user
    self.socket = socket
    self.group = group
    self.uptime = uptime
    self.board = board
    isRunning = false
    wants = []
    chips = []
    clients = []
    samples = 0
    motions = 0
    dropped = 0
    refused = 0
    residentMemory = 0
    sharedMemory = 0
    processorTime = 0
  }

  public var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // All values can be encoded as JSON.
    return (try? encoder.encode(self)).map { Array($0) } ?? []
  }

  public init?(json: [UInt8]) {
    guard let status = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
    self = status
  }
}

extension SampleDemand {
  /// The demand as named rates.
  public var wants: [ServiceStatus.Want] {
    let channels = Channel.allCases.map { ("\($0.row.name)", self[$0]) }
    return (channels + [("motion", motion)]).filter { $0.1 > 0 }.map {
      ServiceStatus.Want(of: $0.0, rate: $0.1.isFinite ? $0.1 : nil)
    }
  }
}
