// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Registers
import Runtime
import Testing

/// Tests of what listeners learn about chips that fail.
@Suite struct SilentChipsTests {
  /// A source with three chips. The sentence for an error is either the same for all chips, as a
  /// service's is, or has the chip's number in it.
  private final class Chips: MotionSource {
    let name = "board"
    let isOneSentence: Bool
    let pipeline = MotionPipeline(chips: [.acceleration, .rotationRate, .pressure])

    init(isOneSentence: Bool) { self.isOneSentence = isOneSentence }

    var channels: ChannelSet { [.acceleration, .rotationRate, .pressure] }
    var location: Location? { nil }
    var trueNorth: TrueNorth? { nil }
    var report: [ChipReport] { [] }
    func rate(of channel: Channel) -> Double? { nil }
    func start() throws(SessionError) {}
    func stop() {}
    func channels(ofChip index: Int) -> ChannelSet {
      [.acceleration, .rotationRate, .pressure][index]
    }
    func sentence(for error: ChipError, ofChip index: Int) -> String {
      isOneSentence ? "the service is gone" : "chip \(index) is gone"
    }
  }
  private let gone = ChipState.failed(.bus(.adapterGone, register: 0))

  @Test func `a service that is gone is said once, not once per chip`() throws {
    let silence = try #require(Chips(isOneSentence: true).silence(of: [gone, gone, gone]))
    #expect(silence.description == "the service is gone")
    #expect(silence.channels == [.acceleration, .rotationRate, .pressure])
  }

  @Test func `chips that are gone are said one by one`() throws {
    let source = Chips(isOneSentence: false)
    let silence = try #require(source.silence(of: [gone, .delivering, gone]))
    #expect(silence.description == "chip 0 is gone; chip 2 is gone")
    #expect(silence.channels == [.acceleration, .pressure])
    #expect(source.silence(of: [.delivering, .starting, .delivering]) == nil)
  }
}
