// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities
internal import Sensors
package import Runtime

/// The state of the service and of all its clients. The JSON keys are the names of the properties;
/// times are in seconds.
package struct ServiceStatus: Codable, Equatable, Sendable {
  /// A rate that a client requests.
  package struct Want: Codable, Equatable, Sendable {
    /// The name of a channel, such as `acceleration`, or `motion`.
    package var of: String
    /// The rate per second; absent if every sample is requested.
    package var rate: Double?
  }
  package struct Client: Codable, Equatable, Sendable {
    package var program: String
    package var process: Int32
    package var user: UInt32
    /// The time since the client connected, in seconds.
    package var age: Double
    package var wants: [Want]
    /// The number of requests that the client has sent.
    package var requests: UInt64
    /// The number of times that the client was woken.
    package var wakes: UInt64
    /// The number of samples and motions that the client has missed because it was stopped or too
    /// slow.
    package var missed: UInt64

    package init(
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
  package struct Clipped: Codable, Equatable, Sendable {
    /// The axis, such as `acceleration.z`.
    package var axis: String
    /// The value at the end of the range and, if known, the full scale, in the unit of the axis.
    package var value: Double
    package var range: Double?
    package var samples: UInt64
  }
  /// A fault that fusion has detected in the samples.
  package struct Fault: Codable, Equatable, Sendable {
    /// The name of the fault, such as `gyroscopeHung`.
    package var name: String
    /// The faulty sensor: `gyroscope`, `accelerometer`, `magnetometer`.
    package var sensor: String
    /// True if the fault lasted for at least 0.5 s, and ended less than 10 s ago.
    package var isPresent: Bool
    /// The total duration in seconds, and the number of times that the fault began.
    package var time: Double
    package var count: UInt64
  }
  package struct Chip: Codable, Equatable, Sendable {
    package var name: String
    package var chip: String
    /// The state of the chip: `starting`, `delivering`, or the error message.
    package var state: String
    /// The number of frames read from the chip.
    package var received: UInt64
    /// The number of samples that the chip took but that were not read.
    package var missing: UInt64
    /// The number of failed bus transactions.
    package var busErrors: UInt64
    package var overflows: UInt64
    package var missedInterrupts: UInt64
    package var misconfigurations: UInt64
    package var restarts: UInt64
    /// The number of samples delivered later than the board's limit allows.
    package var late: UInt64
    /// The configured sample rate in Hz; 0 while the chip sleeps.
    package var rate: Double
    /// The number of short stops to change the rate.
    package var rateChanges: UInt64
    /// The number of readings that have no value because the chip's range was exceeded; absent if
    /// zero.
    package var empty: UInt64?
    /// The number of readings with raw values that are not valid measurements; absent if zero.
    package var invalid: UInt64?
    /// True if the newest readings have no value.
    package var isWithoutValue: Bool?
    package var clipped: [Clipped]?
    /// The conditions of the channels that are combined with other chips' channels; absent if no
    /// channel is combined.
    package var conditions: [Condition]?

    package init(_ report: ChipReport, sentence: String) {
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
      invalid = losses.invalid > 0 ? losses.invalid : nil
      isWithoutValue = losses.isWithoutValue ? true : nil
      clipped =
        losses.clipped.isEmpty
        ? nil
        : losses.clipped.map {
          Clipped(
            axis: $0.axis, value: $0.end.value, range: $0.range,
            samples: UInt64(clamping: $0.end.count))
        }
      conditions = report.conditions.isEmpty ? nil : report.conditions.map(Condition.init)
    }

    /// The conditions whose channel and states this program knows; a newer service may send others.
    package var channelConditions: [ChannelCondition] {
      (conditions ?? []).compactMap(\.channelCondition)
    }

    package var losses: ReadingLosses {
      ReadingLosses(
        empty: empty ?? 0, invalid: invalid ?? 0, isWithoutValue: isWithoutValue ?? false,
        clipped: (clipped ?? []).compactMap {
          ReadingLosses.Clipped(
            axis: $0.axis, value: $0.value, range: $0.range, count: $0.samples)
        })
    }
  }
  /// The version of the protocol.
  package var version: UInt16
  package var process: Int32
  package var user: UInt32
  package var socket: String
  /// The group that may connect.
  package var group: String
  /// The time since the board was last started or reloaded, in seconds.
  package var uptime: Double
  package var board: String
  /// True while the chips run.
  package var isRunning: Bool
  /// The combined rates that all clients request.
  package var wants: [Want]
  package var chips: [Chip]
  /// The faults that fusion has detected; absent if an older service sent the status.
  package var faults: [Fault]?
  /// True while the attitude is updated from the accelerometer alone because there are no rotation
  /// rates.
  package var isCoasting: Bool?
  /// The total time in seconds during which the accelerometer alone updated the attitude, and the
  /// time that all motions cover.
  package var coastingTime: Double?
  package var motionTime: Double?
  package var clients: [Client]
  /// The numbers of samples and motions published since the board was last started.
  package var samples: UInt64
  package var motions: UInt64
  /// The number of connections closed because of invalid requests, and of connections not accepted.
  package var dropped: UInt64
  package var refused: UInt64
  /// The resident memory of the service, and the memory of the rings, in bytes.
  package var residentMemory: UInt64
  package var sharedMemory: UInt64
  /// The processor time of all threads, in seconds.
  package var processorTime: Double

  package init(
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

  package var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // Encoding does not fail, because JSON can represent all values.
    return (try? encoder.encode(self)).map { Array($0) } ?? []
  }

  package init?(json: [UInt8]) {
    guard let status = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
    self = status
  }
}

extension SampleDemand {
  /// The demand as named rates.
  package var wants: [ServiceStatus.Want] {
    let channels = Channel.allCases.map { ("\($0.row.name)", self[$0]) }
    return (channels + [("motion", motion)]).filter { $0.1 > 0 }.map {
      ServiceStatus.Want(of: $0.0, rate: $0.1.isFinite ? $0.1 : nil)
    }
  }
}
