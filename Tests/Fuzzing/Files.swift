// SPDX-License-Identifier: Apache-2.0
import BusTraces
@testable import Boards
import BringUp
import ChipCatalog
import Quantities
import Recordings

private func placed(_ errors: BoardErrors, in text: String) {
  let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.count
  check(!errors.errors.isEmpty, "refused without an error")
  for error in errors.errors {
    check((0...lines + 1).contains(error.line) && error.column >= 0, "no place: \(error)")
    check(!error.description.contains { $0.isNewline }, "an error of several lines: \(error)")
  }
}

/// Reads a board file, and the board in a trace of it.
func takeBoard(_ bytes: [UInt8]) throws {
  guard case .text(let text) = TextFile.text(bytes) else { return }
  do throws(BoardErrors) {
    let board = try BoardFile.parse(text, file: "x.yaml", catalogue: ChipCatalog.descriptions)
    _ = board.fingerprint
    let shared = BoardFile.shareableText(of: board)
    _ = try? BoardFile.parse(shared, file: "y.yaml", catalogue: ChipCatalog.descriptions)
  } catch {
    placed(error, in: text)
    throw error
  }
}

private let simulated = try? BoardFile.simulated(catalogue: ChipCatalog.descriptions)

/// Reads a calibration and a learned file; what is written again reads as the same values.
func takeCalibration(_ bytes: [UInt8]) throws {
  guard case .text(let text) = TextFile.text(bytes) else { return }
  var source = YAMLSource(text, file: "x.yaml")
  if let tree = source.tree(), let board = simulated {
    var reader = CalibrationReader(file: "x.yaml", errors: source.errors)
    if let calibration = reader.calibration(tree, chips: board.chips), reader.errors.isEmpty {
      var again = YAMLSource(calibration.text, file: "y.yaml")
      var second = CalibrationReader(file: "y.yaml", errors: [])
      let read = again.tree().flatMap { second.calibration($0, chips: board.chips) }
      check(read?.chips == calibration.chips, "another calibration: \(second.errors)")
    }
  }
  do throws(BoardErrors) {
    let learned = try LearnedFile.parse(text, file: "x.yaml")
    let again = try? LearnedFile.parse(learned.text, file: "y.yaml")
    check(again != nil, "what is written is refused: \(learned.text)")
  } catch {
    placed(error, in: text)
    throw error
  }
}

/// Reads a recording of any format; the first byte selects the options.
func takeRecording(_ bytes: [UInt8]) throws {
  guard let way = bytes.first else { return }
  var conventions = RecordingConventions()
  if way & 2 != 0 {
    conventions.timeUnit = TimeUnit.allCases[Int(way >> 4) % TimeUnit.allCases.count]
  }
  if way & 4 != 0 {
    conventions.units = ["m/s2", "deg/s", "gauss", "hPa"].compactMap(MeasuredUnit.named)
  }
  if way & 8 != 0 {
    conventions.columns = ["acceleration=-a", "rotationRate=gyro"].compactMap(ColumnName.init)
  }
  var reader = try RecordingReader(
    bytes: Array(bytes.dropFirst()), file: "x", order: way & 1 == 0 ? .strict : .lenient,
    conventions)
  _ = reader.notes
  var newest = Timestamp(nanoseconds: .min)
  while let sample = try reader.next() {
    let time = sample.timestamp + reader.shift
    check(time >= newest, "time goes back")
    check(sample.acceleration.isFinite && sample.pressure.isFinite, "no number")
    check(reader.channels.isSuperset(of: sample.channels), "a channel without a column")
    newest = time
  }
  _ = (reader.warnings, reader.remark)
}

/// Reads a trace as from a bug report, summarises it, writes it again and plays it.
func takeTrace(_ bytes: [UInt8]) throws {
  let opening = Array("otolith-trace: 2\n".utf8)
  let text = bytes.starts(with: "otolith-trace".utf8) ? bytes : opening + bytes
  let board: Board
  do throws(BoardErrors) {
    board = try BoardFile.load(
      path: Scratch.shared.write(text, to: "x.trace"), catalogue: ChipCatalog.descriptions)
  } catch {
    check(!error.description.utf8.contains { $0 < 0x20 && $0 != 0x0A }, "a control character")
    throw error
  }
  guard let trace = board.trace else { return }
  _ = (TraceSummary(trace), trace.remarks, trace.missing, trace.length)
  var again = Array(trace.header.text.utf8)
  for event in trace.events { TraceFormat.append(event, from: trace.header.origin, to: &again) }
  let second = try? Trace(bytes: again, file: "y.trace")
  check(second?.events == trace.events, "another trace when written and read again")
  _ = try TracePlayback(board)?.run { _, _ in }
}
