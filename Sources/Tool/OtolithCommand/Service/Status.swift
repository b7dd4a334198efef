// SPDX-License-Identifier: Apache-2.0
import Text
import CommandOutput
import ArgumentParser
import Foundation
import Otolith
import Recordings
import Runtime
import Service

extension Service {
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show the service's state, its clients and its load.",
      discussion: "Exit status: 69 if no service is running, 77 if access is denied.")

    @OptionGroup var place: PlaceOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
      let control = try place.connect()
      do throws(ServiceFailure) {
        if json {
          Terminal.say(String(decoding: try control.statusJSON(), as: UTF8.self))
        } else {
          for line in StatusTable(try control.status(), asking: getpid()).lines {
            Terminal.say(line)
          }
        }
      } catch { throw Failure(error) }
    }
  }
}

/// The status of a service as text for users.
struct StatusTable {
  private let status: ServiceStatus
  /// The process identifier of this command, which is omitted from the list.
  private let asking: Int32

  init(_ status: ServiceStatus, asking: Int32) {
    self.status = status
    self.asking = asking
  }

  var lines: [String] { general + [""] + chips + [""] + clients }

  private var general: [String] {
    let clients = status.clients.filter { $0.process != asking }
    let share = status.uptime > 0 ? 100 * status.processorTime / status.uptime : 0
    return [
      row("board", status.board + (status.isRunning ? ", running" : ", asleep")),
      row("wanted", Self.text(status.wants)),
      row(
        "service",
        "process \(status.process), user \(Self.user(status.user)), for \(Self.span(status.uptime))"
      ),
      row("socket", "\(status.socket), group \(status.group)"),
      row("published", "\(status.samples) samples, \(status.motions) motions"),
      row(
        "clients",
        "\(clients.count); \(status.dropped) disconnected for invalid requests, \(status.refused) "
          + "refused"),
      row(
        "memory",
        "\(Self.bytes(status.residentMemory)), rings of \(Self.bytes(status.sharedMemory)) among it"
      ),
      row(
        "processor",
        String(
          format: "%.1f s, %.2f %% of one since the board started", status.processorTime, share)),
    ]
  }

  private func row(_ name: String, _ text: String) -> String {
    name.padded(to: 10) + " " + Self.printable(text)
  }

  private var chips: [String] {
    let header = [
      "chip", "part", "Hz", "received", "missing", "late", "bus errors", "overflows", "restarts",
    ]
    let rows = status.chips.map { chip in
      [chip.name, chip.chip, String(format: "%.4g", chip.rate)]
        + [
          chip.received, chip.missing, chip.late, chip.busErrors, chip.overflows, chip.restarts,
        ].map { "\($0)" }
    }
    // Error messages are printed below the table, because they do not fit into a cell.
    let complaints = status.chips.filter { $0.state != "delivering" && $0.state != "starting" }
      .map { Self.printable($0.state) }
    let clipped = status.chips.flatMap { chip in
      chip.losses.clipped.map {
        Self.printable("\(chip.name): \(PinnedSamples.words($0.end, range: $0.range))")
      }
    }
    let conditions = status.chips.flatMap { chip in
      chip.channelConditions.compactMap(\.fault).map { Self.printable("\(chip.name): \($0)") }
    }
    return Self.table([header] + rows, words: ["chip", "part"]) + complaints + clipped + conditions
      + faults
  }

  private var faults: [String] {
    let total = status.motionTime ?? 0
    let faults = (status.faults ?? []).map { fault in
      // This release does not know the faults of a newer service, so show such a fault by its name.
      SensorFaultRow.fault(named: fault.name).flatMap { SensorFaultRow.rows(of: $0).first }
        .map { $0.sentence(lasting: fault.time, of: total) }
        ?? "\(Self.printable(fault.name)) for \(FaultTimes.text(fault.time, of: total))"
    }
    let coasting = status.coastingTime ?? 0
    guard coasting > 0 else { return faults }
    return faults + [FaultTimes.sentence(coasting: coasting, of: total)]
  }

  private var clients: [String] {
    let header = ["program", "user", "process", "age", "requests", "wakes", "missed", "wants"]
    let rows = status.clients.filter { $0.process != asking }.map { client in
      [
        client.program, Self.user(client.user), "\(client.process)", Self.span(client.age),
        "\(client.requests)", "\(client.wakes)", "\(client.missed)", Self.text(client.wants),
      ]
    }
    return rows.isEmpty
      ? ["no program is connected"]
      : Self.table([header] + rows, words: ["program", "user", "wants"])
  }

  // MARK: Cells

  /// Returns rows with columns as wide as their contents. Columns in `words` are aligned left,
  /// numbers right.
  private static func table(_ rows: [[String]], words: Set<String>) -> [String] {
    let header = rows.first ?? []
    return TextTable.lines(
      rows.map { $0.map(printable) },
      right: Set(header.indices.filter { !words.contains(header[$0]) }))
  }

  /// Returns a client's requests as text, such as `acceleration 100 Hz, motion`. A request without
  /// a rate is for every sample.
  static func text(_ wants: [ServiceStatus.Want]) -> String {
    if wants == SampleDemand.everything.wants { return "everything" }
    let words = wants.map { want in
      want.of + (want.rate.map { String(format: " %.4g Hz", $0) } ?? "")
    }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }

  /// Returns a duration as text with at most two units, such as `1 h 2 min`.
  static func span(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9))
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(whole % 60) s"
    case ..<86_400: return "\(whole / 3600) h \(whole / 60 % 60) min"
    default: return "\(whole / 86_400) d \(whole / 3600 % 24) h"
    }
  }

  private static func bytes(_ count: UInt64) -> String {
    String(format: "%.1f MB", Double(count) / 1e6)
  }

  private static func user(_ id: UInt32) -> String {
    // No other thread of this command calls `getpwuid`, and the name is copied here.
    guard let entry = unsafe getpwuid(id), let name = unsafe entry.pointee.pw_name else {
      return "\(id)"
    }
    return unsafe String(cString: name)  // as above
  }

  /// Removes control characters, because client programs choose their own names and a terminal
  /// would interpret these characters.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
