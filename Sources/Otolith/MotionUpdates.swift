// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension MotionHub {
  /// Motion as it comes, for `for try await`: the chips run from this call until the loop's task is cancelled or the
  /// stream is let go. A loop that is slower than the sensors finds the newest `limit` samples; `MotionSample.missing` does not count those dropped.
  /// Throws `SessionError` where the board cannot be opened.
  public func motions(bufferingNewest limit: Int = 256) -> AsyncThrowingStream<
    MotionSample, any Error
  > {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
      let receiver = StreamReceiver(continuation)
      do throws(SessionError) {
        let listening = try listen(receiver)
        // Keeps both alive as long as the stream, and stops the sensors with it.
        continuation.onTermination = { _ in
          listening.stop()
          receiver.finish()
        }
      } catch { continuation.finish(throwing: error) }
    }
  }
}

private final class StreamReceiver: MotionReceiver {
  private let continuation: AsyncThrowingStream<MotionSample, any Error>.Continuation

  init(_ continuation: AsyncThrowingStream<MotionSample, any Error>.Continuation) {
    self.continuation = continuation
  }

  func receive(_ sample: SourcedSample) {}
  func receive(_ motion: MotionSample) { continuation.yield(motion) }
  func missed(_ count: UInt64) {}
  func chipsChanged(_ chips: [ChipState]) {}
  func finish() { continuation.finish() }
}
