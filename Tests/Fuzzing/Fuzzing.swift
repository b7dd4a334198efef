// SPDX-License-Identifier: Apache-2.0
import Glibc

// Linked with libFuzzer, whose main function calls these two functions. `make fuzz` builds and runs
// it; docs/security.md describes it.

/// A boundary that bytes from outside cross; OTOLITH_FUZZ selects it by name.
enum Boundary: String, CaseIterable {
  case board, calibration, recording, trace, packet, page, bench, samples, movement, fifo, web

  /// Processes `bytes` as the product does; throwing an error is as good as reading them.
  func take(_ bytes: [UInt8]) throws {
    switch self {
    case .board: try takeBoard(bytes)
    case .calibration: try takeCalibration(bytes)
    case .recording: try takeRecording(bytes)
    case .trace: try takeTrace(bytes)
    case .packet: try takePacket(bytes)
    case .page: try takePage(bytes)
    case .bench: takeBench(bytes)
    case .samples: try takeSamples(bytes)
    case .movement: try takeMovement(bytes)
    case .fifo: try takeQueue(bytes)
    case .web: takeWeb(bytes)
    }
  }
}

/// The boundary that `OTOLITH_FUZZ` names; the process ends if it names none.
let boundary: Boundary = {
  let name = unsafe getenv("OTOLITH_FUZZ").map { unsafe String(cString: $0) } ?? ""
  if let boundary = Boundary(rawValue: name) { return boundary }
  let names = Boundary.allCases.map(\.rawValue).joined(separator: " ")
  say("fuzz: OTOLITH_FUZZ is '\(name)', expected one of: \(names)")
  exit(64)  // EX_USAGE
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer's bytes are valid only during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do { try boundary.take(bytes) } catch {
    check(!"\(error)".isEmpty, "an error without a word")
  }
  return 0
}

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(2, bytes, bytes.count)  // the array lives for the call
}

/// Ends the process if a condition is false, so that libFuzzer keeps the input.
func check(_ holds: Bool, _ promise: @autoclosure () -> String) {
  guard !holds else { return }
  say("fuzz: \(boundary.rawValue): \(promise())")
  abort()
}

/// A file in memory for readers that need a path; one per process.
struct Scratch {
  let folder: String

  init() {
    folder = "/dev/shm/otolith-fuzz-\(getpid())"
    _ = mkdir(folder, 0o700)
  }

  func write(_ bytes: [UInt8], to name: String) -> String {
    let path = "\(folder)/\(name)"
    let file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    check(file >= 0, "no file in /dev/shm")
    _ = unsafe Glibc.write(file, bytes, bytes.count)  // the array lives for the call
    _ = close(file)
    return path
  }

  static let shared = Scratch()
}
