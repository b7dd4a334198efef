// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Runtime
import ServedSources
import Testing

/// Tests of share/otolith/otolith.py with the service's rings.
@Suite(.timeLimit(.minutes(2))) struct PythonModuleTests {
  private static let folder =
    URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path() + "share/otolith"

  /// Starts a Python program that can import the module. Returns it and the path of the file that
  /// has its output.
  private func start(_ program: String, on path: String) throws -> (Process, output: String) {
    let output = NSTemporaryDirectory() + "otolith-python-\(UUID().uuidString)"
    try #require(FileManager.default.createFile(atPath: output, contents: nil))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-c", "import itertools, otolith\n" + program]
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONPATH"] = Self.folder
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["OTOLITH_SOCKET"] = path
    process.environment = environment
    let file = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardOutput = file
    process.standardError = file
    try process.run()
    return (process, output)
  }

  private func lines(_ output: String) -> [String] {
    ((try? String(contentsOfFile: output, encoding: .utf8)) ?? "").split(separator: "\n")
      .map(String.init)
  }

  @Test func `every sample comes by its names, and at the rate that is wanted`() async throws {
    let script = ScriptedSource([.acceleration, .pressure, .illuminance], rate: 100, name: "Bench")
    let served = try Served(script)
    defer { served.end() }
    let (process, output) = try start(
      """
      service = otolith.Service()
      print(service.name, service.channels, service.chips, service.rates["acceleration"])
      samples = service.samples(acceleration=100, illuminance=20)
      print("ready", flush=True)
      for sample in itertools.islice(samples, 100):
          print(sample["timestamp"], sample["missing"], sample["acceleration"], sample.get("illuminance"))
      print(service.status()["clients"][0]["wants"], service.missed)
      """, on: served.path)
    defer {
      if process.isRunning { process.terminate() }
      try? FileManager.default.removeItem(atPath: output)
    }
    #expect(try await eventually { script.isRunning })
    for number in 0..<100 {
      var sample = Sample(
        timestamp: Timestamp(nanoseconds: 5_000_000_000 + Int64(number) * 10_000_000),
        channels: [.acceleration, .illuminance])
      sample.acceleration = Vector3(Double(number) / 7, -0.5, -1)
      sample.scalars[.illuminance] = Double(number)
      sample.missing = UInt32(number % 3)
      script.send(sample)
      if number % 25 == 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
    #expect(try await eventually { !process.isRunning })
    let lines = lines(output)
    try #require(lines.count == 103, "\(lines)")
    #expect(lines[0] == "Bench ('acceleration', 'pressure', 'illuminance') ['Bench'] 100.0")
    for number in 0..<100 {
      // Light comes with every fifth sample: 20 Hz of 100 Hz.
      let light = number % 5 == 0 ? "\(Double(number))" : "None"
      let x = Double(number) / 7
      #expect(
        lines[2 + number]
          == "\(Double(5_000_000_000 + number * 10_000_000) / 1e9) \(number % 3) (\(x), -0.5, -1.0) \(light)"
      )
    }
    #expect(
      lines[102]
        == "[{'of': 'acceleration', 'rate': 100}, {'of': 'illuminance', 'rate': 20}] 0",
      "\(lines[102])")
  }

  @Test func `what is wrong is a line, and the end of the service an error`() async throws {
    let script = ScriptedSource(.acceleration, rate: 100, name: "Bench")
    let served = try Served(script)
    let (process, output) = try start(
      """
      for act in (lambda: otolith.Service("/nowhere"), lambda: next(otolith.Service().samples(pressure=1)),
                  lambda: next(otolith.Service().motions(0)), lambda: next(otolith.Service().motions())):
          try:
              act()
          except otolith.OtolithError as error:
              print(error)
      """, on: served.path)
    defer {
      if process.isRunning { process.terminate() }
      try? FileManager.default.removeItem(atPath: output)
    }
    #expect(try await eventually { script.isRunning })
    served.end()
    #expect(try await eventually { !process.isRunning })
    let lines = lines(output)
    #expect(
      lines.prefix(3) == [
        "no otolith service at /nowhere: No such file or directory",
        "Bench has no pressure; it has acceleration",
        "a rate is a number of items a second above 0",
      ], "\(lines)")
    #expect(lines.count == 4 && process.terminationStatus == 0, "\(lines)")
  }
}
