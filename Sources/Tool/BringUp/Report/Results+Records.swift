// SPDX-License-Identifier: Apache-2.0
internal import Boards

extension AddressCheck.Result {
  /// Returns this result as a record for the report.
  func record(of bus: BusDescription) -> CheckRecord {
    var rows: [CheckRecord.Row] = []
    if let clockHz { rows.append(.init("clock", "\(clockHz / 1000) kHz")) }
    for place in places {
      let what: String? =
        switch (place.verdict, place.answer) {
        case (.right, _): "\(place.chip ?? ""), as in the board file"
        case (.missing, _): "silent; \(place.chip ?? "") should be here"
        case (.unexpected, _):
          "answers, but the board file has no chip here"
            + (place.candidates.isEmpty
              ? "" : "; it could be \(place.candidates.joined(separator: ", "))")
        case (_, .owned): "belongs to the kernel's driver \(place.owner ?? "")"
        default: nil
        }
      if let what { rows.append(.init(place.address.hexadecimal, what)) }
    }
    let summary =
      findings.first?.evidence
      ?? "\(answering.count == 1 ? "1 address" : "\(answering.count) addresses") of \(bus.path ?? "simulated bus \(bus.name)") "
      + "\(answering.count == 1 ? "answers" : "answer"): \(answering.map(\.hexadecimal).joined(separator: ", "))"
    return CheckRecord("bus", of: bus.name, findings: findings, summary, rows: rows)
  }
}

extension IdentityCheck.Result {
  var record: CheckRecord {
    if let skipped { return CheckRecord("identity", of: chip, .skipped, skipped) }
    var rows = [CheckRecord.Row("register", register.hexadecimal)]
    if let identity { rows.append(.init("holds", identity.hexadecimal)) }
    if let part { rows.append(.init("which is", part)) }
    for other in elsewhere {
      let place = other.address?.hexadecimal ?? bus
      rows.append(
        .init("at \(place)", "\(other.identity.hexadecimal) \(other.part ?? "")"))
    }
    let summary =
      isRight
      ? "\(part ?? type), identity \(identity?.hexadecimal ?? "")"
      : findings.first?.evidence ?? failure ?? "not known"
    return CheckRecord(
      "identity", of: chip, isRight ? .passed : .failed, summary, rows: rows, findings: findings)
  }
}

extension SelfTestCheck.Result {
  var record: CheckRecord {
    if let skipped { return CheckRecord("self-test", of: chip, .skipped, skipped) }
    let rows = items.map { item in
      CheckRecord.Row(
        "\(item.words) \(item.axis)",
        "\(item.response.text(3)) \(item.unit), limits \(item.lowest.text(3)) to \(item.highest.text(3))"
          + (item.isPassed ? "" : ": outside"))
    }
    let summary =
      findings.first?.evidence
      ?? "\(items.count) of \(items.count) figures within the maker's limits, in \(seconds.text(2)) s"
    return CheckRecord("self-test", of: chip, findings: findings, summary, rows: rows)
  }
}

extension SelfTestCheck.Item {
  /// The channel's name as separate words: `rotation rate` for `rotationRate`.
  fileprivate var words: String {
    channel.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
  }
}

extension AxesCheck.Result {
  var record: CheckRecord {
    let rows = chips.map { chip in
      CheckRecord.Row(
        chip.name,
        "mounted \(chip.measured), the board file has \(chip.expected): \(chip.off.text(0)) "
          + "degrees apart"
      )
    }
    if let shortfall, findings.isEmpty {
      return CheckRecord("axes", of: nil, .skipped, shortfall, rows: rows)
    }
    let summary =
      findings.first?.evidence
      ?? "\(chips.map(\.name).joined(separator: ", ")) as in the board file"
    return CheckRecord("axes", of: nil, findings: findings, summary, rows: rows)
  }
}

extension QueueCheck.Result {
  var record: CheckRecord {
    if let skipped { return CheckRecord("fifo", of: chip, .skipped, skipped) }
    let rate = measuredHz.map { "\($0.text(2)) Hz" } ?? "unknown"
    let rows: [CheckRecord.Row] = [
      .init("frames", "\(frames) in \(count(bursts, "burst"))"),
      .init(
        "frames a burst",
        "\(framesABurst.text(1)), \(expectedFramesABurst.text(1)) expected, \(largestBurst) at the most"
      ),
      .init("rate", "\(rate), configured \((configuredHz ?? 0).text(2)) Hz"),
      .init("overflows", "\(overflows)"), .init("samples lost", "\(missing)"),
      .init("frames out of step", "\(misaligned)"), .init("implausible frames", "\(implausible)"),
    ]
    let summary =
      findings.first?.evidence
      ?? "\(frames) frames at \(rate), none lost, in \(seconds.text(1)) s"
    return CheckRecord("fifo", of: chip, findings: findings, summary, rows: rows)
  }
}

extension InterruptCheck.Result {
  var record: CheckRecord {
    if let skipped { return CheckRecord("interrupt", of: chip, .skipped, skipped) }
    var rows: [CheckRecord.Row] = [.init("line", "\(line ?? ""), \(edge ?? "") edge")]
    var pictures: [CheckRecord.Picture] = []
    if let edges {
      rows += [
        .init("edges", "\(edges.edges) for \(count(samples, "sample"))"),
        .init(
          "rate",
          "\(edges.rateHz.map { $0.text(2) } ?? "no") Hz, configured \((configuredHz ?? 0).text(2)) Hz"
        ),
        .init(
          "jitter",
          "\(edges.jitterDeviationUs.text(1)) us standard deviation, \(edges.jitterP99Us.text(1)) us at 99 %, "
            + "\(edges.jitterWorstUs.text(1)) us at worst"),
      ]
      if edges.histogram.contains(where: { $0.count > 0 }) {
        pictures.append(CheckRecord.Picture("Jitter of the interrupt line", svg: plot(edges)))
      }
    }
    if let level { rows.append(.init("level", level)) }
    let summary =
      findings.first?.evidence
      ?? "\(edges?.edges ?? 0) edges on \(line ?? "its line") at \(edges?.rateHz.map { $0.text(2) } ?? "?") Hz, "
      + "jitter \((edges?.jitterDeviationUs ?? 0).text(1)) us"
    return CheckRecord(
      "interrupt", of: chip, findings: findings, summary, rows: rows, pictures: pictures)
  }

  private func plot(_ edges: EdgeStatistics) -> String {
    let points = edges.histogram.map { bin in
      PlotPoint((bin.lowestUs + bin.highestUs) / 2, Double(bin.count))
    }
    return Plot(
      title: "Time between edges, less their period",
      xAxis: PlotAxis("deviation", unit: "us"), yAxis: PlotAxis("edges", unit: ""),
      series: [PlotSeries("edges", points, style: .bars)]
    ).svgOfReport
  }
}

extension ErrorSoak.Result {
  var record: CheckRecord {
    if let skipped { return CheckRecord("bus errors", of: chip, .skipped, skipped) }
    var rows: [CheckRecord.Row] = [
      .init("transfers", "\(transactions), \(count(registers, "register")) compared"),
      .init("errors", "\(errors), \(errorsPerMillion.text(1)) a million"),
      .init("95 % bound", "at most \(upperBoundPerMillion.text(1)) a million"),
    ]
    for (kind, number) in failures.sorted(by: { $0.key < $1.key }) {
      rows.append(.init(kind, "\(number)"))
    }
    for bit in flippedBits.prefix(8) {
      rows.append(
        .init("bit \(bit.bit) of \(bit.register.hexadecimal)", "\(count(bit.count, "time")) wrong"))
    }
    let summary =
      findings.first?.evidence
      ?? "\(transactions) transfers without an error in \(seconds.text(1)) s "
      + "(95 %: fewer than \(upperBoundPerMillion.text(0)) a million)"
    return CheckRecord("bus errors", of: chip, findings: findings, summary, rows: rows)
  }
}
