// SPDX-License-Identifier: Apache-2.0
package import SourceReading
package import CommandOutput
import Foundation
import LinuxSystem
package import Otolith
import MotionViews

/// A loop that draws the scenes of a source until the user quits. The loop holds no lock that a
/// sensor thread needs, and skips frames while the terminal accepts no output.
package final class MonitorLoop {
  private let terminal: MonitorTerminal
  private let source: any MotionSource
  private let style: ScreenStyle
  private let interval: TimeSpan
  private let signals: MonitorSignals
  private var encoder: FrameEncoder
  private var meter: CostMeter
  private var poller = Poller()
  /// The indices of the terminal and of the signals' event in the poller.
  private let keys: Int
  private let signalled: Int
  private var isOver = false

  package init(
    _ terminal: MonitorTerminal, _ source: any MotionSource, _ style: ScreenStyle, frames: Int
  ) throws(Failure) {
    self.terminal = terminal
    self.source = source
    self.style = style
    interval = TimeSpan(seconds: 1 / Double(frames))
    encoder = FrameEncoder(style.colors)
    meter = CostMeter(at: .now)
    do throws(ResourceError) { signals = try MonitorSignals() } catch {
      throw Failure(.resource(error))
    }
    keys = poller.add(terminal.descriptor)
    signalled = poller.add(signals.wakeEvent.fileDescriptor)
  }

  /// Runs for `duration` seconds, or until the user quits or a signal ends the process.
  package func run(_ follower: inout SourceReader, for duration: Double?) throws(Failure) {
    terminal.enter()
    defer {
      terminal.leave()
      signals.cancel()
    }
    let end = duration.map { Timestamp.now + TimeSpan(seconds: $0) } ?? .distantFuture
    var next = Timestamp.now
    while !isOver, !signals.ends, Timestamp.now < end {
      if signals.takeStop() { try pause() }
      if signals.takeReturn() {
        terminal.enter()
        encoder.forget()
      }
      takeKeys(&follower)
      let now = Timestamp.now
      if now >= next {
        draw(&follower, now)
        // If drawing is late, skip frames instead of catching up, because several frames in a row
        // would not be visible.
        next = max(next + interval, now)
      }
      wait(until: next)
    }
  }

  private func draw(_ follower: inout SourceReader, _ now: Timestamp) {
    follower.follow()
    for line in terminal.errorLines() { follower.say(.note, line, .warning) }
    meter.update(&follower.model.scene.cost, at: now)
    let scene = follower.model.scene(at: now)
    guard terminal.flush() else {
      meter.dropped += 1
      return
    }
    let size = terminal.size
    let canvas = MonitorScreen.canvas(
      scene, columns: size.columns, rows: size.rows, characterSet: style.characterSet)
    let bytes = encoder.bytes(of: canvas)
    terminal.send(bytes)
    meter.frames += 1
    meter.bytes += bytes.count
  }

  private func takeKeys(_ follower: inout SourceReader) {
    guard let bytes = terminal.keys() else {
      isOver = true
      return
    }
    // Arrow keys and function keys send an escape byte first. The bytes after it are not key
    // presses.
    let isEscape = bytes.first == 0x1B
    for key in isEscape ? [.other] : bytes.map(MonitorKey.init) {
      if key == .quit { isOver = true }
      if key == .redraw { encoder.forget() }
      follower.press(key)
    }
  }

  /// Handles Ctrl-Z: restores the terminal for the shell and stops the chips until `fg` continues
  /// the process.
  private func pause() throws(Failure) {
    terminal.leave()
    // A live source is stopped during the pause. A recording is not stopped, because it would
    // restart from its beginning.
    let sleeps = !source.kind.isRecording
    if sleeps { source.stop() }
    raise(SIGSTOP)
    if sleeps { do throws(SessionError) { try source.start() } catch { throw Failure(error) } }
    terminal.enter()
    encoder.forget()
  }

  /// Waits until `time`, a key press or a signal. Sends pending output in the meantime.
  private func wait(until time: Timestamp) {
    poller.change(keys, to: terminal.isReady ? .readable : [.readable, .writable])
    _ = try? poller.wait(until: min(time, .now + .seconds(1)))
    if poller.events(of: signalled).contains(.readable) { signals.wakeEvent.drain() }
    if poller.events(of: keys).isFailed { isOver = true }
    terminal.flush()
  }
}

/// A meter for the processor time and size of drawing, averaged over each second.
struct CostMeter {
  var frames = 0
  var bytes = 0
  var dropped = 0
  private var since: Timestamp
  private var drawing: Double
  private var program: Double

  init(at now: Timestamp) {
    since = now
    (drawing, program) = (
      Self.seconds(CLOCK_THREAD_CPUTIME_ID), Self.seconds(CLOCK_PROCESS_CPUTIME_ID)
    )
  }

  /// Updates `cost` once per second. Call this function on the drawing thread, because it measures
  /// the calling thread's processor time.
  mutating func update(_ cost: inout MonitorScene.Cost, at now: Timestamp) {
    let span = (now - since).seconds
    guard span >= 1 else { return }
    let (drawing, program) = (
      Self.seconds(CLOCK_THREAD_CPUTIME_ID), Self.seconds(CLOCK_PROCESS_CPUTIME_ID)
    )
    cost.frames = Double(frames) / span
    cost.bytes = Double(bytes) / span
    cost.drawing = (drawing - self.drawing) / span
    cost.program = (program - self.program) / span
    cost.dropped = dropped
    (since, self.drawing, self.program) = (now, drawing, program)
    (frames, bytes) = (0, 0)
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)  // used within the call
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
