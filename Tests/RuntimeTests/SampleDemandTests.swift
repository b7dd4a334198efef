// SPDX-License-Identifier: Apache-2.0
import Quantities
import Runtime
import Testing

/// Tests of the demand that several users make together.
@Suite struct SampleDemandTests {
  @Test func `nothing asks for no channel, everything for all`() {
    #expect(SampleDemand.nothing.isNothing && !SampleDemand.everything.isNothing)
    for channel in Channel.allCases {
      #expect(SampleDemand.nothing[channel] == 0)
      #expect(SampleDemand.everything[channel] == .infinity)
    }
    #expect(SampleDemand.everything.motion == .infinity)
    #expect(SampleDemand([], motion: 0) == .nothing)
    #expect(!SampleDemand([], motion: 1).isNothing)
  }

  /// Each channel has its own place in a demand, including the last channel.
  @Test func `each channel has its own place in a demand`() {
    for (index, channel) in Channel.allCases.enumerated() {
      var demand = SampleDemand.nothing
      demand[channel] = Double(index + 1)
      for other in Channel.allCases {
        #expect(demand[other] == (other == channel ? Double(index + 1) : 0))
      }
      #expect(demand == SampleDemand(ChannelSet(channel), at: Double(index + 1)))
    }
  }

  @Test func `a union asks for the faster rate of each channel`() {
    var demand = SampleDemand([.acceleration, .pressure], at: 10, motion: 3)
    demand.formUnion(SampleDemand([.acceleration, .magneticField], at: 20, motion: 1))
    #expect(demand[.acceleration] == 20 && demand[.pressure] == 10)
    #expect(demand[.magneticField] == 20 && demand[.rotationRate] == 0 && demand.motion == 3)
    #expect(demand.rate(of: [.pressure, .magneticField]) == 20)
    #expect(demand.rate(of: [.humidity]) == 0 && demand.rate(of: []) == 0)
    var other = SampleDemand.everything
    other.formUnion(demand)
    #expect(other == .everything)
    demand.formUnion(.nothing)
    #expect(demand[.acceleration] == 20)
  }

  /// An interval that is zero, negative or not a number takes every sample, as `CMMotionManager`
  /// specifies it.
  @Test func `an invalid interval takes every sample`() {
    #expect(SampleDemand.rate(every: 0.01) == 100 && SampleDemand.rate(every: 2) == 0.5)
    for interval in [0, -1, Double.nan] { #expect(SampleDemand.rate(every: interval) == .infinity) }
    #expect(SampleDemand.rate(every: .infinity) > 0)
    #expect(SampleDemand(.acceleration, at: .nan, motion: -1) == .nothing)
    var demand = SampleDemand.nothing
    demand.motion = .nan
    #expect(demand == .nothing)
  }
}
