// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import Foundation
internal import Runtime

/// A report as one self-contained HTML page, to be archived or attached to a bug report.
package struct ReportPage {
  private let report: BringUpReport

  package init(_ report: BringUpReport) { self.report = report }

  package var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(report.notice == nil ? "" : "not hardware: ")\(text(report.board)): bring-up</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <header>
    \(notice)<h1>\(text(report.board))</h1>
    <p class="meta">\(text(report.file)) · \(text(report.made)) · \(text(report.machine)) · \
    \(text(report.duration))</p>
    <p class="verdict \(report.isGood ? "good" : "bad")">\(text(report.verdict))</p>
    </header>
    <main>
    \(causes)\(overview)\(details)\(wiring)
    </main>
    <footer>Made by <code>otolith bringup</code>. A fault that stays: record it with
    <code>otolith trace record --board \(text(place)) --output fault.trace</code>, so that anybody can run it.</footer>
    </body>
    </html>

    """
  }

  /// The notice above the board's name, by which readers recognise a report about a simulated
  /// board.
  private var notice: String {
    report.notice.map { "<p class=\"notice\">\(text($0))</p>\n" } ?? ""
  }

  /// The argument for `--board`: the board's file, or the name of an embedded board.
  private var place: String {
    report.file.hasSuffix(ShippedBoard.suffix)
      ? String(report.file.dropLast(ShippedBoard.suffix.count)) : report.file
  }

  private func text(_ text: String) -> String { MarkupText.escaped(text) }

  /// The findings as HTML, the most important first.
  private var causes: String {
    guard !report.findings.isEmpty else { return "" }
    let cards = report.findings.map { finding in
      let steps = finding.steps.map { "<li>\(text($0))</li>" }.joined()
      let subject = finding.subject.map { "<span class=\"subject\">\(text($0))</span>" } ?? ""
      return """
        <article class="finding" id="\(finding.cause.rawValue)">
        <h3>\(text(finding.cause.title)) \(subject)</h3>
        <p>\(text(finding.explanation))</p>
        <p class="evidence"><b>Seen:</b> \(text(finding.evidence))</p>
        <ol>\(steps)</ol>
        </article>
        """
    }
    return "<section><h2>Problems</h2>\n\(cards.joined(separator: "\n"))</section>\n"
  }

  private var overview: String {
    let rows = report.checks.enumerated().map { index, check in
      """
      <tr><td><span class="pill \(check.state.rawValue)">\(check.state.rawValue)</span></td>\
      <td><a href="#check-\(index)">\(text(check.check))</a></td>\
      <td>\(text(check.subject ?? ""))</td><td>\(text(check.summary))</td></tr>
      """
    }
    return """
      <section><h2>Checks</h2>
      <table class="checks"><thead><tr><th>outcome</th><th>check</th><th>of</th><th>seen</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></section>

      """
  }

  private var details: String {
    let sections = report.checks.enumerated().compactMap { index, check -> String? in
      guard !check.rows.isEmpty || !check.pictures.isEmpty else {
        return "<a id=\"check-\(index)\"></a>"
      }
      let heads = check.heads.isEmpty ? ["figure", "seen"] : check.heads
      let rows = check.rows.map { row in
        let cells = row.cells.isEmpty ? [row.value] : row.cells
        return "<tr><th scope=\"row\">\(text(row.name))</th>"
          + cells.map { "<td>\(text($0))</td>" }.joined() + "</tr>"
      }
      let head = heads.map { "<th scope=\"col\">\(text($0))</th>" }.joined()
      let table =
        rows.isEmpty
        ? ""
        : "<div class=\"wide\"><table class=\"figures\(check.heads.isEmpty ? "" : " cells")\"><thead><tr>\(head)</tr></thead>"
          + "<tbody>\(rows.joined())</tbody></table></div>"
      let pictures = check.pictures.map {
        "<figure>\($0.svg)<figcaption>\(text($0.title))</figcaption></figure>"
      }
      let subject = check.subject.map { " of \($0)" } ?? ""
      return """
        <section id="check-\(index)"><h2>\(text(check.check))\(text(subject)) \
        <span class="pill \(check.state.rawValue)">\(check.state.rawValue)</span></h2>
        <p>\(text(check.summary))</p>
        \(table)
        <div class="pictures">\(pictures.joined(separator: "\n"))</div></section>
        """
    }
    return sections.joined(separator: "\n")
  }

  private var wiring: String {
    guard let picture = report.wiring else { return "" }
    // Embed the picture as an image, so that its styles do not affect the page.
    let image = Data(picture.svg.utf8).base64EncodedString()
    return """
      <section><h2>Wiring</h2><p>According to the board file; compare it with the wires.</p>
      <figure class="wide"><img alt="\(text(picture.title))" src="data:image/svg+xml;base64,\(image)"><figcaption>\(text(picture.title))</figcaption></figure></section>
      """
  }

  /// The content security policy: inline styles and images only, no scripts, nothing from other
  /// sites.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    + "form-action 'none'"

  private static let style = """
    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --page: #fff; --card: #f6f8fa; --line: #d1d9e0;
      --good: #1a7f37; --bad: #c1121f; --skip: #6e7781; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --page: #0d1117; --card: #161b22;
      --line: #30363d; --good: #3fb950; --bad: #ff6b6b; --skip: #8b949e; } }
    * { box-sizing: border-box; }
    body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 62rem;
      margin: 0 auto; padding: 1.5rem; }
    h1 { margin: 0; font-size: 1.7rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; } h3 { margin: 0 0 .3rem; }
    .notice { font-size: 1.4rem; font-weight: 700; margin: 0 0 1rem; padding: .7rem 1rem; border-radius: .5rem;
      color: #1b1f24; background: #f2c744; }
    .meta { color: var(--soft); margin: .2rem 0 1rem; }
    .verdict { font-size: 1.15rem; font-weight: 600; padding: .7rem 1rem; border-radius: .5rem; border: 2px solid; }
    .verdict.good { color: var(--good); } .verdict.bad { color: var(--bad); }
    .finding { background: var(--card); border-left: 4px solid var(--bad); padding: .8rem 1rem; margin: .8rem 0;
      border-radius: .3rem; }
    .finding p { margin: .3rem 0; } .finding ol { margin: .3rem 0 0; }
    .subject { color: var(--soft); font-weight: 400; } .evidence { color: var(--soft); }
    table { border-collapse: collapse; width: 100%; } .figures { width: auto; }
    th, td { text-align: left; padding: .3rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
    .checks td:nth-child(2), .checks td:nth-child(3) { white-space: nowrap; }
    .figures thead th { font-size: .85rem; } .figures tbody th { font-weight: 400; color: var(--soft); }
    .figures td { font-variant-numeric: tabular-nums; } .wide { overflow-x: auto; }
    h2 .pill { font-weight: 400; vertical-align: 10%; }
    .pill { display: inline-block; min-width: 4.5rem; text-align: center; border-radius: 1rem; padding: 0 .6rem;
      font-size: .85rem; border: 1px solid; }
    .passed { color: var(--good); } .failed { color: var(--bad); font-weight: 700; } .skipped { color: var(--skip); }
    a { color: inherit; } code { background: var(--card); padding: .1rem .3rem; border-radius: .2rem; }
    .pictures { display: flex; flex-wrap: wrap; gap: 1rem; } .pictures figure { flex: 0 1 28rem; }
    figure { margin: .5rem 0; min-width: 0; } figcaption { color: var(--soft); font-size: .9rem; }
    svg { width: 100%; height: auto; } p, td { overflow-wrap: anywhere; }
    footer { margin-top: 3rem; color: var(--soft); border-top: 1px solid var(--line); padding-top: 1rem; }
    @media (max-width: 40rem) { body { padding: 1rem; } .checks thead { display: none; }
      .checks tr { display: grid; grid-template-columns: auto auto 1fr; border-bottom: 1px solid var(--line); padding: .3rem 0; }
      .checks td { border: 0; padding: .1rem .4rem .1rem 0; } .checks td:nth-child(4) { grid-column: 1 / -1; }
      .figures th, .figures td { padding: .3rem .4rem; } 
      .cells { width: 100%; font-size: .85rem; } .cells td { overflow-wrap: normal; border: 0; }
      .cells tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)) minmax(0, 1.7fr); border-bottom: 1px solid var(--line); }
      .cells td:last-child { overflow-wrap: anywhere; } .cells th { border: 0; }
      .cells tr > th:first-child { grid-column: 1 / -1; } }
    @media print { body { max-width: none; } section { break-inside: avoid; } }
    """
}
